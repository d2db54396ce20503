import { expect, test } from "bun:test";
import { createMemoryStore } from "./memory.ts";
import { insert, record, testSealer } from "./conformance/rows.conformance.ts";
import { storeConformance } from "./store.conformance.ts";

storeConformance("memory", () => {
  const store = createMemoryStore({ sealer: testSealer });
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() });
});

test("a power cut loses reproducible changes after the last change that is not", async () => {
  await using store = createMemoryStore();
  await store.commit({ writes: [insert(record("a"))] });
  await store.commit({ writes: [insert(record("kept"))], remade: true });
  await store.commit({ writes: [{ kind: "put", table: "records", row: record("a", { type: "room" }) }] });
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: "a" } }], remade: true });
  await store.commit({ writes: [insert(record("a", { type: "house" })), insert(record("gone"))], remade: true });
  store.cutPower();
  const rows = await store.select({ table: "records", order: [{ column: "id" }] });
  expect(rows.map(({ id, type }) => `${id} ${type}`)).toEqual(["a room", `kept ${record("kept").type}`]);
});

test("a read that does not wait for a pending commit does not see it", async () => {
  await using store = createMemoryStore();
  const committed = store.commit({ writes: [insert(record("a"))] });
  expect(await store.select({ table: "records" })).toEqual([]);
  await committed;
});
