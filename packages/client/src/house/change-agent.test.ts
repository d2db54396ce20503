import { expect, test } from "bun:test";
import { AgentRecord, HearthError, RoomRecord } from "@hearth/protocol";
import { changeAgent } from "./change-agent.ts";

const id = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, "0")}`;
const base = { house: id("house", 1), handle: "main", version: 1, createdAt: 1, updatedAt: 1 };
const main = AgentRecord.parse({ ...base, type: "agent", id: id("agent", 1), content: { name: "Main", kind: "bot" } });
const renamed = { ...main, handle: "ember", content: { ...main.content, name: "Ember" } };
const createRoom = (number: number, content: object): RoomRecord =>
  RoomRecord.parse({ ...base, type: "room", id: id("room", number), content });
const direct = createRoom(1, { name: "Main", kind: "direct", members: [id("agent", 2), main.id] });
const rooms = [
  direct,
  createRoom(2, { name: "Main" }),
  createRoom(3, { name: "Desk", kind: "direct", members: [id("agent", 2), main.id] }),
  createRoom(4, { name: "Main", kind: "direct", members: [id("agent", 2), id("agent", 9)] }),
];

/** Calls that answer with this agent, or fail, and are recorded. */
const createCalls = (agent: AgentRecord | HearthError, room: RoomRecord | HearthError = direct) => {
  const calls: unknown[] = [];
  const answer = async <Answer>(outcome: Answer | HearthError, call: unknown): Promise<Answer> => {
    calls.push(call);
    if (outcome instanceof HearthError) throw outcome;
    return outcome;
  };
  return {
    calls,
    client: {
      agents: { update: (whom: string, change: object) => answer(agent, [whom, change]) },
      rooms: { update: (which: string, change: object) => answer(room, [which, change]) },
    },
  };
};

test("a rename also renames the direct room that was named after the agent", async () => {
  const { client, calls } = createCalls(renamed);
  expect(await changeAgent({ client, agent: main, rooms, changes: { name: "Ember" } })).toEqual(renamed);
  expect(calls).toEqual([
    [main.id, { content: { name: "Ember" } }],
    [direct.id, { content: { name: "Ember" } }],
  ]);
});

test("a failed rename of the room is not an error", async () => {
  const { client } = createCalls(renamed, new HearthError("record.handle-taken", "taken"));
  expect(await changeAgent({ client, agent: main, rooms, changes: { name: "Ember" } })).toEqual(renamed);
});

test("without a new name no room changes, and errors reach the caller", async () => {
  const { client, calls } = createCalls(main);
  await changeAgent({ client, agent: main, rooms, changes: { prompt: "Be kind." } });
  expect(calls).toHaveLength(1);
  const refused = createCalls(new HearthError("record.pinned", "pinned"));
  await expect(changeAgent({ client: refused.client, agent: main, rooms, changes: {} })).rejects.toThrow("pinned");
});
