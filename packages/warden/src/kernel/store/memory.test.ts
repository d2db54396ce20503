import { expect, test } from "bun:test";
import { createMemoryStore } from "./memory.ts";
import { append, insert, record, testSealer } from "./conformance/rows.conformance.ts";
import { storeConformance } from "./store.conformance.ts";

storeConformance("memory", () => {
  const store = createMemoryStore({ sealer: testSealer });
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() });
});

test("a power cut loses reproducible changes after the last change that is not", async () => {
  await using store = createMemoryStore();
  await store.commit({ writes: [insert(record("a"))] });
  await store.commit({ writes: [insert(record("kept"))], isReproducible: true });
  await store.commit({ writes: [{ kind: "put", table: "records", row: record("a", { type: "room" }) }] });
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: "a" } }], isReproducible: true });
  await store.commit({
    writes: [insert(record("a", { type: "house" })), insert(record("gone"))],
    isReproducible: true,
  });
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

test("a restored copy has the rows and events of its time, and no others", async () => {
  await using store = createMemoryStore();
  const rows = async () => ({
    records: (await store.select({ table: "records" })).map(({ id, type }) => `${id} ${type}`).toSorted(),
    events: (await store.select({ table: "events" })).map(({ stream, id }) => `${stream} ${id}`).toSorted(),
  });
  await store.commit({ writes: [insert(record("kept")), insert(record("removed")), append("s", "first")] });
  const before = await rows();
  const restore = store.copy();
  await store.commit({
    writes: [
      { kind: "put", table: "records", row: record("kept", { type: "room" }) },
      { kind: "delete", table: "records", where: { id: "removed" } },
      insert(record("new")),
      append("s", "second"),
      append("other", "first"),
    ],
  });
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: "kept" } }], isReproducible: true });
  for (let times = 0; times < 2; times += 1) {
    restore();
    expect(await rows()).toEqual(before);
  }
  store.cutPower();
  expect(await rows()).toEqual(before);
});
