/**
 * Makes random mutants of the production code and reports the survivors: npm run mutants:random --
 * --help
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { root } from "../house/source.ts";
import { ALL_AREAS, type Area, areaOf, chooseSites, DEFAULT_AREAS } from "./choice.ts";
import { makeCopy } from "./copy.ts";
import { createJudge, type Fate, type How } from "./judge.ts";
import { readImporters, testsNear } from "./near.ts";
import { findSites, isFit, type Site } from "./sites.ts";

const USAGE = `npm run mutants:random -- [options]

Changes one place of the production code at a time, in a copy, and runs the nearest tests.
A mutant with which all tests pass is a survivor: write a test that fails on it, or show that no behaviour depends on it.

  --seed N       selects the mutants (default 1; equal seeds select equal mutants)
  --count N      number of mutants, in equal shares per area (default 60)
  --minutes N    start no further mutant after this time (default 30)
  --each N       seconds for the tests of one mutant (default 60)
  --workers N    test files in parallel (default 1)
  --only AREA    ${ALL_AREAS.join(", ")}; may be repeated (default: all but ui)
  --at TEXT      only files whose path contains TEXT
  --list         list the mutants without running tests
  --json         one JSON object per line`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    minutes: { type: "string", default: "30" },
    each: { type: "string", default: "60" },
    workers: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [...DEFAULT_AREAS] },
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
const numberOf = (name: "seed" | "count" | "minutes" | "each" | "workers"): number => {
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
const chosen = chooseSites({
  sites,
  seed,
  areas,
  count: numberOf("count"),
  isFit: (site) => isFit(site.path, texts.get(site.path) ?? "", site),
});

const oneLine = (text: string): string => {
  const short = text.replaceAll(/\s+/g, " ");
  return short.length > 90 ? `${short.slice(0, 87)}...` : short;
};
const describe = ({ path, line, operator, from, to }: Site): string =>
  `${path}:${line}  ${operator}: ${oneLine(from)}  =>  ${to === "" ? "nothing" : oneLine(to)}`;

if (values.list) {
  for (const site of chosen) console.log(values.json ? JSON.stringify(site) : describe(site));
  process.exit(0);
}

const importers = await readImporters(root);
const copy = makeCopy(root, numberOf("workers"));
const end = (signal: NodeJS.Signals): void => {
  copy.close();
  process.exit(signal === "SIGINT" ? 130 : 143);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);

const judge = createJudge({
  copy,
  read: async (path) => texts.get(path) ?? "",
  testsOf: (path) => testsNear(importers, path),
  limitMs: numberOf("each") * 1000,
  now: () => performance.now(),
});

const show = (site: Site, fate: Fate, seconds: number): void => {
  if (values.json) return console.log(JSON.stringify({ area: areaOf(site.path), ...site, ...fate, seconds }));
  const what =
    fate.kind === "killed"
      ? `killed by ${fate.by}: ${fate.title}`
      : `SURVIVED ${fate.ran.length} test files${fate.isWhole ? ", all that import it" : " until the time was over"}: ${
          fate.ran.slice(0, 5).join(" ") || "none"
        }`;
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${describe(site)}\n         ${what}`);
};

const fates: { readonly site: Site; readonly fate: Fate }[] = [];
try {
  const began = performance.now();
  for (const site of chosen) {
    if (performance.now() - began > limitMs) break;
    const begun = performance.now();
    const fate = await judge(site);
    fates.push({ site, fate });
    show(site, fate, (performance.now() - begun) / 1000);
  }
} finally {
  copy.close();
}

for (const area of areas) {
  const own = fates.filter(({ site }) => areaOf(site.path) === area).map(({ fate }) => fate);
  const byHow = (how: How): number => own.filter((fate) => fate.kind === "killed" && fate.how === how).length;
  const [byTest, byCheck, byHang] = [byHow("test"), byHow("check"), byHow("hang")];
  const killed = byTest + byCheck + byHang;
  const unfinished = own.filter((fate) => fate.kind === "survived" && !fate.isWhole).length;
  const percent = own.length === 0 ? null : Math.round((100 * killed) / own.length);
  if (values.json)
    console.log(JSON.stringify({ area, seed, killed, of: own.length, percent, byTest, byCheck, byHang, unfinished }));
  else
    console.log(
      `${area}: ${killed} of ${own.length} killed${percent === null ? "" : ` (${percent} %)`}: ${byTest} by tests, ${
        byCheck
      } by types or lint, ${byHang} by hanging tests; ${own.length - killed} survived, ${
        unfinished
      } of them with tests left at the time limit`,
    );
}
const left = chosen.length - fates.length;
if (left > 0 && !values.json) console.log(`${left} mutants were not run before the time limit`);
