/**
 * Makes random mutants of the production code and reports the survivors: npm run mutants:random --
 * --help
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { root } from "../house/source.ts";
import { ALL_AREAS, type Area, areaOf, chooseSites } from "./choice.ts";
import { makeCopy } from "./copy.ts";
import { createBaseline, createJudge, type Fate, type How } from "./judge.ts";
import { readImporters, testsNear } from "./near.ts";
import { findSites, isFit, type Site } from "./sites.ts";
import { createTypeCheck } from "./types.ts";

const USAGE = `npm run mutants:random -- [options]

Changes one place of the production code at a time, in a copy, and runs the nearest tests.
A mutant with which all tests pass is a survivor: write a test that fails on it, or show that no behaviour depends on it.
Mutants with type errors are not chosen. Tests that fail without a mutant are not used. Time limits are multiples of
what the same tests take without the mutant; tests that reach theirs are run again without it before they count.

  --seed N       selects the mutants (default 1; equal seeds select equal mutants)
  --count N      number of mutants, in equal shares per area (default 60)
  --skip N       leave out the first N of them, which an earlier run has judged (default 0)
  --minutes N    start no further mutant after this time (default 30)
  --each N       seconds of tests per mutant, as they take without it (default 60)
  --workers N    mutants at a time, each in its own copy (default 2)
  --only AREA    ${ALL_AREAS.join(", ")}; may be repeated (default: all)
  --at TEXT      only files whose path contains TEXT
  --list         list the mutants without running tests
  --json         one JSON object per line`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    skip: { type: "string", default: "0" },
    minutes: { type: "string", default: "30" },
    each: { type: "string", default: "60" },
    workers: { type: "string", default: "2" },
    only: { type: "string", multiple: true, default: [...ALL_AREAS] },
    at: { type: "string", default: "" },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const fail = (why: string): never => {
  console.error(`${why}\n\n${USAGE}`);
  process.exit(2);
};
const numberOf = (name: "seed" | "count" | "skip" | "minutes" | "each" | "workers"): number => {
  const number = Number(values[name]);
  return Number.isFinite(number) && number >= 0 ? number : fail(`--${name} ${values[name]}: not a number`);
};

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const seed = numberOf("seed");
const limitMs = numberOf("minutes") * 60_000;
const areas = values.only.map(
  (name): Area => ALL_AREAS.find((area) => area === name) ?? fail(`--only ${name}: unknown area`),
);

const sites = (await findSites(root, ["packages"])).filter(({ path }) => path.includes(values.at));
const texts = new Map<string, string>();
for (const path of new Set(sites.map((site) => site.path))) texts.set(path, await Bun.file(join(root, path)).text());
const read = async (path: string): Promise<string> => texts.get(path) ?? "";

const copies = Array.from({ length: Math.max(1, numberOf("workers")) }, () => makeCopy(root));
const close = (): void => {
  for (const copy of copies) copy.close();
};
const end = (signal: NodeJS.Signals): void => {
  close();
  process.exit(signal === "SIGINT" ? 130 : 143);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);

const oneLine = (text: string): string => {
  const short = text.replaceAll(/\s+/g, " ");
  return short.length > 90 ? `${short.slice(0, 87)}...` : short;
};
const describe = ({ path, line, operator, from, to }: Site): string =>
  `${path}:${line}  ${operator}: ${oneLine(from)}  =>  ${to === "" ? "nothing" : oneLine(to)}`;

const show = (site: Site, fate: Fate, seconds: number): void => {
  if (values.json) return console.log(JSON.stringify({ area: areaOf(site.path), ...site, ...fate, seconds }));
  const what =
    fate.kind === "killed"
      ? `killed by ${fate.by}: ${fate.title}`
      : `SURVIVED ${fate.ran.length} test files${fate.left === 0 ? ", all that load it" : `; ${fate.left} left`}: ${
          fate.ran.slice(0, 5).join(" ") || "none"
        }`;
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${describe(site)}\n         ${what}`);
};

const choose = async (): Promise<readonly Site[]> => {
  const [first] = copies;
  return first === undefined
    ? []
    : chooseSites({
        sites,
        seed,
        areas,
        count: numberOf("count"),
        isFit: (site) => isFit(site.path, texts.get(site.path) ?? "", site),
        compiling: createTypeCheck(first, read),
      });
};

interface Verdict {
  readonly site: Site;
  readonly fate: Fate;
}

const judgeAll = async (chosen: readonly Site[]): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  const importers = await readImporters(root);
  const testsOf = (path: string): readonly string[] => testsNear(importers, path);
  const mostMs = numberOf("each") * 1000;
  const began = performance.now();
  const queue = chosen.values();
  await Promise.all(
    copies.map(async (copy) => {
      const judge = createJudge({ copy, baseline, read, testsOf, mostMs });
      for (const site of queue) {
        const begun = performance.now();
        if (begun - began > limitMs) break;
        const fate = await judge(site);
        verdicts.push({ site, fate });
        show(site, fate, (performance.now() - begun) / 1000);
      }
    }),
  );
  return verdicts;
};

const report = (area: string, own: readonly Verdict[]): void => {
  const byHow = (how: How): number => own.filter(({ fate }) => fate.kind === "killed" && fate.how === how).length;
  const [byTest, byHang] = [byHow("test"), byHow("hang")];
  const killed = byTest + byHang;
  const unfinished = own.filter(({ fate }) => fate.kind === "survived" && fate.left > 0).length;
  const percent = own.length === 0 ? null : Math.floor((100 * killed) / own.length);
  if (values.json)
    return console.log(JSON.stringify({ area, seed, killed, of: own.length, percent, byTest, byHang, unfinished }));
  console.log(
    `${area}, seed ${seed}: ${killed} of ${own.length} killed${percent === null ? "" : ` (${percent} %)`}: ${
      byTest
    } by tests, ${byHang} by hanging tests; ${own.length - killed} survived, ${
      unfinished
    } of them with tests left at the time limit`,
  );
};

const baseline = createBaseline();
try {
  const chosen = (await choose()).slice(numberOf("skip"));
  if (values.list) for (const site of chosen) console.log(values.json ? JSON.stringify(site) : describe(site));
  else {
    const verdicts = await judgeAll(chosen);
    for (const area of areas)
      report(
        area,
        verdicts.filter(({ site }) => areaOf(site.path) === area),
      );
    const left = chosen.length - verdicts.length;
    if (left > 0 && !values.json) console.log(`${left} mutants were not run before the time limit`);
    const failing = baseline.failing();
    if (failing.length > 0) console.error(`Tests that fail without a mutant were not used: ${failing.join(" ")}`);
  }
} finally {
  close();
}
