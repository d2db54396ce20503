import { expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import type { InboundUpdate } from "../channel.ts";
import { createPresses } from "./presses.ts";

const ada = "agent_ada" as AgentId;
const sender = { state: "allowed", person: ada } as Row<"senders">;
const press = { conversation: { id: "chat" }, messageId: "m1", press: "p1", text: "/allow CODE" } as InboundUpdate;

const setUp = async () => {
  const store = createMemoryStore();
  const row = { channel: "telegram", conversation: "chat", room: "room_1" } as Row<"conversations">;
  await store.commit({ writes: [{ kind: "insert", table: "conversations", row }] });
  const answers: unknown[] = [];
  const presses = createPresses({
    store,
    records: { find: async (_: string, id: string) => (id === ada ? { id } : undefined) } as never,
    channels: { open: async () => ({ answerPress: async (answer: unknown) => void answers.push(answer) }) } as never,
    approvalReplies: { press: async (_, { room, person }) => ({ text: `${person} in ${room}`, isOver: true }) },
  });
  return { presses, answers };
};

test("a known sender decides in their own conversation", async () => {
  const { presses } = await setUp();
  expect(await presses.take("telegram", press, sender)).toEqual({ text: "agent_ada in room_1", isOver: true });
});

test("a press of an unknown, blocked or removed sender, or in an unknown conversation, is ignored", async () => {
  const { presses } = await setUp();
  const elsewhere = { ...press, conversation: { ...press.conversation, id: "other" } };
  expect(await presses.take("telegram", elsewhere, sender)).toBeUndefined();
  expect(await presses.take("telegram", press, undefined)).toBeUndefined();
  expect(await presses.take("telegram", press, { ...sender, state: "pending" })).toBeUndefined();
  expect(await presses.take("telegram", press, { ...sender, person: null })).toBeUndefined();
  expect(await presses.take("telegram", press, { ...sender, person: "agent_gone" as AgentId })).toBeUndefined();
});

test("the answer names the message and the button", async () => {
  const { presses, answers } = await setUp();
  await presses.answer("telegram", press, { text: "Allowed.", isOver: true });
  expect(answers).toEqual([{ conversation: "chat", messageId: "m1", press: "p1", text: "Allowed.", isOver: true }]);
});
