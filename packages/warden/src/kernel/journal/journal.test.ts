import {
  type ActivationState,
  type ActivationId,
  type AgentId,
  type MessageEvent,
  noUsage,
  type Stored,
  type Label,
} from "@hearth/protocol";
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { newActivation } from "./activation.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createJournal, type StepEnd, type StepStart, usageOf } from "./journal.ts";
import { createLeases, LEASE_MS } from "./leases.ts";

const agent = "agent_1" as AgentId;
const step: StepStart = {
  ...{ activation: "act_1" as ActivationId, step: 0, kind: "tool", name: "read", effect: "pure", input: "" },
};

/**
 * A journal whose daemon is paused after its first step is on disk and before it knows. `meanwhile`
 * runs during the pause.
 */
const open = async (house: "alone" | "shared", meanwhile: () => Promise<unknown> = async () => {}) => {
  const world = createFakeWorld({ hash: () => "" });
  const below = createMemoryStore();
  let commits = 0;
  const store: Store = {
    ...below,
    async commit(change) {
      const result = await below.commit(change);
      commits += 1;
      if (commits === 2) {
        await world.advance(LEASE_MS);
        await meanwhile();
      }
      return result;
    },
  };
  // The first commit takes the lease, the second writes the step.
  const lease = await createLeases({ world, store, holder: "a", house }).acquire(agent);
  return {
    start: () => createJournal({ world, store, blobs: createMemoryBlobs(() => "") }).startStep(lease, step),
    takeOver: () => createLeases({ world, store: below, holder: "b", house }).acquire(agent),
    commits: () => commits,
    leaseEndsIn: async () => ((await below.select({ table: "leases" }))[0]?.expires_at ?? 0) - world.clock.now(),
  };
};

test("a daemon that was paused past its lease does not begin the written step when another daemon works for the agent", async () => {
  const journal = await open("shared", () => journal.takeOver());
  await expect(journal.start()).rejects.toMatchObject({ code: "lease.lost" });
});

test("a daemon that was paused past its lease and not replaced renews it before it continues", async () => {
  const journal = await open("shared");
  await journal.start();
  expect(journal.commits()).toBe(3);
  expect(await journal.leaseEndsIn()).toBe(LEASE_MS);
});

test("under a lease of another holder no step ends, is done, or becomes unknown", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  const hold = (holder: string) => createLeases({ world, store, holder, house: "alone" }).acquire(agent);
  const lease = await hold("a");
  await journal.startStep(lease, step);
  await hold("b");
  const lost = { code: "lease.lost" };
  await expect(journal.endStep(lease, step.activation, 0, "x")).rejects.toMatchObject(lost);
  await expect(journal.recordStep(lease, { ...step, step: 1 }, "x")).rejects.toMatchObject(lost);
  await expect(journal.markUnknown(lease, step.activation, 0)).rejects.toMatchObject(lost);
  const rows = await journal.rows(step.activation);
  expect(rows.map(({ step: index, state }) => `${index} ${state}`)).toEqual(["0 started"]);
});

test("a daemon with an exclusive home writes a step once, however long the write takes", async () => {
  const journal = await open("alone");
  await journal.start();
  expect(journal.commits()).toBe(2);
});

test("a power cut may lose the start of a pure step and no other", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  await journal.startStep(lease, { ...step, effect: "plain" });
  await journal.startStep(lease, { ...step, step: 1, effect: "keyed" });
  await journal.startStep(lease, { ...step, step: 2 });
  store.cutPower();
  expect((await journal.rows(step.activation)).map(({ step: index }) => index)).toEqual([0, 1]);
});

test("a power cut may lose the end of a pure step without further writes and no other", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  const end = async (index: number, more?: StepEnd): Promise<string | undefined> => {
    await journal.startStep(lease, { ...step, step: index, effect: "keyed" });
    await journal.endStep(lease, step.activation, index, "x", more);
    store.cutPower();
    return (await journal.rows(step.activation)).find((row) => row.step === index)?.state;
  };
  expect(await end(0, { effect: "pure" })).toBe("started");
  expect(await end(1, { effect: "keyed" })).toBe("done");
  expect(await end(2)).toBe("done");
  const cursor = { channel: "tele", cursor: "1" };
  expect(await end(3, { effect: "pure", writes: [{ kind: "put", table: "cursors", row: cursor }] })).toBe("done");
});

