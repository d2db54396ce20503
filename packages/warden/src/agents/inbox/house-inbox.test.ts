import { describe, expect, test } from "bun:test";
import type { ActivationId, AgentId, InboxId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createInbox } from "./house-inbox.ts";
import type { InboxRow } from "./inbox.ts";
import { inboxId, newInboxRow } from "./rows.ts";

const world = createBunWorld();
const scout = world.ids.fresh("agent");
const by = world.ids.derive("act", "reader");

const open = (store: Store = createMemoryStore()) => {
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(world.hash) });
  const inbox = createInbox({ world, store, streams });
  const put = async (name: string, more: Partial<InboxRow> = {}): Promise<InboxId> => {
    const id = world.ids.derive("note", name);
    const row = newInboxRow({
      ...{ id, sender: world.ids.derive("agent" as never, "sender"), recipient: scout, type: "note", text: name },
      ...{ room: world.ids.derive("room" as never, "room"), activation: world.ids.derive("act", name) },
      ...{ labels: null, at: 1 },
    });
    await streams.commit(inbox.planPut({ ...row, ...more }));
    return id;
  };
  const told = async (): Promise<string[]> =>
    (await streams.read(`agent:${scout}`, 0, 100)).map((event) =>
      event.type === "inbox-changed" ? event.message.status : event.type,
    );
  return { store, streams, inbox, put, told };
};

test("storing the same message twice has no further effect", async () => {
  const { streams, inbox, put, told } = open();
  const id = await put("one");
  const [row] = await inbox.rows([id]);
  if (row === undefined) throw new Error("it is not there");
  expect(await streams.commit(inbox.planPut(row))).toMatchObject({ kind: "conflict" });
  expect(await told()).toEqual(["pending"]);
});

test("the label of a message is kept, and is part of every event about it", async () => {
  const { store, streams, inbox, put } = open();
  const labels = JSON.stringify(["untrusted"]);
  const id = await put("one", { labels });
  await streams.commit(await inbox.planMove([id], { status: "read", by }));
  await inbox.archive(id);
  expect(await inbox.rows([id])).toMatchObject([{ labels, status: "archived", read_by: by }]);
  expect((await store.select({ table: "events" })).map((event) => event.labels)).toEqual([labels, labels, labels]);
});

describe("what is moved", () => {
  test("moves pending messages only; a later move changes nothing and writes no event", async () => {
    const { streams, inbox, put, told } = open();
    const ids = [await put("one"), await put("two")];
    await streams.commit(await inbox.planMove(ids, { status: "read", by }));
    const again = await inbox.planMove(ids, { status: "read", by: "act_other" as ActivationId });
    expect(again).toEqual({ guards: [], writes: [], events: [] });
    expect((await inbox.rows(ids)).map(({ read_by }) => read_by)).toEqual([by, by]);
    expect(await told()).toEqual(["pending", "pending", "read", "read"]);
  });

  test("is refused if the message was archived after planning", async () => {
    const { streams, inbox, put, told } = open();
    const id = await put("one");
    const late = await inbox.planMove([id], { status: "read", by });
    await inbox.archive(id);
    expect(await streams.commit(late)).toEqual({ kind: "refused", guard: undefined });
    expect(await told()).toEqual(["pending", "archived"]);
  });

  test("an archived message stays archived, even if it is read at the same moment", async () => {
    const store = createMemoryStore();
    let meet: (() => Promise<unknown>) | undefined;
    const { streams, inbox, put, told } = open({
      ...store,
      async commit(change) {
        const first = meet;
        meet = undefined;
        await first?.();
        return store.commit(change);
      },
    });
    const id = await put("one");
    const read = await inbox.planMove([id], { status: "read", by });
    meet = () => streams.commit(read);
    expect(await inbox.archive(id)).toMatchObject({ status: "archived", readBy: by });
    expect(await told()).toEqual(["pending", "read", "archived"]);
  });
});

