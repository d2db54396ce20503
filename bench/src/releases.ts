/** Measures the files of a release: their size, and the time to `ready` as a ratio to the checkout's. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Figure } from "./bench.ts";
import { startChild } from "./child.ts";
import { sharedNow } from "./clock.ts";
import { startHouse } from "./house.ts";
import type { Site } from "./site.ts";
import { median } from "./statistics.ts";

const MIB = 1024 * 1024;
const RUNS = 5;

/** Builds a release for this machine into `folder`, and starts its executable and the checkout in turns. */
export const measureRelease = async (site: Site, folder: string): Promise<readonly Figure[]> => {
  const to = join(folder, "release");
  const here = `${process.platform}-${process.arch}`;
  site.say(`install: a release for ${here}`);
  await using build = startChild(site, {
    command: ["sh", "-c", 'sh scripts/release.sh --to "$0" --platform "$1" && echo released', to, here],
    cwd: site.root,
  });
  await build.line("released");
  const names = await readdir(to);
  const sizes: Figure[] = [];
  for (const [ending, what] of [
    [here, "executable"],
    [".tgz", "npm package, without its dependencies"],
  ] as const) {
    const name = names.find((each) => each.endsWith(ending)) ?? "";
    const { size } = await stat(join(to, name));
    sizes.push({ what: `${what}: size`, value: size / MIB, unit: "MiB", samples: 1, note: "one file" });
  }
  const executable = join(to, names.find((each) => each.endsWith(here)) ?? "");
  return [...sizes, ...(await measureStarts(site, folder, executable))];
};

const measureStarts = async (site: Site, folder: string, executable: string): Promise<readonly Figure[]> => {
  const cache = join(folder, "cache");
  await mkdir(cache);
  const start = async (home: string): Promise<number> => {
    const beganMs = sharedNow();
    await using child = startChild(site, {
      command: [executable, "up", "--home", home, "--port", "0"],
      cwd: folder,
      env: { XDG_CACHE_HOME: cache },
    });
    const { atMs } = await child.line("ready ");
    return atMs - beganMs;
  };
  const first = await start(join(folder, "home"));
  const [own, released]: [number[], number[]] = [[], []];
  for (let run = 1; run <= RUNS; run += 1) {
    site.say(`install: start ${run} of ${RUNS}`);
    released.push(await start(join(folder, "home")));
    await using house = await startHouse(site, join(folder, "home"));
    own.push(house.readyMs);
  }
  const note = "time to ready, median, relative to the checkout on the same home";
  return [
    { what: "executable: start", value: median(released) / median(own), unit: "×", samples: RUNS, note },
    {
      what: "executable: first start",
      value: first / median(own),
      unit: "×",
      samples: 1,
      note: "unpacks the programs",
    },
  ];
};
