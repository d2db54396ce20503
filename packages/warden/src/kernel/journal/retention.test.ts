import { plainSet } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { ActivationId, AgentId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createLedger } from "../../cells/egress/ledger.ts";
import { createFakeLog } from "../log/log.ts";
import { UNREFERENCED_MS } from "../store/blobs.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { insertActivation } from "../store/conformance/rows.conformance.ts";
import type { Store } from "../store/store.ts";
import { createJournal } from "./journal.ts";
import { createLeases } from "./leases.ts";
import { createRetention, type RetentionTimes } from "./retention.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const KEPT_MS = 30 * 24 * 60 * 60_000;
const LONG = JSON.stringify({ text: "long ".repeat(10_000), failed: false });

const others = {
  times: () => ({ activationMs: KEPT_MS, days: { deliveryDays: 90, jobDays: 365, usageDays: 400 } }),
  inbox: { sweep: async (): Promise<number> => 0 },
  audit: { archive: async (): Promise<number> => 0 },
  uploads: { sweep: async (): Promise<readonly string[]> => [] },
  indexes: { catchUp: async (): Promise<void> => {} },
  traces: { sweep: async (): Promise<void> => {} },
};

const open = async () => {
  const world = createFakeWorld({ hash });
  const store: Store = createMemoryStore();
  const blobs = createMemoryBlobs(hash, world.clock.now);
  const journal = createJournal({ world, store, blobs });
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire("agent_1" as never);
  const log = createFakeLog();
  const add = async (id: string, endedAt: number | null, output: string): Promise<void> => {
    const insert = insertActivation(id);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
    await store.commit({ writes: [{ ...insert, row: { ...insert.row, ended_at: endedAt } }] });
    const step = {
      activation: id as ActivationId,
      step: 0,
      kind: "tool",
      name: "read",
      effect: "pure",
      input: "",
    } as const;
    await journal.recordStep(lease, step, output);
    const request = { host: "a.example", port: 443, method: "GET", path: "/" };
    await createLedger({ store }).end({
      ...{ id: world.ids.fresh("egr"), agent: "agent_1" as AgentId, activation: id as ActivationId, at: 0 },
      ...{ ...request, outcome: "allowed", sentBytes: 1, receivedBytes: 1, secrets: [] },
    });
  };
  const outputOf = async (id: string): Promise<string | undefined> =>
    (await journal.load(id as ActivationId)).get(0)?.output;
  return {
    ...world,
    store,
    blobs,
    log,
    add,
    outputOf,
    retention: createRetention({ world, log, store, blobs, ...others }),
  };
};

test("an activation is erased with its steps and their outputs when its retention time is over", async () => {
  const house = await open();
  const now = house.clock.now();
  await house.add("old", now, "old words");
  await house.add("younger", now + 1, "younger words");
  await house.add("waiting", null, "of one that waits");
  await house.advance(KEPT_MS);
  expect(await house.retention.sweep()).toBe(1);
  expect(await house.outputOf("old")).toBeUndefined();
  expect((await createLedger(house).list("old" as ActivationId)).length).toBe(0);
  expect((await createLedger(house).list("younger" as ActivationId)).length).toBe(1);
  expect(await house.outputOf("younger")).toBe("younger words");
  expect(await house.outputOf("waiting")).toBe("of one that waits");
  expect(await house.store.select({ table: "steps", where: { activation: "old" } })).toEqual([]);
  const left = await house.store.select({ table: "activations" });
  expect<readonly string[]>(left.map(({ id }) => id).toSorted()).toEqual(["waiting", "younger"]);
  expect(await house.retention.sweep()).toBe(0);
});

test("a sweep reads the retention times again, so that a change applies without a restart", async () => {
  const house = await open();
  let activationMs = KEPT_MS;
  const times = (): RetentionTimes => ({ ...others.times(), activationMs });
  const retention = createRetention({ ...house, world: house, ...others, times });
  await house.add("old", house.clock.now(), "old words");
  await house.advance(KEPT_MS / 2);
  expect(await retention.sweep()).toBe(0);
  activationMs = KEPT_MS / 2;
  expect(await retention.sweep()).toBe(1);
});

test("the number of queries of a sweep does not depend on the number of blobs", async () => {
  const questions: string[] = [];
  const sweepOf = async (count: number): Promise<number> => {
    const house = await open();
    for (let index = 0; index < count; index += 1) await house.add(`old${index}`, house.clock.now(), `${LONG}${index}`);
    await house.advance(KEPT_MS);
    questions.length = 0;
    const select: Store["select"] = (query) => (questions.push(query.table), house.store.select(query));
    const store = { ...house.store, select };
    await createRetention({ ...house, world: house, store, ...others }).sweep();
    return questions.length;
  };
  expect(await sweepOf(9)).toBe(await sweepOf(3));
});

