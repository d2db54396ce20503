import { expect, test } from "bun:test";
import { ReadQuery } from "../house/streams.ts";
import { isScheduled, Trigger } from "./event.ts";
import { StoredEvent, StoredRoomEvent } from "./stored.ts";

const ID = "0".repeat(26);
const stored = { id: `evt_${ID}`, offset: 1, room: `room_${ID}`, at: 1 };
const body = { format: "markdown", text: "hi" };
const message = { type: "message", ...stored, author: `agent_${ID}`, body, mentions: [], causes: [] };
const about = { ...stored, by: `agent_${ID}`, message: `evt_${ID}` };
const edit = { type: "message-edited", ...about, body };
const reaction = { type: "message-reacted", ...about, emoji: "👍", isOn: true };
const deletion = { type: "message-deleted", ...about };

test.each([
  ["a message", message],
  ["a message of an activation", { ...message, key: "k", activation: `act_${ID}`, toolCalls: 2 }],
  ["an edit", edit],
  ["a deletion", deletion],
  ["a reaction", reaction],
  ["a forgotten reaction", { ...reaction, emoji: "", isOn: false }],
])("%s is a valid room event and stream event, and keeps all its fields", (_what, event) => {
  expect(StoredRoomEvent.parse(event)).toEqual(event as never);
  expect(StoredEvent.parse(event)).toEqual(event as never);
});

test.each([
  ["an edit without a text", { ...edit, body: undefined }],
  ["a reaction with a word", { ...reaction, emoji: "yes" }],
  ["a deletion of nothing", { ...deletion, message: undefined }],
  ["an edit whose target is not a message", { ...edit, message: `room_${ID}` }],
  ["a message with zero tool calls", { ...message, toolCalls: 0 }],
  ["an event of a house's log", { type: "key-revoked", ...about, key: `key_${ID}` }],
])("%s is not a valid room event", (_what, event) => {
  expect(StoredRoomEvent.safeParse(event).success).toBe(false);
});

test("`hold-changed` is an event of the house's log, with the house or one agent as its scope", () => {
  const change = { type: "hold-changed", id: `evt_${ID}`, offset: 1, at: 1, by: `agent_${ID}`, isHeld: true };
  for (const scope of ["house", `agent_${ID}`])
    expect(StoredEvent.parse({ ...change, scope })).toMatchObject({ scope });
  expect(StoredEvent.safeParse({ ...change, scope: "room" }).success).toBe(false);
});

test("`before` takes `end` or a positive offset, and nothing else", () => {
  expect(ReadQuery.parse({ before: "end" }).before).toBe("end");
  expect(ReadQuery.parse({ before: "12" }).before).toBe(12);
  expect(ReadQuery.parse({}).before).toBeUndefined();
  for (const before of ["", "0", "-1", "1.5", "End", "1e999", "null"])
    expect([before, ReadQuery.safeParse({ before }).success]).toEqual([before, false]);
});

test("the schedule starts jobs and heartbeats; messages and agents start all other activations", () => {
  expect(Trigger.options.filter((trigger) => isScheduled({ trigger }))).toEqual(["job", "heartbeat"]);
});
