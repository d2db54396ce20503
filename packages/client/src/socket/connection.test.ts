/** The exact timing of a connection: when it is given up, and what it accepts afterwards. */
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
    onLost: (code) => void told.push(`gone ${code}`),
  });
  if (events === undefined) throw new Error("the line did not connect");
  return { world, line, told, sent, wire: events };
};

test("a connection that does not open is given up after ten seconds, and not before", async () => {
  const { world, told } = setUp();
  await world.advance(OPEN_WITHIN_MS - 1);
  expect(told).toEqual([]);
  await world.advance(1);
  expect(told).toEqual(["closed", "gone undefined"]);
});

test("a connection that opens in the last moment is kept, and is probed every twenty seconds", async () => {
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

test("any data in the last moment keeps a connection", async () => {
  const { world, told, wire } = setUp();
  wire.open();
  await world.advance(PULSE_MS + PULSE_WITHIN_MS - 1);
  wire.message(ENDED);
  await world.advance(1);
  expect(told).toEqual(["open", "ended"]);
});

test("an unanswered probe ends the connection at its own deadline", async () => {
  const { world, line, told, sent, wire } = setUp();
  wire.open();
  line.probe(500);
  expect(sent).toEqual(["ping"]);
  await world.advance(499);
  expect(told).toEqual(["open"]);
  await world.advance(1);
  expect(told).toEqual(["open", "closed", "gone undefined"]);
});

test("a lost connection accepts and sends nothing more, and is reported once", async () => {
  const { world, line, told, sent, wire } = setUp();
  wire.open();
  wire.closed(1001, "");
  wire.message(ENDED);
  wire.open();
  wire.closed(1001, "");
  line.sendRequest({ op: "ping" });
  line.close();
  await world.advance(10 * PULSE_MS);
  expect(told).toEqual(["open", "gone 1001"]);
  expect(sent).toEqual([]);
});

test("a connection that is cut is not reported as gone", () => {
  const { line, told, wire } = setUp();
  wire.open();
  line.close();
  wire.message(ENDED);
  wire.closed(1000, "");
  expect(told).toEqual(["open", "closed"]);
});
