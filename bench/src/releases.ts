/** Measures the files of a release: their size, and the time to `ready` as a ratio to the checkout's. */
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Figure, Finding } from "./bench.ts";
import { startChild } from "./child.ts";
import { sharedNow } from "./clock.ts";
import { startHouse } from "./house.ts";
import type { Site } from "./site.ts";
import { sizeOf } from "./sizes.ts";
import { median } from "./statistics.ts";

const MIB = 1024 * 1024;
const RUNS = 5;
const NOTE = "time to ready, median, relative to the checkout";

/** Starts an installation in turns with the others. Resolves with the time to `ready`. */
interface Installation {
  readonly what: string;
  readonly start: (home: string) => Promise<number>;
}

/** Builds a release into `folder`, and starts its executable, npm package and the checkout in turns. */
export const measureRelease = async (site: Site, folder: string): Promise<readonly Finding[]> => {
  const to = join(folder, "release");
  const here = `${process.platform}-${process.arch}`;
  site.say(`install: a release for ${here}`);
  await runIn(site, site.root, ["sh", "scripts/release.sh", "--to", to, "--platform", here]);
  const names = await readdir(to);
  const fileWith = (ending: string): string => join(to, names.find((each) => each.endsWith(ending)) ?? "");
  const findings: Finding[] = [];
  for (const [ending, what] of [
    [here, "executable"],
    [".tgz", "npm package, without its dependencies"],
    [".oci.tar", "container image"],
  ] as const) {
    const { size } = await stat(fileWith(ending));
    findings.push({ what: `${what}: size`, value: size / MIB, unit: "MiB", samples: 1, note: "one file" });
  }
  const executable = await prepareExecutable(site, folder, fileWith(here));
  const npm = await prepareNpm(site, folder, fileWith(".tgz"));
  findings.push(executable.unpacked, npm.installed);
  const all = [executable, npm];
  return [...findings, ...(await measureStarts(site, folder, all, executable.firstMs))];
};

/** Runs a command to its end. Throws if it fails. */
const runIn = async (site: Site, cwd: string, command: readonly string[]): Promise<void> => {
  await using child = startChild(site, { command: ["sh", "-c", '"$@" >&2 && echo done', "sh", ...command], cwd });
  await child.line("done");
};

const timeToReady = async (
  site: Site,
  options: { readonly command: readonly string[]; readonly cwd: string; readonly env?: Record<string, string> },
): Promise<number> => {
  const beganMs = sharedNow();
  await using child = startChild(site, options);
  const { atMs } = await child.line("ready ");
  return atMs - beganMs;
};

const prepareExecutable = async (site: Site, folder: string, path: string) => {
  const cache = join(folder, "cache");
  await mkdir(cache);
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "", XDG_CACHE_HOME: cache };
  const start = (home: string): Promise<number> =>
    timeToReady(site, { command: [path, "up", "--home", home, "--port", "0"], cwd: folder, env });
  const firstMs = await start(join(folder, "first-home"));
  const value = await sizeOf(cache);
  const unpacked: Figure = { what: "executable: unpacked", value, unit: "MiB", samples: 1, note: "du of its cache" };
  return { what: "executable", start, firstMs, unpacked };
};

const prepareNpm = async (site: Site, folder: string, tarball: string) => {
  const place = join(folder, "npm");
  await mkdir(place);
  await writeFile(join(place, "package.json"), "{}");
  site.say("install: the npm package");
  await runIn(site, place, [
    "npm",
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    tarball,
  ]);
  const start = (home: string): Promise<number> =>
    timeToReady(site, { command: ["node_modules/.bin/hearth", "up", "--home", home, "--port", "0"], cwd: place });
  const value = await sizeOf(join(place, "node_modules"));
  const installed: Figure = {
    what: "npm package: installed",
    value,
    unit: "MiB",
    samples: 1,
    note: "du of node_modules",
  };
  return { what: "npm package", start, installed };
};

const measureStarts = async (
  site: Site,
  folder: string,
  all: readonly Installation[],
  firstMs: number,
): Promise<readonly Figure[]> => {
  const home = join(folder, "home");
  const own: number[] = [];
  const times = new Map(all.map(({ what }) => [what, [] as number[]]));
  for (let run = 0; run <= RUNS; run += 1) {
    site.say(`install: start ${run} of ${RUNS}`);
    await using house = await startHouse(site, home);
    const ownMs = house.readyMs;
    await house[Symbol.asyncDispose]();
    // The first start creates the home, so it does not count.
    if (run > 0) own.push(ownMs);
    for (const { what, start } of all) {
      const ms = await start(home);
      if (run > 0) times.get(what)?.push(ms);
    }
  }
  const toRatio = (what: string, ms: number, samples: number, note: string): Figure => ({
    ...{ what, value: ms / median(own), samples, note },
    unit: "×",
  });
  return [
    { what: "checkout: start", value: median(own), unit: "ms", samples: RUNS, note: "time to ready, median" },
    ...[...times].map(([what, ms]) => toRatio(`${what}: start`, median(ms), RUNS, NOTE)),
    toRatio("executable: first start", firstMs, 1, "unpacks the programs and makes the home"),
  ];
};
