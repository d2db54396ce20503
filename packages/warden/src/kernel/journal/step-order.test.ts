import { describe, expect, test } from "bun:test";
import { type ActivationId, type AgentId, HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { Blobs } from "../store/blobs.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createJournal, type Journal, type StepStart } from "./journal.ts";
import { createLeases, type Lease } from "./leases.ts";

const activation = "act_1" as ActivationId;
const stepAt = (step: number, kind: StepStart["kind"]): StepStart => ({
  ...{ activation, step, kind, name: "step", effect: "plain", input: "" },
});
const LONG = "long ".repeat(10_000);
const SHORT = "short";
const FULL = { code: "store.unavailable", message: "The disk is full." };

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/**
 * A journal with blobs whose `put` the test controls, and a store whose commits the test can
 * refuse.
 */
const open = async () => {
  const world = createFakeWorld({ hash: () => "0".repeat(64) });
  const below = createMemoryStore();
  const memory = createMemoryBlobs(() => "0".repeat(64));
  const puts: { readonly go: () => void; readonly fail: () => void }[] = [];
  let isRefused = (_change: string): boolean => false;
  const blobs: Blobs = {
    ...memory,
    put(bytes) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      puts.push({ go: resolve, fail: () => reject(new HearthError("store.unavailable", "The disk is full.")) });
      return promise.then(() => memory.put(bytes));
    },
  };
  const store: Store = {
    ...below,
    commit: (change) =>
      isRefused(JSON.stringify(change))
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : below.commit(change),
  };
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).hold("agent_1" as AgentId);
  const journal = createJournal({ world, store, blobs });
  return {
    ...{ lease, journal, puts },
    refuse: (matches: (change: string) => boolean) => void (isRefused = matches),
    states: async () =>
      (await below.select({ table: "steps", order: [{ column: "step" }] })).map(
        ({ step, state }) => `${step} ${state}`,
      ),
  };
};

/** Every call that may follow a step, as the next step. */
const followers: Readonly<Record<string, (journal: Journal, lease: Lease) => Promise<unknown>>> = {
  started: (journal, lease) => journal.started(lease, stepAt(1, "tool")),
  did: (journal, lease) => journal.did(lease, stepAt(1, "intake"), SHORT),
  plan: (journal, lease) => journal.plan(lease, stepAt(1, "intake"), SHORT),
};

describe.each(Object.entries(followers))("`%s` after a step whose output is a blob", (_name, follow) => {
  test("waits until the end of that step is written", async () => {
    const { journal, lease, puts, states } = await open();
    await journal.started(lease, stepAt(0, "model"));
    const done = journal.done(lease, activation, 0, LONG);
    let hasFollowed = false;
    const followed = follow(journal, lease).then(() => (hasFollowed = true));
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(hasFollowed).toBe(false);
    expect(await states()).toEqual(["0 started"]);
    puts[0]?.go();
    await Promise.all([done, followed]);
    expect((await states())[0]).toBe("0 done");
  });

  test("throws the error of a blob that could not be written, and writes nothing", async () => {
    const { journal, lease, puts, states } = await open();
    await journal.started(lease, stepAt(0, "model"));
    const done = journal.done(lease, activation, 0, LONG);
    const followed = follow(journal, lease);
    puts[0]?.fail();
    const errors = await Promise.all([errorOf(done), errorOf(followed)]);
    expect(errors).toMatchObject([FULL, FULL]);
    // Also if the failure was known before.
    expect(await errorOf(follow(journal, lease))).toMatchObject(FULL);
    expect(await states()).toEqual(["0 started"]);
  });
});

test("a step is refused when the commit of an earlier end failed, even if its own would succeed", async () => {
  const { journal, lease, refuse, states } = await open();
  await journal.started(lease, stepAt(0, "model"));
  refuse((change) => change.includes('"done"'));
  const done = journal.done(lease, activation, 0, SHORT);
  const started = journal.started(lease, stepAt(1, "tool"));
  expect(await Promise.all([errorOf(done), errorOf(started)])).toMatchObject([FULL, FULL]);
  expect(await states()).toEqual(["0 started"]);
});

test("ends of one activation are written in call order, whatever their length", async () => {
  const { journal, lease, puts, states } = await open();
  for (const step of [0, 1]) await journal.started(lease, stepAt(step, "tool"));
  const long = journal.done(lease, activation, 0, LONG);
  const short = journal.done(lease, activation, 1, SHORT);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  expect(await states()).toEqual(["0 started", "1 started"]);
  puts[0]?.go();
  await Promise.all([long, short]);
  expect(await states()).toEqual(["0 done", "1 done"]);
});

test("a step that is started again replaces a failed end, and later steps continue", async () => {
  const { journal, lease, puts, states } = await open();
  await journal.started(lease, stepAt(0, "model"));
  const lost = journal.done(lease, activation, 0, LONG);
  puts[0]?.fail();
  expect(await errorOf(lost)).toMatchObject(FULL);
  await journal.load(activation);
  await journal.started(lease, stepAt(0, "model"));
  await journal.done(lease, activation, 0, SHORT);
  await journal.started(lease, stepAt(1, "tool"));
  expect(await states()).toEqual(["0 done", "1 started"]);
});

test("a new run of the activation continues after an end of the previous run could not be written", async () => {
  const { journal, lease, puts, states } = await open();
  await journal.started(lease, stepAt(0, "tool"));
  const lost = journal.done(lease, activation, 0, LONG);
  puts[0]?.fail();
  expect(await errorOf(lost)).toMatchObject(FULL);
  await journal.restart(activation);
  await journal.started(lease, stepAt(1, "model"));
  expect(await states()).toEqual(["0 started", "1 started"]);
});

test("`load` waits for a pending end, so that a cell crash does not repeat the model call", async () => {
  const { journal, lease, puts } = await open();
  await journal.started(lease, stepAt(0, "model"));
  const done = journal.done(lease, activation, 0, LONG);
  const loaded = journal.load(activation);
  puts[0]?.go();
  expect((await loaded).get(0)).toMatchObject({ state: "done", output: LONG });
  await done;
});
