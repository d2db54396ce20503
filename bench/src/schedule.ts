/** What jobs cost: how late slots begin among ten thousand of them, what a thousand at once take, and what the many cost while none is due. */
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

const PROGRAM = "packages/warden/src/fixtures/schedule-cost.ts";
const JOBS = 10_000;
/** A job that is due begins within a second. */
const AT_MOST_MS = 1000;
/** Of a processor, while nothing is due. */
const AT_MOST_PERCENT = 1;

/** What the program prints: milliseconds of each slot, and the cost of the many. */
export interface ScheduleCost {
  readonly one: readonly number[];
  readonly all: readonly number[];
  readonly jobs: number;
  readonly residentBytes: number;
  readonly idlePercent: number;
}

export const schedule: Bench = {
  name: "schedule",
  about: "how late jobs begin among ten thousand, and what those cost while none is due",
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
    ...{ what: `processor while none of ${jobs} jobs is due`, value: idlePercent, unit: "%", samples: 1 },
    target: { atMost: AT_MOST_PERCENT },
  },
];

const latest = (what: string, times: readonly number[]): readonly Figure[] =>
  [50, 99].map((percent) => ({
    ...{ what: `${what}, p${percent}`, value: percentile(times, percent), unit: "ms", samples: times.length },
  }));
