/** Measures the search over a million messages, and what their index costs. */
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

const PROGRAM = "packages/warden/src/fixtures/search-cost.ts";
const MESSAGES = 1_000_000;
const AT_MOST_MS = 50;

/** The output of the program. */
export interface SearchCost {
  readonly messages: number;
  readonly indexMs: number;
  readonly indexBytes: number;
  /** Milliseconds of each search, by kind of query. */
  readonly times: Readonly<Record<string, readonly number[]>>;
}

export const search: Bench = {
  name: "search",
  about: "time of searches over a million messages, and the cost of their index",
  isLong: true,
  async run(site) {
    site.say(`search: writing and indexing ${MESSAGES} messages`);
    return report(await measure(site));
  },
};

const measure = async (site: Site): Promise<SearchCost> => {
  await using folder = await temporaryFolder(site);
  const command = [process.execPath, "--no-install", join(site.root, PROGRAM), folder.path, `${MESSAGES}`];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("{")).text) as SearchCost;
};

export const report = ({ messages, indexMs, indexBytes, times }: SearchCost): readonly Figure[] => [
  ...Object.entries(times).map(([name, taken]): Figure => ({
    what: `${name}, p95`,
    value: percentile(taken, 95),
    unit: "ms",
    samples: taken.length,
    target: { atMost: AT_MOST_MS },
  })),
  { what: "indexing one message", value: (indexMs / messages) * 1000, unit: "µs", samples: messages },
  { what: `index of ${messages} messages`, value: indexBytes / 1024 / 1024, unit: "MiB", samples: 1 },
];