test("additional changes are in the commit of a beginning, and a failed guard of theirs begins nothing", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  const cursor = { channel: "tele", cursor: "1" };
  const sameCommit = {
    guards: [{ kind: "absent", table: "cursors", where: { channel: "tele" } }],
    writes: [{ kind: "put", table: "cursors", row: cursor }],
  } as const;
  expect(await journal.startStep(lease, step, sameCommit)).toBe(true);
  expect(await store.select({ table: "cursors" })).toEqual([cursor]);
  expect(await journal.startStep(lease, { ...step, step: 1 }, sameCommit)).toBe(false);
  expect(await store.select({ table: "steps" })).toMatchObject([{ step: 0, state: "started" }]);
});

test("a step renews the lease until a commit has stored the renewal, and then not again", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const below = createMemoryStore();
  const renewals: boolean[] = [];
  const store: Store = {
    ...below,
    async commit(change) {
      renewals.push((change.writes ?? []).some((write) => "table" in write && write.table === "leases"));
      return below.commit(change);
    },
  };
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  await world.advance(LEASE_MS / 2);
  renewals.length = 0;
  const refused = { guards: [{ kind: "exists", table: "cursors", where: { channel: "tele" } }], writes: [] } as const;
  expect(await journal.startStep(lease, step, refused)).toBe(false);
  expect(await journal.startStep(lease, step)).toBe(true);
  expect(await journal.startStep(lease, { ...step, step: 1 })).toBe(true);
  expect(renewals).toEqual([true, true, false]);
});

test("a first step is committed with the beginning of its activation or not at all", async () => {
  const world = createFakeWorld({ hash: () => "0".repeat(64) });
  const store = createMemoryStore();
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  const first = { ...step, isFirst: true };
  const message = { id: "evt_1", room: "room_1", author: agent, offset: 1 } as Stored<MessageEvent>;
  const row = newActivation({ world, message, agent, trigger: "direct", now: 0 });
  const begin = (state: ActivationState, fence: number): Promise<unknown> =>
    store.commit({
      writes: [{ kind: "put", table: "activations", row: { ...row, id: step.activation, state, fence } }],
    });
  await expect(journal.startStep(lease, first)).rejects.toMatchObject({ code: "store.unavailable" });
  await begin("queued", lease.fence);
  await expect(journal.startStep(lease, first)).rejects.toMatchObject({ code: "store.unavailable" });
  await begin("running", lease.fence - 1);
  await expect(journal.startStep(lease, first)).rejects.toMatchObject({ code: "store.unavailable" });
  expect(await store.select({ table: "steps" })).toEqual([]);
  await begin("running", lease.fence);
  expect(await journal.startStep(lease, first)).toBe(true);
});

test("the usage of finished steps counts calls of models and of tools that called a model, and nothing else", () => {
  const usage = { ...noUsage, inputTokens: 5, outputTokens: 7 };
  const steps = [
    { kind: "model", output: JSON.stringify({ usage }) },
    { kind: "tool", output: JSON.stringify({ text: "found", usage }) },
    { kind: "tool", output: JSON.stringify({ text: "no model was asked" }) },
    { kind: "intake", output: JSON.stringify({ usage }) },
    { kind: "model" },
  ] as const;
  expect(usageOf(steps as never)).toMatchObject({ inputTokens: 10, outputTokens: 14 });
  // Every model call has its usage; without it, spending would be counted too low.
  expect(() => usageOf([{ kind: "model", output: "{}" }])).toThrow();
});

test("a loaded step has its label, and an output only if it is done", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const journal = createJournal({ world, store, blobs: createMemoryBlobs(() => "") });
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const label: Label = { integrity: "untrusted", readers: "private", sources: ["a page"] };
  await journal.recordStep(lease, step, "bare");
  await journal.recordStep(lease, { ...step, step: 1 }, "labelled", label);
  await journal.startStep(lease, { ...step, step: 2 });
  await journal.startStep(lease, { ...step, step: 3 });
  await journal.markUnknown(lease, step.activation, 3);
  await journal.recordStep(lease, { ...step, step: 4 }, "erased with age");
  const where = { activation: step.activation, step: 4 };
  await store.commit({ writes: [{ kind: "update", table: "steps", where, set: { output: null } }] });
  const known = [...(await journal.load(step.activation)).values()];
  expect(known.map(({ state, output, isDamaged }) => [state, output, isDamaged])).toEqual([
    ["done", "bare", undefined],
    ["done", "labelled", undefined],
    ["started", undefined, undefined],
    ["unknown", undefined, undefined],
    ["done", undefined, undefined],
  ]);
  expect(known.map((step) => ("label" in step ? step.label : "none"))).toEqual(["none", label, "none", "none", "none"]);
});
