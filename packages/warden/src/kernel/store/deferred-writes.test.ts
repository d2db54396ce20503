/** Deferred writes: when they are written, and in which order. */
import { plainEvent } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createMemoryStore } from "./memory.ts";
import { createDeferringStore, type DeferredWrite } from "./deferred-writes.ts";
import type { Store } from "./store.ts";

const cursor = (value: string): DeferredWrite => ({
  kind: "put",
  table: "cursors",
  row: { channel: "c", cursor: value },
});
const anything = { kind: "put", table: "readers", row: { reader: "r", stream: "s", offset: 1 } } as const;
const kept = async (store: Store): Promise<string | undefined> =>
  (await store.select({ table: "cursors", where: { channel: "c" } }))[0]?.cursor;

test("a deferred write is written by the next commit, once, and never on its own", async () => {
  const inner = createMemoryStore();
  const { store, defer } = createDeferringStore(inner);
  defer("c", cursor("1"));
  expect(await kept(store)).toBeUndefined();
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBe("1");
  await inner.commit({ writes: [{ kind: "delete", table: "cursors", where: { channel: "c" } }] });
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBeUndefined();
});

test("of several deferred writes under one name, the last is written", async () => {
  const { store, defer } = createDeferringStore(createMemoryStore());
  defer("c", cursor("1"));
  defer("c", cursor("2"));
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBe("2");
});

test("a deferred write of a refused or failed commit is in the next one", async () => {
  const inner = createMemoryStore();
  let isBroken = false;
  const { store, defer } = createDeferringStore({
    ...inner,
    commit: (change) =>
      isBroken ? Promise.reject(new HearthError("store.unavailable", "The disk is full.")) : inner.commit(change),
  });
  defer("c", cursor("1"));
  const guards = [{ kind: "exists", table: "holds", where: { scope: "house" } }] as const;
  expect(await store.commit({ guards, writes: [anything] })).toEqual({ kind: "refused", guard: undefined });
  isBroken = true;
  await expect(store.commit({ writes: [anything] })).rejects.toThrow("full");
  isBroken = false;
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBe("1");
});

test("a failed deferred write does not overwrite a later one", async () => {
  const inner = createMemoryStore();
  const first = Promise.withResolvers<never>();
  let calls = 0;
  const { store, defer } = createDeferringStore({
    ...inner,
    commit: (change) => ((calls += 1) === 1 ? first.promise : inner.commit(change)),
  });
  defer("c", cursor("1"));
  const failing = store.commit({ writes: [anything] });
  defer("c", cursor("2"));
  await store.commit({ writes: [anything] });
  first.reject(new HearthError("store.unavailable", "The disk is full."));
  await expect(failing).rejects.toThrow("full");
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBe("2");
});

test("a commit returns only its own events", async () => {
  const { store, defer } = createDeferringStore(createMemoryStore());
  defer("c", cursor("1"));
  const event = plainEvent({ id: "evt", type: "message", at: 1, body: "{}", blob: null, labels: null });
  const result = await store.commit({ writes: [{ kind: "append", stream: "s", event }] });
  expect(result).toMatchObject({ kind: "committed", appended: [{ kind: "appended", offset: 1 }] });
});

test("`flush` makes deferred writes durable, also if the commit with them is refused", async () => {
  const inner = createMemoryStore();
  const first = Promise.withResolvers<Awaited<ReturnType<Store["commit"]>>>();
  let calls = 0;
  const { store, defer, flush } = createDeferringStore({
    ...inner,
    commit: (change) => ((calls += 1) === 1 ? first.promise : inner.commit(change)),
  });
  defer("c", cursor("1"));
  const carrier = store.commit({ writes: [anything] });
  await flush();
  expect(await kept(store)).toBe("1");
  first.resolve({ kind: "refused", guard: undefined });
  await carrier;
  await inner.commit({ writes: [{ kind: "delete", table: "cursors", where: { channel: "c" } }] });
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBeUndefined();
});

test("`flush` writes what waits, once, and nothing when nothing waits", async () => {
  const inner = createMemoryStore();
  let commits = 0;
  const { store, defer, flush } = createDeferringStore({
    ...inner,
    commit: (change) => ((commits += 1), inner.commit(change)),
  });
  await flush();
  expect(commits).toBe(0);
  defer("c", cursor("1"));
  await flush();
  expect([await kept(store), commits]).toEqual(["1", 1]);
  await flush();
  expect(commits).toBe(1);
  await inner.commit({ writes: [{ kind: "delete", table: "cursors", where: { channel: "c" } }] });
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBeUndefined();
});

test("a write that was deferred during `flush` is in the next commit", async () => {
  const inner = createMemoryStore();
  const gate = Promise.withResolvers<void>();
  const { store, defer, flush } = createDeferringStore({
    ...inner,
    commit: (change) => gate.promise.then(() => inner.commit(change)),
  });
  defer("c", cursor("1"));
  const flushing = flush();
  defer("c", cursor("2"));
  gate.resolve();
  await flushing;
  expect(await kept(store)).toBe("1");
  await store.commit({ writes: [anything] });
  expect(await kept(store)).toBe("2");
});
