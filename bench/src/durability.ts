/**
 * Compares durability against power cuts with durability against killed processes: commits, blobs
 * and stalls on one disk.
 */
import { join } from "node:path";
import type { Bench, Figure, Unit } from "./bench.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";

const SETTINGS = ["power", "process"] as const;
type Setting = (typeof SETTINGS)[number];

const PERIOD_MS = 1500;
/** Number of rounds. The settings alternate, so that other disk activity affects both. */
const ROUNDS = 2;
const PROGRAM = "packages/warden/src/adapter/bun/commit-rate.ts";

interface Period {
  readonly times: readonly number[];
  readonly longestStallMs: number;
}

/** The output of the program. */
export interface Round {
  readonly alone: Period;
  readonly grouped: Period;
  readonly puts: readonly number[];
  readonly writers: number;
  readonly blobSize: number;
}

export const durability: Bench = {
  name: "durability",
  about: "what [store] durability costs: commits and blobs of `power` beside those of `process`",
  async run(site) {
    const rounds: Record<Setting, Round[]> = { power: [], process: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const setting of SETTINGS) {
        site.say(`durability: ${setting}, ${round} of ${ROUNDS}`);
        rounds[setting].push(await measure(site, setting));
      }
    }
    return compare(rounds.power, rounds.process, PERIOD_MS);
  },
};

const measure = async (site: Site, setting: Setting): Promise<Round> => {
  await using folder = await temporaryFolder(site);
  const command = [process.execPath, "--no-install", join(site.root, PROGRAM), folder.path, setting, `${PERIOD_MS}`];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("{")).text) as Round;
};

interface Quantity {
  readonly what: string;
  readonly unit: Unit;
  /** Whether a higher value is better. */
  readonly isRate: boolean;
  readonly samples: (round: Round) => readonly number[];
  readonly value: (samples: readonly number[], stretches: number) => number;
}

/** Returns two rows per quantity. The second row shows the cost factor of the first. */
export const compare = (power: readonly Round[], process: readonly Round[], stretchMs: number): readonly Figure[] => {
  const { writers, blobSize } = power[0] ?? { writers: 0, blobSize: 0 };
  const rate = (samples: readonly number[], stretches: number): number =>
    (samples.length * 1000) / (stretches * stretchMs);
  const quantities: readonly Quantity[] = [
    { what: "one writer", unit: "commits/s", isRate: true, samples: ({ alone }) => alone.times, value: rate },
    {
      what: `${writers} writers at once`,
      unit: "commits/s",
      isRate: true,
      samples: ({ grouped }) => grouped.times,
      value: rate,
    },
    ...[50, 99].map((percent) => ({
      what: `a commit of one writer, p${percent}`,
      unit: "ms" as const,
      isRate: false,
      samples: ({ alone }: Round) => alone.times,
      value: (samples: readonly number[]) => percentile(samples, percent),
    })),
    {
      what: `a commit of ${writers} at once, p99`,
      unit: "ms",
      isRate: false,
      samples: ({ grouped }) => grouped.times,
      value: (samples) => percentile(samples, 99),
    },
    {
      what: "longest stall of the event loop",
      unit: "ms",
      isRate: false,
      samples: ({ alone, grouped }) => [alone.longestStallMs, grouped.longestStallMs],
      value: (samples) => percentile(samples, 100),
    },
    {
      what: `a blob of ${blobSize / 1024} KiB, p50`,
      unit: "ms",
      isRate: false,
      samples: ({ puts }) => puts,
      value: (samples) => percentile(samples, 50),
    },
  ];
  return quantities.flatMap(({ what, unit, isRate, samples, value }) => {
    const of = (setting: Setting, rounds: readonly Round[]): Figure => {
      const all = rounds.flatMap(samples);
      return { what: `${setting}: ${what}`, value: value(all, rounds.length), unit, samples: all.length };
    };
    const [first, second] = [of("power", power), of("process", process)];
    const ratio = isRate ? second.value / first.value : first.value / second.value;
    return [first, { ...second, note: `power costs ${show(ratio)} times as much` }];
  });
};
