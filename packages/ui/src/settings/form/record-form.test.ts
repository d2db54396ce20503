import { expect, test } from "bun:test";
import { createFakeAgent, fakeMain } from "../../house/fake-ui.tsx";
import { findAgent } from "../agents/agent-at.tsx";
import { pickNewest } from "./newest.ts";
import { pathOfAgent, pathOfRoom, placeOf } from "../place.ts";
import { findUnsavedEdits, changesOf, parseEdits, valuesOf } from "./record-form.ts";

const saved = { name: "Main", prompt: "Be kind." };

test("untouched fields follow the record, edited fields keep their text", () => {
  expect(valuesOf(saved, { name: "Ember" })).toEqual({ name: "Ember", prompt: "Be kind." });
  expect(valuesOf({ name: "Renamed", prompt: "Elsewhere." }, { name: "Ember" })).toEqual({
    name: "Ember",
    prompt: "Elsewhere.",
  });
});

test("only changed fields are sent, trimmed; an emptied field is removed", () => {
  expect(changesOf(saved, {})).toEqual({});
  expect(changesOf(saved, { name: " Main ", prompt: "Be kind.\n" })).toEqual({});
  expect(changesOf(saved, { name: " Ember ", prompt: " " })).toEqual({ name: "Ember", prompt: null });
});

test("text typed during a save stays unsaved", () => {
  expect(findUnsavedEdits({ name: "Ember", prompt: "x" }, { name: "Ember", prompt: "x" })).toEqual({});
  expect(findUnsavedEdits<typeof saved>({ name: "Ember two", prompt: "x" }, { name: "Ember", prompt: "x" })).toEqual({
    name: "Ember two",
  });
  expect(findUnsavedEdits<typeof saved>({ prompt: "x" }, {})).toEqual({ prompt: "x" });
});

test("stored text is restored for the fields of this form only", () => {
  expect(parseEdits(saved, '{"prompt":"half a sen","name":3,"else":"x"}')).toEqual({ prompt: "half a sen" });
  for (const text of [undefined, "", "null", "{"]) expect(parseEdits(saved, text)).toEqual({});
});

test("the newer version of a record is shown, and never another record", () => {
  const older = { id: "a", version: 1 };
  const newer = { id: "a", version: 2 };
  expect(pickNewest(older, newer)).toBe(newer);
  expect(pickNewest(newer, older)).toBe(newer);
  expect(pickNewest(older, { id: "b", version: 9 })).toBe(older);
});

const agents = new Map([[fakeMain.id, fakeMain]]);
const renamed = { ...fakeMain, handle: "ember", version: 2 };

test("an agent's page stays open after a rename, whether the response or the log arrives first", () => {
  const shown = { handle: "main", agent: fakeMain };
  expect(findAgent(agents, "main", undefined)).toBe(fakeMain);
  expect(findAgent(agents, "main", { handle: "main", agent: renamed })).toBe(renamed);
  expect(findAgent(agents, "ember", { handle: "main", agent: renamed })).toBe(renamed);
  expect(findAgent(new Map([[renamed.id, renamed]]), "main", shown)).toBe(renamed);
});

test("the path of another agent, or of none, does not show the agent from before", () => {
  const other = createFakeAgent(7, "Scout");
  const both = new Map([...agents, [other.id, other]] as const);
  expect(findAgent(agents, "scout", undefined)).toBeUndefined();
  expect(findAgent(agents, "scout", { handle: "main", agent: fakeMain })).toBeUndefined();
  expect(findAgent(both, "scout", { handle: "main", agent: fakeMain })).toBe(other);
});

test("each settings path maps to one place", () => {
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
  expect(placeOf(pathOfAgent("jörg/ä"))).toEqual({ kind: "agent", handle: "jörg/ä", tab: "overview" });
  expect(placeOf("/settings/agents/%")).toEqual({ kind: "agent", handle: "%", tab: "overview" });
  expect((["activity", "inside"] as const).map((page) => placeOf(pathOfAgent("a/b", page)))).toEqual([
    { kind: "agent", handle: "a/b", tab: "activity" },
    { kind: "agent-inside", handle: "a/b" },
  ]);
  expect([placeOf(pathOfRoom("ä")), placeOf(pathOfRoom("ä", "activity"))]).toEqual([
    { kind: "room", handle: "ä" },
    { kind: "room-activity", handle: "ä" },
  ]);
  for (const path of [
    "else",
    "general",
    "models/x",
    "agents/a/b",
    "agents/a/overview",
    "rooms/a/inside",
    "agents/a/activity/b",
  ].map((page) => `/settings/${page}`))
    expect(placeOf(path)).toEqual({ kind: "nowhere" });
});
