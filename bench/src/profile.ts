/** Profiles the daemon under the load of `rate`, and writes a flame graph of each shape. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { sharedNow } from "./clock.ts";
import { type CpuProfile, hottest, toTree } from "./cpu-profile.ts";
import { toFlameGraph } from "./flame-graph.ts";
import { runLoad } from "./load.ts";
import { describeShape, type Shape, shapes } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";

const INTERVAL_MICROS = 200;
const HOTTEST = 25;

export const profile: Bench = {
  name: "profile",
  about: "where the daemon's CPU time goes, as flame graphs (hearth-profile-*.svg in the current folder)",
  isLong: true,
  async run(site, { data = process.env["HEARTH_CWD"] ?? "." }) {
    const figures: Figure[] = [];
    for (const shape of shapes) figures.push(...(await measure(site, shape, data)));
    return figures;
  },
};

const measure = async (site: Site, shape: Shape, folder: string): Promise<readonly Figure[]> => {
  site.say(`profile: ${describeShape(shape)}`);
  await using output = await temporaryFolder(site);
  const BUN_OPTIONS = `--cpu-prof --cpu-prof-interval=${INTERVAL_MICROS} --cpu-prof-dir=${output.path}`;
  const { load, beside } = await runLoad(
    site,
    shape,
    async (house, periodMs) => ({ from: (sharedNow() - house.spawnedAtMs) * 1000, micros: periodMs * 1000 }),
    { BUN_OPTIONS },
  );
  const [name] = (await readdir(output.path)).filter((file) => file.endsWith(".cpuprofile"));
  if (name === undefined) throw new Error("The daemon wrote no profile.");
  const recorded: CpuProfile = JSON.parse(await readFile(join(output.path, name), "utf8"));
  const tree = toTree(recorded, { from: beside.from, until: beside.from + beside.micros }, site.root);
  const path = join(folder, `hearth-profile-${shape}.svg`);
  await writeFile(path, toFlameGraph(tree, `Hearth, ${describeShape(shape)}: CPU of the daemon`));
  site.say(`profile: wrote ${path}`);
  const turns = load.turnTimes.length;
  return hottest(tree, HOTTEST).map(({ name: what, place, ownMicros }) => ({
    what: `${shape}: ${what} ${place}`.trimEnd(),
    value: ownMicros / turns,
    unit: "µs",
    samples: turns,
    note: "own time per turn",
  }));
};
