import { expect, test } from "bun:test";
import type { AgentId, EventId, MessageEvent, RoomId, Stored } from "@hearth/protocol";
import { historyStart, toHistory } from "./history.ts";

const ana = "agent_ana" as AgentId;
const bot = "agent_bot" as AgentId;

const message = (offset: number, author: AgentId, text: string, causes: number[] = []): Stored<MessageEvent> => ({
  type: "message",
  id: `evt_${offset}` as EventId,
  offset,
  room: "room_1" as RoomId,
  author,
  at: offset,
  body: { format: "markdown", text },
  mentions: [],
  causes: causes.map((cause) => `evt_${cause}` as EventId),
});
const read = (events: readonly Stored[], causeOffset: number): string[] =>
  toHistory({ events, causeOffset, agent: bot, nameOf: () => "Ana", when: String }).map(
    (entry) => `${entry.role}: ${entry.text}`,
  );

test("a reply stands right after what it answered, also when others spoke in between", () => {
  const events = [message(1, ana, "one"), message(2, ana, "two"), message(3, bot, "re one", [1])];
  expect(read(events, 2)).toEqual(["user: one", "assistant: re one", "user: two"]);
});

test("what was said after the message to be answered is not seen", () => {
  const events = [message(1, ana, "one"), message(2, ana, "two")];
  expect(read(events, 1)).toEqual(["user: one"]);
});

test("two replies to one message keep their order", () => {
  const events = [message(1, ana, "one"), message(2, bot, "a", [1]), message(3, bot, "b", [1]), message(4, ana, "two")];
  expect(read(events, 4)).toEqual(["user: one", "assistant: a", "assistant: b", "user: two"]);
});

test("a reply whose question is out of sight is left out, so the first entry is someone else's", () => {
  expect(read([message(8, bot, "re seven", [7]), message(9, ana, "nine")], 9)).toEqual(["user: nine"]);
});

test("who wrote and when stands in the note, not in the text", () => {
  expect(
    toHistory({ events: [message(1, ana, "x")], causeOffset: 1, agent: bot, nameOf: () => "Ana", when: () => "noon" }),
  ).toEqual([{ role: "user", text: "x", note: "Ana, noon" }]);
});

test("the window starts at the same message for 25 messages on end", () => {
  expect(historyStart(10)).toBe(0);
  expect(new Set(Array.from({ length: 25 }, (_, index) => historyStart(100 + index)))).toEqual(new Set([50]));
  expect(historyStart(125)).toBe(75);
});