test("a list is newest first, filtered by status if one is given, and limited", async () => {
  const { streams, inbox, put } = open();
  const [one] = [await put("one", { at: 1 }), await put("two", { at: 2 }), await put("three", { at: 3 })];
  await streams.commit(await inbox.planMove([one], { status: "read", by }));
  const texts = async (query: Parameters<typeof inbox.list>[1]) =>
    (await inbox.list(scout, query)).map(({ text }) => text);
  expect(await texts({ limit: 10 })).toEqual(["three", "two", "one"]);
  expect(await texts({ limit: 10, status: "pending" })).toEqual(["three", "two"]);
  expect(await texts({ limit: 1 })).toEqual(["three"]);
  expect(await inbox.list("agent_nobody" as AgentId, { limit: 10 })).toEqual([]);
});

test("questions and delegations are not part of a prompt; notes come oldest first", async () => {
  const { inbox, put } = open();
  await put("late", { at: 9 });
  await put("early", { at: 2 });
  await put("asked", { type: "question" });
  await put("work", { type: "delegation" });
  await put("answered", { type: "answer", at: 5, reply_to: world.ids.derive("note", "gone") });
  expect((await inbox.pending(scout)).map(({ text }) => text)).toEqual(["early", "answered", "late"]);
});

test("an answer belongs to the call that asked, until that call or its turn has ended", async () => {
  const { store, inbox, put } = open();
  const asking = world.ids.derive("act", "asking");
  const step = { step: 3, kind: "tool", name: "ask_agent", input_hash: "", effect: "keyed", state: "started" };
  const row = { agent: scout, room: "r", trigger: "direct", cause: "c", cause_offset: 1, person: "p", usage: "{}" };
  await store.commit({
    writes: [
      {
        ...({ kind: "insert", table: "activations" } as const),
        row: {
          ...{ ...row, id: asking, state: "running", reason: null, error: null, model: null, frozen: null },
          ...{
            frozen_blob: null,
            progress: 0,
            retries: 0,
            retry_at: 0,
            retried_by: null,
            created_at: 0,
            started_at: 0,
            ended_at: null,
            fence: 1,
            crashes: 0,
            depth: 0,
          },
          ...{ merged_into: null, parked: null, skip: null, ready_at: 0, root: "c", parent: null, inbox: null },
        },
      },
      {
        ...({ kind: "insert", table: "steps" } as const),
        row: {
          ...{ ...step, activation: asking, output: null, output_blob: null, started_at: 0, ended_at: null },
          labels: null,
          refused_by: null,
        },
      },
    ],
  });
  const question = inboxId(world, asking, 3);
  await put("asked", { id: question, type: "question", activation: asking });
  await put("answered", { type: "answer", reply_to: question });
  const other = inboxId(world, asking, 2);
  await put("asked before", { id: other, type: "question", activation: asking });
  await put("answered late", { type: "answer", reply_to: other });
  const pending = async () => (await inbox.pending(scout)).map(({ text }) => text);
  expect(await pending()).toEqual(["answered late"]);
  const over = { table: "activations", where: { id: asking }, set: { ended_at: 1 } } as const;
  await store.commit({ writes: [{ kind: "update", ...over }] });
  expect((await pending()).toSorted()).toEqual(["answered", "answered late"]);
  await store.commit({
    writes: [
      { kind: "update", ...over, set: { ended_at: null } },
      { kind: "update", table: "steps", where: { activation: asking }, set: { state: "done" } },
    ],
  });
  expect((await pending()).toSorted()).toEqual(["answered", "answered late"]);
});

