/** How far bots may answer bots. */
import { describe, expect, test } from "bun:test";
import type { AgentId, EventId, MessageEvent, RoomId, Stored } from "@hearth/protocol";
import { plainRow } from "../../fixtures/rows.ts";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createChainLimits } from "./chain-limits.ts";

const ROOM = "room_1" as RoomId;
const BOTS: ReadonlySet<string> = new Set(["echo", "mirror"]);
const MINUTE = 60_000;
type Message = Stored<MessageEvent>;

const message = (offset: number, author: string, more: Partial<Message> = {}): Message =>
  ({
    ...{ type: "message", id: `evt_${offset}`, offset, room: ROOM, author, at: offset * 1000 },
    ...{ body: { format: "markdown", text: "hi" }, mentions: [], causes: [] },
    ...more,
  }) as unknown as Message;

const open = (messages: readonly Message[] = []) => {
  const store = createMemoryStore();
  const limits = createChainLimits({
    store,
    records: {
      find: async (_type: string, id: string) => ({ content: { kind: BOTS.has(id) ? "bot" : "human" } }),
    } as never,
    streams: {
      find: async (_stream: string, id: EventId) => messages.find((one) => one.id === id),
      read: async (_stream: string, after: number, limit: number) =>
        messages.filter(({ offset }) => offset > after).slice(0, limit),
    } as never,
    limits: () => ({ maxChain: 3, maxReplies: 5 }),
  });
  const addActivation = async (id: string, columns: object): Promise<void> => {
    const write = insertActivation(id);
    if (write.kind !== "insert" || write.table !== "activations") throw new Error("no insert");
    const row = plainRow("activations", { ...write.row, room: ROOM, ...columns } as never);
    await store.commit({ writes: [{ kind: "insert", table: "activations", row }] });
  };
  return { store, limits, addActivation };
};

describe("the origin of a message", () => {
  test("of a person is the message, with depth 0", async () => {
    expect(await open().limits.originOf(message(1, "ana"))).toEqual({ root: "evt_1" as EventId, depth: 0 });
  });

  test("that an activation wrote is one deeper than the activation, from its root or its cause", async () => {
    const { limits, addActivation } = open();
    await addActivation("act_1", { root: "evt_7", cause: "evt_8", depth: 2 });
    await addActivation("act_2", { root: null, cause: "evt_8", depth: 0 });
    const of = (activation: string) => limits.originOf(message(9, "echo", { activation } as never));
    expect(await of("act_1")).toEqual({ root: "evt_7" as EventId, depth: 3 });
    expect(await of("act_2")).toEqual({ root: "evt_8" as EventId, depth: 1 });
  });

  test("of an external bot is that of the message it names", async () => {
    const messages = [message(1, "ana"), message(2, "ben"), message(3, "echo", { replyTo: "evt_1" as EventId })];
    expect(await open(messages).limits.originOf(messages[2]!)).toEqual({ root: "evt_1" as EventId, depth: 1 });
    const lost = message(4, "echo", { replyTo: "evt_9" as EventId });
    expect(await open(messages).limits.originOf(lost)).toEqual({ root: "evt_4" as EventId, depth: 1 });
  });

  test("of an external bot without a reply is that of the latest message of another author", async () => {
    const messages = [message(1, "ana"), message(2, "ben"), message(3, "echo"), message(4, "echo")];
    expect(await open(messages).limits.originOf(messages[3]!)).toEqual({ root: "evt_2" as EventId, depth: 1 });
  });

  test.each([
    [2 * MINUTE - 1, "evt_1", 1],
    [2 * MINUTE, "evt_30", 1],
  ])("%p ms after a message is %s", async (delayMs, root, depth) => {
    const messages = [message(1, "ana", { at: 0 })];
    const late = message(30, "echo", { at: delayMs, offset: 2 });
    expect(await open([...messages, late]).limits.originOf(late)).toEqual({ root: root as EventId, depth });
  });

  test.each([
    [20, "evt_1"],
    [21, "evt_22"],
  ])("is searched among the 20 messages before: %p after it", async (distance, root) => {
    const messages = [
      message(1, "ana"),
      ...Array.from({ length: distance - 1 }, (_, index) => message(2 + index, "echo")),
    ];
    const last = message(1 + distance, "echo");
    expect((await open([...messages, last]).limits.originOf(last)).root).toBe(root as EventId);
  });

  test("of bots that answer each other is followed as far as the limit of the depth needs", async () => {
    const messages = Array.from({ length: 10 }, (_, index) =>
      message(index + 1, index === 0 ? "ana" : index % 2 === 0 ? "echo" : "mirror"),
    );
    const { limits } = open(messages);
    const depths: number[] = [];
    for (const one of messages) depths.push((await limits.originOf(one)).depth);
    expect(depths.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(depths.slice(4).every((depth) => limits.isTooDeep(depth))).toBe(true);
  });
});

test("a chain may have the maximum depth, and a message fewer replies than the maximum", () => {
  const { limits } = open();
  expect([3, 4].map(limits.isTooDeep)).toEqual([false, true]);
  expect([4, 5].map(limits.isAtReplyLimit)).toEqual([false, true]);
});

test("a reply counts if it is written or under way, in its room, and past its gates", async () => {
  const { limits, addActivation } = open();
  const root = "evt_1" as EventId;
  const states = ["queued", "running", "waiting", "replied", "silent", "skipped", "failed", "stopped", "merged"];
  for (const state of states) await addActivation(`act_${state}`, { root, state, ready_at: 0 });
  expect(await limits.countReplies(ROOM, root)).toBe(4);
  await addActivation("act_inbox", { root, state: "queued", trigger: "inbox", ready_at: 0 });
  await addActivation("act_gate", { root, state: "queued", ready_at: 5 });
  await addActivation("act_room", { root, state: "queued", room: "room_2", ready_at: 0 });
  await addActivation("act_root", { root: "evt_2", state: "queued", ready_at: 0 });
  expect(await limits.countReplies(ROOM, root)).toBe(4);
});

test("of two replies that are planned at once, the second is refused", async () => {
  const { store, limits } = open();
  const commit = ({ guard, write }: Awaited<ReturnType<typeof limits.planReply>>) =>
    store.commit({ guards: [guard], writes: [write] });
  for (let round = 0; round < 2; round += 1) {
    const [one, other] = [await limits.planReply(ROOM), await limits.planReply(ROOM)];
    expect((await commit(one)).kind).toBe("committed");
    expect((await commit(other)).kind).toBe("refused");
  }
  expect((await commit(await limits.planReply("room_2" as RoomId))).kind).toBe("committed");
});

test("an unknown author is no bot", async () => {
  const { limits } = open();
  expect(await limits.originOf(message(1, "gone" as AgentId))).toEqual({ root: "evt_1" as EventId, depth: 0 });
});