test("a blob is removed with the last step that names it, and not before", async () => {
  const house = await open();
  const now = house.clock.now();
  await house.add("old", now, LONG);
  await house.add("later", now + UNREFERENCED_MS, LONG);
  await house.advance(KEPT_MS);
  expect(await house.retention.sweep()).toBe(1);
  expect(await house.outputOf("later")).toBe(LONG);
  await house.advance(UNREFERENCED_MS);
  expect(await house.retention.sweep()).toBe(1);
  expect(await house.blobs.get(hash(LONG))).toBeUndefined();
});

test("a blob in the input of a running activation stays", async () => {
  const house = await open();
  await house.add("old", house.clock.now(), LONG);
  await house.add("running", null, "x");
  const frozen = JSON.stringify({ parts: [{ hash: hash(LONG) }] });
  await house.store.commit({
    writes: [{ kind: "update", table: "activations", where: { id: "running" }, set: { frozen } }],
  });
  await house.advance(KEPT_MS);
  await house.retention.sweep();
  expect(await house.blobs.get(hash(LONG))).toBeDefined();
});

test("a running activation without an input keeps no blob", async () => {
  const house = await open();
  await house.add("old", house.clock.now(), LONG);
  await house.add("running", null, "x");
  await house.advance(KEPT_MS);
  await house.retention.sweep();
  expect(await house.blobs.get(hash(LONG))).toBeUndefined();
});

test("an activation that was merged into another one stays and goes with it", async () => {
  const house = await open();
  const now = house.clock.now();
  for (const [index, id] of ["first", "second", "host"].entries()) await house.add(id, now + index, "words");
  for (const [id, host] of [
    ["first", "second"],
    ["second", "host"],
  ] as const)
    await house.store.commit({
      writes: [
        { kind: "update", table: "activations", where: { id }, set: plainSet("activations", { merged_into: host }) },
      ],
    });
  await house.advance(KEPT_MS + 1);
  await house.retention.sweep();
  expect(await house.store.select({ table: "activations" })).toHaveLength(3);
  await house.advance(1);
  await house.retention.sweep();
  expect(await house.store.select({ table: "activations" })).toEqual([]);
});

test("the frozen input of an activation is removed with it", async () => {
  const house = await open();
  await house.add("old", house.clock.now(), "words");
  const blob = await house.blobs.put(new TextEncoder().encode("frozen"));
  await house.store.commit({
    writes: [{ kind: "update", table: "activations", where: { id: "old" }, set: { frozen_blob: blob } }],
  });
  await house.advance(KEPT_MS + UNREFERENCED_MS);
  await house.retention.sweep();
  expect(await house.blobs.get(blob)).toBeUndefined();
});

test("activations that ended at the same instant are all removed", async () => {
  const house = await open();
  const now = house.clock.now();
  for (let index = 0; index < 250; index += 1) await house.add(`a${index}`, now + Math.floor(index / 120), "words");
  await house.advance(KEPT_MS + 10);
  expect(await house.retention.sweep()).toBe(250);
  expect(await house.store.select({ table: "steps" })).toEqual([]);
  expect(await house.store.select({ table: "activations" })).toEqual([]);
});

test("inbox messages are removed after the same time, also when no activation is due", async () => {
  const house = await open();
  const until: number[] = [];
  const { store, blobs, log } = house;
  const inbox = { sweep: async (at: number): Promise<number> => until.push(at) };
  const retention = createRetention({ world: house, log, store, blobs, ...others, inbox });
  expect(await retention.sweep()).toBe(1);
  expect(until).toEqual([house.clock.now() - KEPT_MS]);
});

test("rows of the audit log older than seven days are archived, also when no activation is due", async () => {
  const house = await open();
  const { store, blobs, log } = house;
  const until: number[] = [];
  const audit = { archive: async (at: number): Promise<number> => until.push(at) };
  await createRetention({ world: house, log, store, blobs, ...others, audit }).sweep();
  expect(until).toEqual([house.clock.now() - 7 * 24 * 60 * 60 * 1000]);
});

test("a power cut brings back no activation whose blobs are gone", async () => {
  const house = await open();
  const { log } = house;
  /** What happened, in order. */
  const happened: string[] = [];
  const store: Store = {
    ...house.store,
    commit: (change) => {
      happened.push(change.isReproducible === true ? "erased" : "durable");
      return house.store.commit(change);
    },
  };
  const blobs = { ...house.blobs, remove: (hash: string) => (happened.push("blob"), house.blobs.remove(hash)) };
  for (let index = 1; index <= 25; index += 1) await house.add(`old${index}`, index, `${LONG}${index}`);
  await house.advance(KEPT_MS + 25);
  await createRetention({ world: house, log, store, blobs, ...others }).sweep();
  expect(happened).toEqual(["erased", "erased", "erased", "durable", ...Array.from({ length: 25 }, () => "blob")]);
});

