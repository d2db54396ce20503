/** Measures the time from `./hearth up` to its `ready` line, on an existing and on a new home. */
import { join } from "node:path";
import type { Bench, Finding } from "./bench.ts";
import { measureFloor, timesFloor } from "./floor.ts";
import { startHouse } from "./house.ts";
import { startModel } from "./model/model.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { median, range } from "./statistics.ts";
import { show } from "./table.ts";

const EXISTING_RUNS = 9;
const NEW_RUNS = 3;
const TARGET_MS = 150;

export const ready: Bench = {
  name: "ready",
  about: "from starting the launcher to its `ready` line",
  async run(site) {
    await using folder = await temporaryFolder(site);
    const home = join(folder.path, "home");
    // Precompiles the command, as an install does.
    const built = Bun.spawn([process.execPath, "--no-install", "--no-env-file", "packages/cli/src/compiled/build.ts"], {
      cwd: site.root,
    });
    if ((await built.exited) !== 0) site.say("ready: compiling failed, so the sources run");
    // The first start creates the home and loads every file into the disk cache.
    await startAndEnd(site, home);
    const existing: number[] = [];
    for (let run = 1; run <= EXISTING_RUNS; run += 1) {
      existing.push(await startAndEnd(site, home));
      site.say(`ready: existing home, ${run} of ${EXISTING_RUNS}: ${show(existing.at(-1) ?? 0)} ms`);
    }
    const fresh: number[] = [];
    for (let run = 1; run <= NEW_RUNS; run += 1) {
      fresh.push(await startAndEnd(site, join(folder.path, `new-${run}`)));
      site.say(`ready: new home, ${run} of ${NEW_RUNS}: ${show(fresh.at(-1) ?? 0)} ms`);
    }
    await using model = await startModel(site);
    const { p50Ms } = await measureFloor(site, model);
    return [
      { ...toFigure("existing home", existing, p50Ms), target: { atMost: TARGET_MS } },
      toFigure("first start, new home", fresh, p50Ms),
    ];
  },
};

const startAndEnd = async (site: Site, home: string): Promise<number> => {
  await using house = await startHouse(site, home);
  return house.readyMs;
};

const toFigure = (what: string, times: readonly number[], floorMs: number): Finding => {
  const [least, most] = range(times);
  const value = median(times);
  return {
    what,
    value,
    unit: "ms",
    samples: times.length,
    note: `median; ${show(least)} to ${show(most)}; files in the disk cache; ${timesFloor(value, floorMs)}`,
  };
};
