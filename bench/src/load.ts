/**
 * Runs twenty conversations at the same time for some seconds. Each starts its next turn when the
 * last reply has arrived.
 */
import { pause, sharedNow } from "./clock.ts";
import { type House, startHouse, writeConfig } from "./house.ts";
import { cpuOf, hasProc, treeOf } from "./machine.ts";
import { type Model, startModel } from "./model/model.ts";
import { makeRooms, type Shape } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { openTurnClient } from "./talk.ts";

/** CPU milliseconds of all processes involved, during the measured period. */
export interface CpuTimes {
  readonly daemon: number;
  readonly cells: number;
  readonly model: number;
  readonly load: number;
}

export interface Load {
  /** Durations from message to reply, for replies that arrived in the period. */
  readonly turnTimes: readonly number[];
  readonly durationMs: number;
  /** Linux only. */
  readonly cpu?: CpuTimes;
}

const WARM_UP_MS = 2000;
const PERIOD_MS = 6000;

/** Runs the load; `beside` runs during the measured period. `env` is for the daemon. */
export const runLoad = async <Beside>(
  site: Site,
  shape: Shape,
  beside: (house: House, periodMs: number) => Promise<Beside>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly load: Load; readonly beside: Beside }> => {
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai" });
  await using house = await startHouse(site, folder.path, env);
  const rooms = await makeRooms(house, shape);
  await using turnClient = await openTurnClient(site, house, rooms);
  // The first turns open the cells one by one, because this bench does not measure opening twenty at once.
  for (const room of rooms) await turnClient.turn(room);

  const turns: { readonly sentMs: number; readonly seenMs: number }[] = [];
  let done = false;
  const working = Promise.all(
    rooms.map(async (room) => {
      while (!done) turns.push(await turnClient.turn(room));
    }),
  );
  const measure = async (): Promise<{ readonly load: Load; readonly beside: Beside }> => {
    await pause(WARM_UP_MS);
    const before = await cpuTimes(house, model);
    const beganMs = sharedNow();
    const [result] = await Promise.all([beside(house, PERIOD_MS), pause(PERIOD_MS)]);
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
    done = true;
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
