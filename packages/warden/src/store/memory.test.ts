import { expect, test } from "bun:test";
import { createMemoryStore } from "./memory.ts";
import { insert, record } from "./rows.conformance.ts";
import { storeConformance } from "./store.conformance.ts";

storeConformance("memory", () => {
  const store = createMemoryStore();
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() });
});

test("a read that does not wait for a commit is not lucky", async () => {
  await using store = createMemoryStore();
  const committed = store.commit({ writes: [insert(record("a"))] });
  expect(await store.select({ table: "records" })).toEqual([]);
  await committed;
});
