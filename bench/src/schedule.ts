/**
 * Measures jobs: the start delay of one among ten thousand and of a thousand at the same time, and
 * the cost of many idle jobs.
 */
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

const PROGRAM = "packages/warden/src/fixtures/schedule-cost.ts";
const JOBS = 10_000;
/** Maximum start delay of a due job. */
const AT_MOST_MS = 1000;
/** Maximum processor use while no job is due. */
const AT_MOST_PERCENT = 1;

/** The output of the program: start delays in milliseconds, and the cost of many jobs. */
export interface ScheduleCost {
  readonly one: readonly number[];
  readonly all: readonly number[];
  readonly jobs: number;
  readonly residentBytes: number;
  readonly idlePercent: number;
}

export const schedule: Bench = {
  name: "schedule",
  about: "start delay of jobs among ten thousand, and the cost of idle jobs",
  async run(site) {
    site.say("schedule: slots one by one, and a thousand at once");
    return report(await measure(site));
  },
};

const measure = async (site: Site): Promise<ScheduleCost> => {
  await using folder = await temporaryFolder(site);
  const command = [process.execPath, "--no-install", join(site.root, PROGRAM), folder.path, `${JOBS}`];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("{")).text) as ScheduleCost;
};

export const report = ({ one, all, jobs, residentBytes, idlePercent }: ScheduleCost): readonly Figure[] => [
  ...latest(`start lag, one slot at a time among ${jobs} jobs`, one).map((figure) => ({
    ...figure,
    target: { atMost: AT_MOST_MS },
  })),
  ...latest(`start lag, ${all.length} slots at once`, all),
  { what: `memory for ${jobs} jobs`, value: residentBytes / 1024 / 1024, unit: "MiB", samples: 1 },
  {
    what: `processor while none of ${jobs} jobs is due`,
    value: idlePercent,
    unit: "%",
    samples: 1,
    target: { atMost: AT_MOST_PERCENT },
  },
];

const latest = (what: string, times: readonly number[]): readonly Figure[] =>
  [50, 99].map((percent) => ({
    what: `${what}, p${percent}`,
    value: percentile(times, percent),
    unit: "ms",
    samples: times.length,
  }));
