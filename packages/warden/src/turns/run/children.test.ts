import type { ActivationId, ActivationState, InboxId, AgentId } from "@hearth/protocol";
import { expect, test } from "bun:test";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createInbox } from "../../agents/inbox/house-inbox.ts";
import { newInboxRow } from "../../agents/inbox/rows.ts";
import { createJournal } from "../../kernel/journal/journal.ts";
import { createLeases } from "../../kernel/journal/leases.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import type { HostCall } from "../../agents/tools/call.ts";
import { childActivation } from "../../kernel/journal/activation.ts";
import { createChildren } from "./children.ts";

const agent = "agent_1" as AgentId;

/** A running activation whose tool call requests a child. */
const setUp = async () => {
  const world = createBunWorld();
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(world.hash);
  const streams = createDurableStreams({ world, store, blobs });
  const inbox = createInbox({ world, store, streams });
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const root = { id: "x", room: "room_1", cause: "evt_1", cause_offset: 7, person: "agent_p", root: "evt_0", depth: 1 };
  const parent: Row<"activations"> = {
    ...childActivation({
      parent: root as Row<"activations">,
      id: "act_1" as never,
      agent,
      inbox: "" as InboxId,
      now: 1,
    }),
    ...{ parent: null, inbox: null, trigger: "direct", state: "running" },
  };
  await store.commit({ writes: [{ kind: "insert", table: "activations", row: parent }] });
  const queued: string[] = [];
  const children = createChildren({
    ...{ now: () => 5, store, streams, journal: createJournal({ world, store, blobs }), inbox },
    enqueue: ({ id }) => queued.push(id),
    waitForEnd: async () => parent,
    stop: async () => {},
  });
  const scout = world.ids.fresh("agent");
  const begin = (name = "one") =>
    children.start(
      {
        id: world.ids.derive("act", name),
        agent: scout,
        inbox: newInboxRow({
          ...{ id: world.ids.derive("note", name), sender: agent, recipient: scout, type: "question", text: "?" },
          ...{ room: parent.room, activation: parent.id, labels: null, at: 5 },
        }),
      },
      { activation: parent, lease } as HostCall,
    );
  const rows = async () => ({
    children: (await store.select({ table: "activations", where: { parent: parent.id } })).length,
    questions: (await store.select({ table: "inbox" })).length,
  });
  return { world, store, children, parent, queued, scout, begin, rows };
};

test("a child begins with its question in its parent's room, for the same person and message, one level deeper", async () => {
  const { begin, store, queued, parent, scout } = await setUp();
  expect(await begin()).toBe("begun");
  const [row] = await store.select({ table: "activations", where: { parent: parent.id } });
  expect(row).toMatchObject({
    ...{ agent: scout, state: "queued", trigger: "inbox", depth: 3, root: "evt_0", created_at: 5, ready_at: 0 },
    ...{ room: "room_1", cause: "evt_1", cause_offset: 7, person: "agent_p" },
  });
  expect(queued).toEqual([row?.id ?? ""]);
  expect(await store.select({ table: "inbox" })).toMatchObject([{ id: row?.inbox, status: "pending" }]);
});

test("an activation that is over cannot start a child", async () => {
  const { begin, store, parent, queued, rows } = await setUp();
  await store.commit({
    writes: [{ kind: "update", table: "activations", where: { id: parent.id }, set: { ended_at: 1 } }],
  });
  expect(await begin()).toBe("over");
  expect([queued, await rows()]).toEqual([[], { children: 0, questions: 0 }]);
});

test("no child begins under an old lease", async () => {
  const { begin, world, store, queued, rows } = await setUp();
  await createLeases({ world, store, holder: "b", house: "alone" }).acquire(agent);
  await expect(begin()).rejects.toMatchObject({ code: "lease.lost" });
  expect([queued, await rows()]).toEqual([[], { children: 0, questions: 0 }]);
});

test("a child is an orphan when its parent ended without a reply or no longer exists", async () => {
  const { children, store, parent } = await setUp();
  const child = { ...parent, id: "act_2" as ActivationId, parent: parent.id };
  const after = async (set: {
    readonly state: ActivationState;
    readonly ended_at: number | null;
  }): Promise<boolean> => {
    await store.commit({ writes: [{ kind: "update", table: "activations", where: { id: parent.id }, set }] });
    return children.isOrphan(child);
  };
  expect(await after({ state: "running", ended_at: null })).toBe(false);
  expect(await after({ state: "replied", ended_at: 1 })).toBe(false);
  for (const state of ["stopped", "failed", "skipped"] as const) expect(await after({ state, ended_at: 1 })).toBe(true);
  expect(await children.isOrphan({ ...child, parent: "act_gone" as ActivationId })).toBe(true);
  expect(await children.isOrphan(parent)).toBe(false);
});
