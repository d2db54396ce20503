/**
 * Measures a turn's overhead: from the message to the model's request, and from the model's
 * response to the reader.
 */
import type { Bench, Figure } from "./bench.ts";
import { measureFloor, timesFloor } from "./floor.ts";
import { startHouse, writeConfig } from "./house.ts";
import { startModel } from "./model/model.ts";
import { type Wire, wires } from "./model/wires.ts";
import { describeShape, makeRooms, type Shape, shapes } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";
import { openTurnClient, type Turn } from "./talk.ts";

/** Warm-up turns per room, which open cells and heat up code. */
const WARM_UP_TURNS = 10;
/** Measured turns per room. */
const TURNS = 20;
const TARGET_MS = 5;

export const turn: Bench = {
  name: "turn",
  about: "overhead of a turn with an instant model, one turn at a time, on each wire",
  async run(site) {
    const figures: Figure[] = [];
    for (const wire of wires) {
      for (const shape of shapes) figures.push(...(await measure(site, wire, shape)));
    }
    return figures;
  },
};

const measure = async (site: Site, wire: Wire, shape: Shape): Promise<readonly Figure[]> => {
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire });
  await using house = await startHouse(site, folder.path);
  const rooms = await makeRooms(house, shape);
  await using turnClient = await openTurnClient(site, house, rooms);

  site.say(`turn: ${wire}, ${describeShape(shape)}: warming up`);
  for (let round = 0; round < WARM_UP_TURNS; round += 1) for (const room of rooms) await turnClient.turn(room);
  await model.takeStamps();
  const turns: Turn[] = [];
  for (let round = 0; round < TURNS; round += 1) for (const room of rooms) turns.push(await turnClient.turn(room));
  const stamps = await model.takeStamps();
  const floor = await measureFloor(site, model);

  const parts = turns.map(({ mark, sentMs, seenMs }) => {
    const stamp = stamps[mark];
    if (stamp === undefined) throw new Error(`No request with ${mark} reached the model.`);
    const [arrivedMs, answeredMs] = stamp;
    return { before: arrivedMs - sentMs, after: seenMs - answeredMs };
  });
  const where = `${wire}, ${describeShape(shape)}`;
  const both = toFigure(
    `${where}: both`,
    parts.map(({ before, after }) => before + after),
  );
  const figures = [
    toFigure(
      `${where}: message -> model`,
      parts.map(({ before }) => before),
    ),
    toFigure(
      `${where}: model -> reader`,
      parts.map(({ after }) => after),
    ),
    { ...both, note: `${both.note}; ${timesFloor(both.value, floor.p50Ms)}`, target: { atMost: TARGET_MS } },
  ];
  site.say(`turn: ${where}: ${show(figures.at(-1)?.value ?? 0)} ms`);
  return figures;
};

const toFigure = (what: string, times: readonly number[]): Figure & { readonly note: string } => ({
  what,
  value: percentile(times, 50),
  unit: "ms",
  samples: times.length,
  note: `p50; p99 ${show(percentile(times, 99))}`,
});
