/** The heartbeat form: fields of a record, errors, and the patch. */
import { expect, test } from "bun:test";
import { type AgentRecord, MICRO_DOLLARS } from "@hearth/protocol";
import { checkHeartbeat, fieldsOf, type HeartbeatFields, toHeartbeatPatch } from "./heartbeat-draft.ts";

const fields = (content: Partial<AgentRecord["content"]>): HeartbeatFields =>
  fieldsOf({ name: "Main", kind: "bot", ...content } as AgentRecord["content"]);
const on = fields({ heartbeat: { every: "1h" } });
const wrong = (changes: object): readonly string[] => Object.keys(checkHeartbeat({ ...on, ...changes }));

test("the fields of a heartbeat give the same heartbeat", () => {
  const heartbeat = {
    every: "1h",
    hours: { from: "08:00", to: "24:00" },
    budget: { money: 2.5 * MICRO_DOLLARS, tokens: 10 },
    room: "room_1",
    always: true,
  };
  const saved = fields({ heartbeat: heartbeat as never, timezone: "Europe/Berlin" });
  expect(saved).toMatchObject({ isOn: "yes", money: "2.5", tokens: "10", always: "yes", timezone: "Europe/Berlin" });
  expect(toHeartbeatPatch(saved, { every: "1h" })).toEqual({ heartbeat });
  expect(toHeartbeatPatch(on, { every: " 2h " })).toEqual({ heartbeat: { every: "2h" } });
});

test("without a heartbeat the form is off, and turning it off removes it", () => {
  const off = fields({});
  expect(off).toMatchObject({ isOn: "", every: "30m", always: "", room: "" });
  expect(checkHeartbeat({ ...off, every: "x" })).toEqual({});
  expect(toHeartbeatPatch(on, { isOn: null, timezone: "UTC" })).toEqual({ heartbeat: null });
});

test("a patch has only what changed", () => {
  expect(toHeartbeatPatch(on, {})).toEqual({});
  expect(toHeartbeatPatch(on, { timezone: "UTC" })).toEqual({ timezone: "UTC" });
  expect(toHeartbeatPatch(on, { timezone: null, always: "yes" })).toEqual({
    timezone: null,
    heartbeat: { every: "1h", always: true },
  });
  expect(toHeartbeatPatch(on, { from: "8", to: "18.30" })).toEqual({
    heartbeat: { every: "1h", hours: { from: "08:00", to: "18:30" } },
  });
  expect(toHeartbeatPatch(on, { from: "8" })).toEqual({ heartbeat: { every: "1h" } });
  expect(toHeartbeatPatch(on, { tokens: "5" })).toEqual({ heartbeat: { every: "1h", budget: { tokens: 5 } } });
});

test.each([
  ["nothing", {}, []],
  ["an unreadable interval", { every: "x" }, ["every"]],
  ["an interval that is too short", { every: "1s" }, ["every"]],
  ["no start", { to: "18:00" }, ["from"]],
  ["no end", { from: "8:00" }, ["to"]],
  ["unreadable hours", { from: "x", to: "25" }, ["from", "to"]],
  ["unreadable minutes", { from: "8:60", to: "9" }, ["from"]],
  ["the end of the day as its end", { from: "0", to: "24" }, []],
  ["a time after the end of the day", { from: "0", to: "24:01" }, ["to"]],
  ["the end of the day as its start", { from: "24", to: "9" }, ["from"]],
  ["an end that equals the start", { from: "8", to: "08:00" }, ["to"]],
  ["an unknown time zone", { timezone: "Mars" }, ["timezone"]],
  ["a known time zone", { timezone: " UTC " }, []],
  ["an unreadable amount", { money: "x" }, ["money"]],
  ["a fraction of tokens", { tokens: "1.5" }, ["tokens"]],
  ["spaces", { money: " ", tokens: " ", timezone: " ", from: " ", to: " " }, []],
] as const)("a form with %s", (_what, changes, names) => {
  expect(wrong(changes)).toEqual([...names]);
});
