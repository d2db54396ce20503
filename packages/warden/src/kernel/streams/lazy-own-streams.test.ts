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
  await store.commit({ writes: [{ kind: "insert", table: "subscriptions", row: { ...row, ...more } }] });
};

test("a house without any reads nothing, until somebody asks; then they are looked after too, once", async () => {
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

test("what an earlier daemon left is looked after from the start", async () => {
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

test("so it is where nobody can say what there is", async () => {
  const { seen, late } = open({ select: () => Promise.reject(new Error("the disk is gone")) });
  const stop = new AbortController();
  const running = late.run(stop.signal);
  await turn();
  expect(seen).toEqual(["loads", "runs"]);
  stop.abort();
  await running;
});

test("what could not be read is read when it is asked for again", async () => {
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
