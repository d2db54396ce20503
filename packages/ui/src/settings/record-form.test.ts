import { expect, test } from "bun:test";
import { createFakeAgent, fakeMain } from "../house/fake-ui.tsx";
import { findAgent } from "./agent-at.tsx";
import { newest } from "./newest.ts";
import { pathOfAgent, pathOfRoom, placeOf } from "./place.ts";
import { afterSave, changesOf, readTyped, valuesOf } from "./record-form.ts";

const saved = { name: "Main", prompt: "Be kind." };

test("untouched fields follow the record, touched ones stay", () => {
  expect(valuesOf(saved, { name: "Ember" })).toEqual({ name: "Ember", prompt: "Be kind." });
  expect(valuesOf({ name: "Renamed", prompt: "Elsewhere." }, { name: "Ember" })).toEqual({
    name: "Ember",
    prompt: "Elsewhere.",
  });
});

test("only what differs is sent, trimmed; an emptied field is taken away", () => {
  expect(changesOf(saved, {})).toEqual({});
  expect(changesOf(saved, { name: " Main ", prompt: "Be kind.\n" })).toEqual({});
  expect(changesOf(saved, { name: " Ember ", prompt: " " })).toEqual({ name: "Ember", prompt: null });
});

test("what is typed while it is being saved stays touched", () => {
  expect(afterSave({ name: "Ember", prompt: "x" }, { name: "Ember", prompt: "x" })).toEqual({});
  expect(afterSave<typeof saved>({ name: "Ember two", prompt: "x" }, { name: "Ember", prompt: "x" })).toEqual({
    name: "Ember two",
  });
  expect(afterSave<typeof saved>({ prompt: "x" }, {})).toEqual({ prompt: "x" });
});

test("text that was kept comes back, as far as it is of this form", () => {
  expect(readTyped(saved, '{"prompt":"half a sen","name":3,"else":"x"}')).toEqual({ prompt: "half a sen" });
  for (const text of [undefined, "", "null", "{"]) expect(readTyped(saved, text)).toEqual({});
});

test("of two versions of a record the newer one is shown, and never another record's", () => {
  const older = { id: "a", version: 1 };
  const newer = { id: "a", version: 2 };
  expect(newest(older, newer)).toBe(newer);
  expect(newest(newer, older)).toBe(newer);
  expect(newest(older, { id: "b", version: 9 })).toBe(older);
});

const agents = new Map([[fakeMain.id, fakeMain]]);
const renamed = { ...fakeMain, handle: "ember", version: 2 };

test("an agent keeps its page when it is renamed, whichever of answer and log comes first", () => {
  const shown = { at: "main", agent: fakeMain };
  expect(findAgent(agents, "main", undefined)).toBe(fakeMain);
  expect(findAgent(agents, "main", { at: "main", agent: renamed })).toBe(renamed);
  expect(findAgent(agents, "ember", { at: "main", agent: renamed })).toBe(renamed);
  expect(findAgent(new Map([[renamed.id, renamed]]), "main", shown)).toBe(renamed);
});

test("a path of nobody, or of somebody else, is not the agent that was shown before", () => {
  const other = createFakeAgent(7, "Scout");
  const both = new Map([...agents, [other.id, other]] as const);
  expect(findAgent(agents, "scout", undefined)).toBeUndefined();
  expect(findAgent(agents, "scout", { at: "main", agent: fakeMain })).toBeUndefined();
  expect(findAgent(both, "scout", { at: "main", agent: fakeMain })).toBe(other);
});

test("each path of the settings is one place", () => {
  const kinds = [
    "/settings",
    "/settings/",
    "/settings/account",
    "/settings/agents",
    "/settings/new-agent",
    "/settings/members",
    "/settings/rooms",
    "/settings/new-room",
    "/settings/models",
    "/settings/system",
  ];
  expect(kinds.map((path) => placeOf(path).kind)).toEqual([
    "general",
    "general",
    "account",
    "agents",
    "new-agent",
    "members",
    "rooms",
    "new-room",
    "models",
    "system",
  ]);
  expect(placeOf(pathOfAgent("jörg/ä"))).toEqual({ kind: "agent", handle: "jörg/ä" });
  expect(placeOf("/settings/agents/%")).toEqual({ kind: "agent", handle: "%" });
  expect((["activity", "inside"] as const).map((page) => placeOf(pathOfAgent("a/b", page)))).toEqual([
    { kind: "agent-activity", handle: "a/b" },
    { kind: "agent-inside", handle: "a/b" },
  ]);
  expect([placeOf(pathOfRoom("ä")), placeOf(pathOfRoom("ä", "activity"))]).toEqual([
    { kind: "room", handle: "ä" },
    { kind: "room-activity", handle: "ä" },
  ]);
  for (const path of ["else", "general", "models/x", "agents/a/b", "rooms/a/inside", "agents/a/activity/b"].map(
    (page) => `/settings/${page}`,
  ))
    expect(placeOf(path)).toEqual({ kind: "nowhere" });
});
