/** Twenty conversations at once, each taking its next turn when the last reply is there, for a while. */
import { pause, sharedNow } from "./clock.ts";
import { type House, startHouse, writeConfig } from "./house.ts";
import { cpuOf, hasProc, treeOf } from "./machine.ts";
import { type Model, startModel } from "./model/model.ts";
import { makeRooms, type Shape } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { openTalk } from "./talk.ts";

/** CPU milliseconds of everyone who shares the machine's cores, over the measured stretch. */
export interface CpuTimes {
  readonly daemon: number;
  readonly cells: number;
  readonly model: number;
  readonly load: number;
}

export interface Load {
  /** Whole turns whose replies were seen in the stretch, as their times from message to reply. */
  readonly turnTimes: readonly number[];
  readonly durationMs: number;
  /** Linux only. */
  readonly cpu?: CpuTimes;
}

const WARM_UP_MS = 2000;
const STRETCH_MS = 6000;

/** `beside` runs at the same time as the stretch that is measured. */
export const runLoad = async <Beside>(
  site: Site,
  shape: Shape,
  beside: (house: House, stretchMs: number) => Promise<Beside>,
): Promise<{ readonly load: Load; readonly beside: Beside }> => {
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai" });
  await using house = await startHouse(site, folder.path);
  const rooms = await makeRooms(house, shape);
  await using talk = await openTalk(site, house, rooms);
  // The first turns open the cells, one after another: opening twenty at once is not what is measured.
  for (const room of rooms) await talk.turn(room);

  const turns: { readonly sentMs: number; readonly seenMs: number }[] = [];
  let over = false;
  const working = Promise.all(
    rooms.map(async (room) => {
      while (!over) turns.push(await talk.turn(room));
    }),
  );
  const measure = async (): Promise<{ readonly load: Load; readonly beside: Beside }> => {
    await pause(WARM_UP_MS);
    const before = await cpuTimes(house, model);
    const beganMs = sharedNow();
    const [result] = await Promise.all([beside(house, STRETCH_MS), pause(STRETCH_MS)]);
    const endedMs = sharedNow();
    const after = await cpuTimes(house, model);
    const inside = turns.filter(({ seenMs }) => seenMs >= beganMs && seenMs < endedMs);
    const load = { turnTimes: inside.map(({ sentMs, seenMs }) => seenMs - sentMs), durationMs: endedMs - beganMs };
    return {
      load: before === undefined || after === undefined ? load : { ...load, cpu: minus(after, before) },
      beside: result,
    };
  };
  const measuring = measure().finally(() => {
    over = true;
  });
  const [measured] = await Promise.all([measuring, working]);
  return measured;
};

const cpuTimes = async (house: House, model: Model): Promise<CpuTimes | undefined> => {
  if (!hasProc) return undefined;
  const [, ...cells] = await treeOf(house.pid);
  return {
    daemon: await cpuOf([house.pid]),
    cells: await cpuOf(cells),
    model: await cpuOf([model.pid]),
    load: await cpuOf([process.pid]),
  };
};

const minus = (a: CpuTimes, b: CpuTimes): CpuTimes => ({
  daemon: a.daemon - b.daemon,
  cells: a.cells - b.cells,
  model: a.model - b.model,
  load: a.load - b.load,
});
