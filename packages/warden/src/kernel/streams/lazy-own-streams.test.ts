import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createLazyOwnStreams } from "./lazy-own-streams.ts";
import type { OwnStreams } from "./own-streams.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const open = (store: Pick<Store, "select"> = createMemoryStore(), fails = 0) => {
  const seen: string[] = [];
  const own = {
    run: async (signal: AbortSignal) => {
      seen.push("runs");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      seen.push("ends");
    },
  } as OwnStreams;
  const load = async (): Promise<OwnStreams> => {
    seen.push("loads");
    if (fails-- > 0) throw new Error("the disk is gone");
    return own;
  };
  return { seen, own, late: createLazyOwnStreams({ store, load }) };
};

const insert = async (store: Store): Promise<void> => {
  const row = { house: "h", id: "s", owner: "a", config: "{}", secret: "", generation: 0, wake: null, holder: null };
  const more = { lease_until: null, attempts: 0, retry_at: null, created_at: 0 };
  await store.commit({
    writes: [{ kind: "insert", table: "subscriptions", row: plainRow("subscriptions", { ...row, ...more }) }],
  });
};

test("a house without byte streams reads nothing until a request; then they are maintained, once", async () => {
  const { seen, own, late } = open();
  const stop = new AbortController();
  const running = late.run(stop.signal);
  await turn();
  expect(seen).toEqual([]);
  expect(await Promise.all([late.get(), late.get()])).toEqual([own, own]);
  await turn();
  expect(seen).toEqual(["loads", "runs"]);
  stop.abort();
  await running;
  expect(seen).toEqual(["loads", "runs", "ends"]);
});

test("byte streams of an earlier daemon are maintained from the start", async () => {
  const store = createMemoryStore();
  await insert(store);
  const { seen, late } = open(store);
  const stop = new AbortController();
  const running = late.run(stop.signal);
  await turn();
  expect(seen).toEqual(["loads", "runs"]);
  stop.abort();
  await running;
});

test("they are maintained too if their existence is unknown", async () => {
  const { seen, late } = open({ select: () => Promise.reject(new Error("the disk is gone")) });
  const stop = new AbortController();
  const running = late.run(stop.signal);
  await turn();
  expect(seen).toEqual(["loads", "runs"]);
  stop.abort();
  await running;
});

test("a failed load is repeated at the next request", async () => {
  const { seen, own, late } = open(undefined, 1);
  const stop = new AbortController();
  const running = late.run(stop.signal);
  await expect(late.get()).rejects.toThrow("the disk is gone");
  expect(await late.get()).toBe(own);
  await turn();
  expect(seen).toEqual(["loads", "loads", "runs"]);
  stop.abort();
  await running;
});
