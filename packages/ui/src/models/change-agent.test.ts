import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeAgent, createFakeRoom, createFakeUi, fakeEntry, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { changeAgent } from "./change-agent.ts";

const path = `/api/agents/${fakeMain.id}`;
const direct = fakeEntry.room;
const rooms = [
  direct,
  createFakeRoom(2, "Main"),
  createFakeRoom(3, "Desk", { kind: "direct", members: [fakeOwner.id, fakeMain.id] }),
  createFakeRoom(4, "Main", { kind: "direct", members: [fakeOwner.id, createFakeAgent(9, "Else").id] }),
];
const renamed = { ...fakeMain, handle: "ember", content: { ...fakeMain.content, name: "Ember" } };

test("a rename also renames the direct room that was named after the agent", async () => {
  const { client, calls } = createFakeUi({
    answers: { [`PATCH ${path}`]: renamed, [`PATCH /api/rooms/${direct.id}`]: direct },
  });
  expect(await changeAgent({ client, agent: fakeMain, rooms, changes: { name: "Ember" } })).toEqual(renamed);
  expect(calls).toEqual([
    [`PATCH ${path}`, { content: { name: "Ember" } }],
    [`PATCH /api/rooms/${direct.id}`, { content: { name: "Ember" } }],
  ]);
});

test("a failed rename of the room is not an error", async () => {
  const taken = new HearthError("record.handle-taken", "taken");
  const { client } = createFakeUi({
    answers: { [`PATCH ${path}`]: renamed, [`PATCH /api/rooms/${direct.id}`]: taken },
  });
  expect(await changeAgent({ client, agent: fakeMain, rooms, changes: { name: "Ember" } })).toEqual(renamed);
});

test("without a new name no room changes, and errors reach the caller", async () => {
  const { client, calls } = createFakeUi({ answers: { [`PATCH ${path}`]: fakeMain } });
  await changeAgent({ client, agent: fakeMain, rooms, changes: { prompt: "Be kind." } });
  expect(calls).toHaveLength(1);
  const refused = createFakeUi({ answers: { [`PATCH ${path}`]: new HearthError("record.pinned", "pinned") } });
  await expect(changeAgent({ client: refused.client, agent: fakeMain, rooms, changes: {} })).rejects.toThrow("pinned");
});