describe("what is old", () => {
  const UNTIL = 100;
  const HOUR_AGO = { at: 0, status: "read", moved_at: 50 } as const;

  const left = async (store: Store): Promise<string[]> =>
    (await store.select({ table: "inbox" })).map(({ text }) => text).toSorted();

  test("is erased long after it was read or archived, and never while it is pending", async () => {
    const { store, inbox, put } = open();
    await put("waits", { at: 0 });
    await put("read then", { status: "read", moved_at: UNTIL });
    await put("put away then", { status: "archived", moved_at: 1 });
    await put("read since", { status: "read", moved_at: UNTIL + 1 });
    expect(await inbox.sweep(UNTIL)).toBe(2);
    expect(await left(store)).toEqual(["read since", "waits"]);
    expect(await inbox.sweep(UNTIL)).toBe(0);
  });

  test("ages from its last move", async () => {
    const { store, streams, inbox, put } = open();
    const [read, away] = [await put("read"), await put("away")];
    const start = world.clock.now();
    await streams.commit(await inbox.planMove([read], { status: "read", by }));
    await inbox.archive(away);
    for (const { moved_at: at } of await inbox.rows([read, away])) expect(at).toBeGreaterThanOrEqual(start);
    await store.commit({
      writes: [{ kind: "update", table: "inbox", where: { id: read }, set: { moved_at: 1 } }],
    });
    await inbox.archive(read);
    expect(await inbox.sweep(start - 1)).toBe(0);
  });

  test("stays while its sender or recipient is in a turn that began before", async () => {
    for (const [agent, created, count] of [
      [scout, 50, 0],
      ["sender", 50, 0],
      [scout, 51, 1],
      ["another agent", 1, 1],
    ] as const) {
      const { store, inbox, put } = open();
      await put("in hand", { ...HOUR_AGO, sender: "sender" });
      for (const at of [created, 99]) {
        const insert = insertActivation(`open at ${at}`);
        if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
        await store.commit({ writes: [{ ...insert, row: { ...insert.row, agent, created_at: at } }] });
      }
      expect(await inbox.sweep(UNTIL)).toBe(count);
      const over = { table: "activations", where: {}, set: { state: "replied", ended_at: 60 } } as const;
      await store.commit({ writes: [{ kind: "update", ...over }] });
      expect([await inbox.sweep(UNTIL), await left(store)]).toEqual([1 - count, []]);
    }
  });

  test("stays while its answer waits to be shown with it", async () => {
    const { store, streams, inbox, put } = open();
    const question = await put("question", { ...HOUR_AGO, type: "question" });
    const answer = await put("answer", { type: "answer", reply_to: question });
    expect(await inbox.sweep(UNTIL)).toBe(0);
    await streams.commit(await inbox.planMove([answer], { status: "read", by }));
    expect([await inbox.sweep(UNTIL), await left(store)]).toEqual([1, ["answer"]]);
  });

  test("is erased in batches of a hundred, however many moved at one instant, and kept messages block nothing", async () => {
    const memory = createMemoryStore();
    const sizes: number[] = [];
    const { store, inbox, put } = open({
      ...memory,
      commit(change) {
        if (change.writes.some(({ kind }) => kind === "delete")) sizes.push(change.writes.length);
        return memory.commit(change);
      },
    });
    for (let index = 0; index < 120; index += 1) {
      const question = await put(`question ${index}`, { ...HOUR_AGO, type: "question" });
      await put(`answer ${index}`, { type: "answer", reply_to: question });
      await put(`read ${index}`, HOUR_AGO);
      await put(`later ${index}`, { ...HOUR_AGO, moved_at: 51 + index });
    }
    expect(await inbox.sweep(UNTIL)).toBe(120 + 50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect((await left(store)).filter((text) => text.startsWith("read"))).toEqual([]);
  });

  test("stays if it is archived at the moment of its erasure", async () => {
    const memory = createMemoryStore();
    let meet: (() => Promise<unknown>) | undefined;
    const { store, inbox, put } = open({
      ...memory,
      async commit(change) {
        const first = meet;
        if (change.writes.some(({ kind }) => kind === "delete")) {
          meet = undefined;
          await first?.();
        }
        return memory.commit(change);
      },
    });
    const id = await put("read", HOUR_AGO);
    meet = () => inbox.archive(id);
    await inbox.sweep(UNTIL);
    expect(await left(store)).toEqual(["read"]);
  });
});

test("a missing message is reported", async () => {
  const { inbox } = open();
  const id = world.ids.derive("note", "nothing");
  await expect(inbox.get(id)).rejects.toThrow(`There is no message ${id} in any inbox.`);
  await expect(inbox.archive(id)).rejects.toThrow("in any inbox");
});
