/** The exact times of a line: when it is given up, and what it still takes afterwards. */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { SocketEvents } from "../socket.ts";
import { createConnection } from "./connection.ts";

const OPEN_WITHIN_MS = 10_000;
const PULSE_MS = 20_000;
const PULSE_WITHIN_MS = 10_000;
const ENDED = JSON.stringify({ type: "ended", stream: `room:room_${"0".repeat(26)}` });

const setUp = () => {
  const world = createFakeWorld({ hash: () => "" });
  const told: string[] = [];
  const sent: string[] = [];
  let events: SocketEvents | undefined;
  const line = createConnection({
    connect: (given) => {
      events = given;
      return { send: (text) => sent.push(JSON.parse(text).op), close: () => void told.push("closed") };
    },
    clock: world.clock,
    onOpen: () => void told.push("open"),
    onFrame: ({ type }) => void told.push(type),
    onGone: (code) => void told.push(`gone ${code}`),
  });
  if (events === undefined) throw new Error("the line did not connect");
  return { world, line, told, sent, wire: events };
};

test("a line that does not open is given up after ten seconds, and not before", async () => {
  const { world, told } = setUp();
  await world.advance(OPEN_WITHIN_MS - 1);
  expect(told).toEqual([]);
  await world.advance(1);
  expect(told).toEqual(["closed", "gone undefined"]);
});

test("a line that opens in the last moment stays, and is asked for a sign of life every twenty seconds", async () => {
  const { world, told, sent, wire } = setUp();
  await world.advance(OPEN_WITHIN_MS - 1);
  wire.open();
  await world.advance(PULSE_MS - 1);
  expect(sent).toEqual([]);
  await world.advance(1);
  expect(sent).toEqual(["ping"]);
  await world.advance(PULSE_WITHIN_MS - 1);
  expect(told).toEqual(["open"]);
  await world.advance(1);
  expect(told).toEqual(["open", "closed", "gone undefined"]);
});

test("whatever is heard in the last moment keeps a line", async () => {
  const { world, told, wire } = setUp();
  wire.open();
  await world.advance(PULSE_MS + PULSE_WITHIN_MS - 1);
  wire.message(ENDED);
  await world.advance(1);
  expect(told).toEqual(["open", "ended"]);
});

test("a probe that nothing answers ends the line in its own time", async () => {
  const { world, line, told, sent, wire } = setUp();
  wire.open();
  line.probe(500);
  expect(sent).toEqual(["ping"]);
  await world.advance(499);
  expect(told).toEqual(["open"]);
  await world.advance(1);
  expect(told).toEqual(["open", "closed", "gone undefined"]);
});

test("a line that is gone takes nothing more, asks nothing more, and is gone once", async () => {
  const { world, line, told, sent, wire } = setUp();
  wire.open();
  wire.closed(1001, "");
  wire.message(ENDED);
  wire.open();
  wire.closed(1001, "");
  line.ask({ op: "ping" });
  line.cut();
  await world.advance(10 * PULSE_MS);
  expect(told).toEqual(["open", "gone 1001"]);
  expect(sent).toEqual([]);
});

test("a line that is cut is not told to be gone", () => {
  const { line, told, wire } = setUp();
  wire.open();
  line.cut();
  wire.message(ENDED);
  wire.closed(1000, "");
  expect(told).toEqual(["open", "closed"]);
});
