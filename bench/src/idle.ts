/** Measures the memory of an idle house: before the first activation, and with an idle cell. */
import type { Bench, Figure } from "./bench.ts";
import { pause } from "./clock.ts";
import { startHouse, writeConfig } from "./house.ts";
import { hasProc, NEEDS_PROC, pssAloneOf, pssOf, treeOf } from "./machine.ts";
import { startModel } from "./model/model.ts";
import { temporaryFolder } from "./site.ts";
import { openTurnClient } from "./talk.ts";

const REST_MS = 3000;
const TARGET_MIB = 55;
const ALONE = "idle, no other process with the runtime";
const TURNS = 20;
const WARM = "idle, one cell warm";

export const idle: Bench = {
  name: "idle",
  about: "memory of the daemon and all its processes at rest (PSS)",
  async run(site) {
    if (!hasProc) return ["idle", ALONE, WARM].map((what) => ({ what, skipped: NEEDS_PROC }));
    await using model = await startModel(site);
    await using folder = await temporaryFolder(site);
    await writeConfig(folder.path, { model, wire: "openai" });
    await using house = await startHouse(site, folder.path);

    site.say(`idle: resting ${REST_MS / 1000} s`);
    await pause(REST_MS);
    const still = await measureMemory("idle", house.pid, "before the first activation");
    const alone: Figure = {
      what: ALONE,
      value: await pssAloneOf(await treeOf(house.pid)),
      unit: "MiB",
      target: { atMost: TARGET_MIB },
      samples: 1,
      note: "PSS, with the runtime's pages in full",
    };

    const room = await house.client.agents.room("main");
    await using turnClient = await openTurnClient(site, house, [room.id]);
    for (let turn = 0; turn < TURNS; turn += 1) await turnClient.turn(room.id);
    site.say(`idle: resting ${REST_MS / 1000} s after ${TURNS} turns`);
    await pause(REST_MS);
    const warm = await measureMemory(WARM, house.pid, `after ${TURNS} turns`);
    return [still, alone, warm];
  },
};

const measureMemory = async (what: string, pid: number, when: string): Promise<Figure> => {
  const tree = await treeOf(pid);
  const count = tree.length === 1 ? "1 process" : `${tree.length} processes`;
  return {
    what,
    value: await pssOf(tree),
    unit: "MiB",
    samples: 1,
    note: `PSS of ${count}, ${REST_MS / 1000} s at rest, ${when}`,
  };
};
