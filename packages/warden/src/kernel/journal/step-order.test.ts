import { describe, expect, test } from "bun:test";
import { type ActivationId, type AgentId, HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { Blobs } from "../store/blobs.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createJournal, type Journal, type StepStart } from "./journal.ts";
import { createLeases, type Lease } from "./leases.ts";
import { createStepOrder } from "./step-order.ts";

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
  let isRefused = (_writes: string): boolean => false;
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
      isRefused(JSON.stringify(change.writes))
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : below.commit(change),
  };
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire("agent_1" as AgentId);
  const journal = createJournal({ world, store, blobs });
  return {
    ...{ lease, journal, puts },
    refuse: (matches: (writes: string) => boolean) => void (isRefused = matches),
    states: async () =>
      (await below.select({ table: "steps", order: [{ column: "step" }] })).map(
        ({ step, state }) => `${step} ${state}`,
      ),
  };
};

/** Every call that may follow a step, as the next step. */
const followers: Readonly<Record<string, (journal: Journal, lease: Lease) => Promise<unknown>>> = {
  started: (journal, lease) => journal.startStep(lease, stepAt(1, "tool")),
  did: (journal, lease) => journal.recordStep(lease, stepAt(1, "intake"), SHORT),
  plan: (journal, lease) => journal.planStep(lease, stepAt(1, "intake"), SHORT),
};

