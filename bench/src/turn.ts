/**
 * Measures a turn's overhead: from the message to the model's request, and from the model's
 * response to the reader.
 */
import type { RoomId } from "@hearth/protocol";
import type { Bench, Figure } from "./bench.ts";
import { measureFloor, timesFloor } from "./floor.ts";
import { startHouse, writeConfig } from "./house.ts";
import { startModel } from "./model/model.ts";
import { orderOf } from "./model/orders.ts";
import { type Wire, wires } from "./model/wires.ts";
import { describeShape, makeRooms, type Shape, shapes } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";
import { openTurnClient, type Turn, type TurnClient } from "./talk.ts";

/** Warm-up turns per room, which open cells and heat up code. */
const WARM_UP_TURNS = 10;
/** Measured turns per room. */
const TURNS = 20;
/** Measured turns per room with a tool call. */
const CALL_TURNS = 5;
const TARGET_MS = 5;
const TARGET_P99 = 3;
const TARGET_CALL = 0.6;

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
  const figure = (what: string, times: readonly number[]): Figure => toFigure(`${where}: ${what}`, times, floor.p50Ms);
  const both = parts.map(({ before, after }) => before + after);
  const figures = [
    figure(
      "message -> model",
      parts.map(({ before }) => before),
    ),
    figure(
      "model -> reader",
      parts.map(({ after }) => after),
    ),
    { ...figure("both", both), target: { atMost: TARGET_MS } },
    {
      what: `${where}: p99 of both`,
      value: percentile(both, 99) / percentile(both, 50),
      unit: "×",
      samples: both.length,
      target: { atMost: TARGET_P99 },
      note: "of p50",
    } as const,
    ...(wire === "openai" ? [await measureCalls(turnClient, rooms, where)] : []),
  ];
  site.say(`turn: ${where}: ${show(percentile(both, 50))} ms`);
  return figures;
};

/** Measures how much a tool call adds to a turn, from message to reply, in alternation with turns without one. */
const measureCalls = async (turnClient: TurnClient, rooms: readonly RoomId[], where: string): Promise<Figure> => {
  const plain: number[] = [];
  const calling: number[] = [];
  const time = async (room: RoomId, more?: string): Promise<number> => {
    const { sentMs, seenMs } = await turnClient.turn(room, more);
    return seenMs - sentMs;
  };
  const order = orderOf("read", { path: "IDENTITY.md" });
  for (let round = 0; round < CALL_TURNS + 1; round += 1)
    for (const room of rooms) {
      const without = await time(room);
      const withCall = await time(room, order);
      // The first call of a room opens its cell.
      if (round === 0) continue;
      plain.push(without);
      calling.push(withCall);
    }
  const [p50, callMs] = [percentile(plain, 50), percentile(calling, 50)];
  return {
    what: `${where}: what a tool call adds`,
    value: (callMs - p50) / p50,
    unit: "×",
    samples: calling.length,
    target: { atMost: TARGET_CALL },
    note: `of a turn without one: ${show(callMs)} and ${show(p50)} ms, the model included`,
  };
};

const toFigure = (what: string, times: readonly number[], floorMs: number): Figure => {
  const value = percentile(times, 50);
  const note = `p50; p99 ${show(percentile(times, 99))}; ${timesFloor(value, floorMs)}`;
  return { what, value, unit: "ms", samples: times.length, note };
};