test("it sweeps periodically, survives a disk failure, and ends on abort", async () => {
  const house = await open();
  await house.add("old", house.clock.now(), "words");
  await house.advance(KEPT_MS);
  let isBroken = true;
  const store: Store = {
    ...house.store,
    commit: (change) => (isBroken ? Promise.reject(new Error("disk full")) : house.store.commit(change)),
  };
  const stop = new AbortController();
  const world = { clock: house.clock };
  const running = createRetention({
    world,
    log: house.log,
    store,
    blobs: house.blobs,
    ...others,
  }).run(stop.signal);
  await house.advance(60_000);
  expect(house.log.lines.join()).toContain("cannot erase");
  expect(await house.outputOf("old")).toBe("words");
  isBroken = false;
  await house.advance(6 * 60 * 60 * 1000);
  expect(await house.outputOf("old")).toBeUndefined();
  stop.abort();
  await running;
});

/** A house whose activations have these frozen inputs. `old` is due. */
const withInputs = async (
  inputs: Readonly<Record<string, { readonly frozen?: string; readonly frozen_blob?: string }>>,
) => {
  const house = await open();
  for (const [id, set] of Object.entries(inputs)) {
    await house.add(id, id === "old" ? house.clock.now() : null, "words");
    await house.store.commit({ writes: [{ kind: "update", table: "activations", where: { id }, set }] });
  }
  const put = (text: string) => house.blobs.put(new TextEncoder().encode(text));
  const has = async (text: string) => (await house.blobs.get(hash(text))) !== undefined;
  return { ...house, put, has };
};
const naming = (...texts: readonly string[]): string =>
  JSON.stringify({ parts: texts.map((text) => ({ hash: hash(text) })) });

test("a part of a frozen input is removed with the last activation that names it", async () => {
  const house = await withInputs({ old: { frozen: naming("own", "shared") }, waiting: { frozen: naming("shared") } });
  for (const text of ["own", "shared"]) await house.put(text);
  await house.advance(KEPT_MS - UNREFERENCED_MS);
  // Too young to be an orphan.
  await house.put("of nothing");
  await house.advance(UNREFERENCED_MS);
  expect(await house.retention.sweep()).toBe(1);
  expect([await house.has("own"), await house.has("shared"), await house.has("of nothing")]).toEqual([
    ...[false, true, true],
  ]);
});

test("a part of a frozen input stays while a row names it as its own body", async () => {
  const house = await withInputs({ old: { frozen: naming(LONG, "own") } });
  await house.add("later", null, LONG);
  await house.put("own");
  await house.advance(KEPT_MS);
  expect(await house.retention.sweep()).toBe(1);
  expect([await house.has(LONG), await house.has("own")]).toEqual([true, false]);
});

test("no blob is removed while the input of a running activation is damaged", async () => {
  const house = await withInputs({ old: {}, running: { frozen_blob: hash("missing") } });
  await house.add("older", house.clock.now(), LONG);
  await house.advance(KEPT_MS);
  expect(await house.retention.sweep()).toBe(2);
  expect(await house.has(LONG)).toBe(true);
});

test("a sweep of activations without blobs reads no input of a running one", async () => {
  const house = await withInputs({ old: {}, running: {} });
  await house.store.commit({
    writes: [
      {
        kind: "update",
        table: "activations",
        where: { id: "running" },
        set: { frozen_blob: await house.put("frozen") },
      },
    ],
  });
  await house.advance(KEPT_MS);
  let gets = 0;
  const blobs = { ...house.blobs, get: (name: string) => ((gets += 1), house.blobs.get(name)) };
  const { store, log } = house;
  expect(await createRetention({ world: house, log, store, blobs, ...others }).sweep()).toBe(1);
  expect(gets).toBe(0);
});

test("the first sweep is a minute after the start, and one that erased nothing is not logged", async () => {
  const house = await open();
  await house.add("old", house.clock.now(), "words");
  await house.advance(KEPT_MS);
  const stop = new AbortController();
  const running = house.retention.run(stop.signal);
  await house.advance(59_999);
  expect([await house.outputOf("old"), house.log.lines]).toEqual(["words", []]);
  await house.advance(1);
  expect([await house.outputOf("old"), house.log.lines.length]).toEqual([undefined, 1]);
  await house.advance(6 * 60 * 60 * 1000);
  expect(house.log.lines.length).toBe(1);
  stop.abort();
  await running;
});
