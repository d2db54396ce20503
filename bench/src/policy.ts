/**
 * Measures the policy choke point: one call through every stage, judged by 10 KB of the owner's
 * text.
 */
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

const PROGRAM = "packages/warden/src/fixtures/policy-cost.ts";
const TURNS = 200;
/** Target in µs. Each turn has ten calls, and the first one also reads the texts that the others share. */
const AT_MOST_MICROSECONDS = 100;

/** The output of the program: microseconds of each call. */
export interface PolicyCost {
  readonly untainted: readonly number[];
  readonly tainted: readonly number[];
  readonly link: readonly number[];
  readonly rule: readonly number[];
  readonly model: readonly number[];
  readonly textLength: number;
}

export const policy: Bench = {
  name: "policy",
  about: "one call through every stage of the choke point, by what the turn has read",
  async run(site) {
    site.say("policy: calls of tools and of models");
    return report(await measure(site));
  },
};

const measure = async (site: Site): Promise<PolicyCost> => {
  await using folder = await temporaryFolder(site);
  const command = [process.execPath, "--no-install", join(site.root, PROGRAM), folder.path, `${TURNS}`];
  await using child = startChild(site, { command, cwd: site.root });
  return JSON.parse((await child.line("{")).text) as PolicyCost;
};

const KINDS = {
  untainted: "a tool, no untrusted text read",
  tainted: "a tool, as requested by the owner",
  link: "a tool, with a link of the owner",
  rule: "a tool, allowed by a rule",
  model: "a model, within three budgets",
} as const satisfies Partial<Record<keyof PolicyCost, string>>;

export const report = (cost: PolicyCost): readonly Figure[] =>
  Object.entries(KINDS).flatMap(([kind, what]) => {
    const times = cost[kind as keyof typeof KINDS];
    const figure = (percent: number): Omit<Figure, "target"> => ({
      what: `${what}, p${percent}`,
      value: percentile(times, percent),
      unit: "µs",
      samples: times.length,
    });
    return [{ ...figure(50), target: { atMost: AT_MOST_MICROSECONDS } }, figure(99)];
  });