describe.each(Object.entries(followers))("`%s` after a step whose output is a blob", (_name, follow) => {
  test("waits until the end of that step is written", async () => {
    const { journal, lease, puts, states } = await open();
    await journal.startStep(lease, stepAt(0, "model"));
    const done = journal.endStep(lease, activation, 0, LONG);
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
    await journal.startStep(lease, stepAt(0, "model"));
    const done = journal.endStep(lease, activation, 0, LONG);
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
  await journal.startStep(lease, stepAt(0, "model"));
  refuse((writes) => writes.includes('"done"'));
  const done = journal.endStep(lease, activation, 0, SHORT);
  const started = journal.startStep(lease, stepAt(1, "tool"));
  expect(await Promise.all([errorOf(done), errorOf(started)])).toMatchObject([FULL, FULL]);
  expect(await states()).toEqual(["0 started"]);
});

test("ends of one activation are written in call order, whatever their length", async () => {
  const { journal, lease, puts, states } = await open();
  for (const step of [0, 1]) await journal.startStep(lease, stepAt(step, "tool"));
  const long = journal.endStep(lease, activation, 0, LONG);
  const short = journal.endStep(lease, activation, 1, SHORT);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  expect(await states()).toEqual(["0 started", "1 started"]);
  puts[0]?.go();
  await Promise.all([long, short]);
  expect(await states()).toEqual(["0 done", "1 done"]);
});

test("a step that is started again replaces a failed end, and later steps continue", async () => {
  const { journal, lease, puts, states } = await open();
  await journal.startStep(lease, stepAt(0, "model"));
  const lost = journal.endStep(lease, activation, 0, LONG);
  puts[0]?.fail();
  expect(await errorOf(lost)).toMatchObject(FULL);
  await journal.load(activation);
  await journal.startStep(lease, stepAt(0, "model"));
  await journal.endStep(lease, activation, 0, SHORT);
  await journal.startStep(lease, stepAt(1, "tool"));
  expect(await states()).toEqual(["0 done", "1 started"]);
});

test.each(["did", "plan", "unknown"] as const)("`%s` replaces a failed end, and later steps continue", async (how) => {
  const { journal, lease, puts, states } = await open();
  await journal.startStep(lease, stepAt(0, "tool"));
  const lost = journal.endStep(lease, activation, 0, LONG);
  puts[0]?.fail();
  expect(await errorOf(lost)).toMatchObject(FULL);
  if (how === "unknown") await journal.markUnknown(lease, activation, 0);
  else if (how === "did") await journal.recordStep(lease, stepAt(0, "tool"), SHORT);
  else await journal.planStep(lease, stepAt(0, "tool"), SHORT);
  await journal.startStep(lease, stepAt(1, "tool"));
  expect((await states()).at(-1)).toBe("1 started");
});

test("a new run of the activation continues after an end of the previous run could not be written", async () => {
  const { journal, lease, puts, states } = await open();
  await journal.startStep(lease, stepAt(0, "tool"));
  const lost = journal.endStep(lease, activation, 0, LONG);
  puts[0]?.fail();
  expect(await errorOf(lost)).toMatchObject(FULL);
  await journal.restart(activation);
  await journal.startStep(lease, stepAt(1, "model"));
  expect(await states()).toEqual(["0 started", "1 started"]);
});

test("`load` waits for a pending end, so that a cell crash does not repeat the model call", async () => {
  const { journal, lease, puts } = await open();
  await journal.startStep(lease, stepAt(0, "model"));
  const done = journal.endStep(lease, activation, 0, LONG);
  const loaded = journal.load(activation);
  puts[0]?.go();
  expect((await loaded).get(0)).toMatchObject({ state: "done", output: LONG });
  await done;
});

describe("the order of steps", () => {
  const other = "act_2" as ActivationId;
  const nothing = async (): Promise<void> => {};
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const stepsOf = (guards: readonly unknown[]) =>
    (guards as { where: { step: number } }[]).map(({ where }) => where.step);

  test("guards a commit by the ends of earlier steps that are not durable, and by no others", async () => {
    const order = createStepOrder();
    const writes = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const ends = writes.map((write, step) => order.end(activation, step, nothing, () => write.promise));
    void order.end(other, 0, nothing, nothing);
    expect(stepsOf(await order.guardsAfter(activation, 2))).toEqual([0, 1]);
    expect(stepsOf(await order.guardsAfter(activation, 0))).toEqual([]);
    writes[0]?.resolve();
    await ends[0];
    expect(stepsOf(await order.guardsAfter(activation, 2))).toEqual([1]);
    for (const write of writes) write.resolve();
    await Promise.all(ends);
    expect(await order.guardsAfter(activation, 3)).toEqual([]);
  });

  test("keeps the end of a step that began again when the end of the earlier attempt is durable", async () => {
    const order = createStepOrder();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const early = order.end(activation, 0, nothing, () => first.promise);
    order.replace(activation, 0);
    const late = order.end(activation, 0, nothing, () => second.promise);
    first.resolve();
    await early;
    expect(stepsOf(await order.guardsAfter(activation, 1))).toEqual([0]);
    second.resolve();
    await late;
    expect(await order.guardsAfter(activation, 1)).toEqual([]);
  });

  test("reports a failed end to its caller and to later steps, and causes no unhandled rejection", async () => {
    const order = createStepOrder();
    const failed = order.end(activation, 0, nothing, () => Promise.reject(new Error("no space")));
    // An unhandled rejection in this time fails the test.
    await new Promise((resolve) => setImmediate(resolve));
    expect(String(await order.failureBefore(activation, 1))).toContain("no space");
    expect(await order.failureBefore(activation, 0)).toBeUndefined();
    await expect(failed).rejects.toThrow("no space");
    order.forget(activation);
    expect(await order.failureBefore(activation, 1)).toBeUndefined();
  });

  test("has no failure while earlier ends succeed", async () => {
    const order = createStepOrder();
    const write = Promise.withResolvers<void>();
    const end = order.end(activation, 0, nothing, () => write.promise);
    const failure = order.failureBefore(activation, 1);
    write.resolve();
    expect(await failure).toBeUndefined();
    await end;
  });

  test("waits for ends in flight before a new run", async () => {
    const order = createStepOrder();
    const write = Promise.withResolvers<void>();
    const end = order.end(activation, 0, nothing, () => write.promise);
    let isOver = false;
    const restarted = order.restart(activation).then(() => (isOver = true));
    await turns();
    expect(isOver).toBe(false);
    write.resolve();
    await Promise.all([end, restarted]);
  });
});
