import { describe, expect, test } from "bun:test";
import { createMemoryStore } from "./memory.ts";
import { pagesBy } from "./pages.ts";
import type { Query } from "./store.ts";

/** Rows of a table with these values of `at`; the id is the index. */
const open = async (values: readonly number[]) => {
  const store = createMemoryStore();
  const row = { agent: "a", activation: null, host: "h", port: 1, method: null, path: null, outcome: "allowed" };
  const rest = { status: null, why: null, sent_bytes: 0, received_bytes: 0, secrets: "[]", usage: null };
  await store.commit({
    writes: values.map((at, index) => ({
      kind: "insert",
      table: "egress",
      row: { ...row, ...rest, id: `egr_${String(index).padStart(3, "0")}`, host: index % 2 === 0 ? "even" : "odd", at },
    })),
  });
  let queries = 0;
  const select: typeof store.select = (query) => ((queries += 1), store.select(query));
  const read = async (
    size: number,
    over: { descending?: true; where?: NonNullable<Query<"egress">["where"]> } = {},
  ) => {
    queries = 0;
    const pages: (readonly { readonly id: string; readonly at: number }[])[] = [];
    const options = { table: "egress", column: "at", idOf: ({ id }: { id: string }) => id, size, ...over } as const;
    for await (const page of pagesBy({ select }, options)) pages.push(page);
    return { pages, ats: pages.flat().map(({ at }) => at), ids: pages.flat().map(({ id }) => id), queries };
  };
  return { read };
};
const isOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

describe("pages", () => {
  test("have every row once, in order, in either direction", async () => {
    const { read } = await open([5, 1, 4, 2, 3]);
    for (const size of [1, 2, 3, 4, 5, 6, 100]) {
      expect((await read(size)).ats).toEqual([1, 2, 3, 4, 5]);
      expect((await read(size, { descending: true })).ats).toEqual([5, 4, 3, 2, 1]);
    }
  });

  test("have rows with equal values once, also if they fill more than a page", async () => {
    const values = [1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3];
    const { read } = await open(values);
    for (const size of [1, 2, 3, 5, 7, 13, 14])
      for (const over of [{}, { descending: true as const }]) {
        const { ids, ats } = await read(size, over);
        expect([isOnce(ids), ids.length]).toEqual([true, values.length]);
        expect(ats).toEqual(over.descending === true ? values.toReversed() : values);
      }
  });

  test("are limited to the matching rows", async () => {
    const { read } = await open([1, 2, 3, 4, 5]);
    expect((await read(2, { where: { host: "odd" } })).ats).toEqual([2, 4]);
    expect((await read(2, { where: { host: "none" } })).pages).toEqual([]);
  });

  test("are as long as their size, and no query follows one that was not full", async () => {
    const { read } = await open([1, 2, 3, 4, 5]);
    const five = await read(2);
    expect([five.pages.map((page) => page.length), five.queries]).toEqual([[2, 2, 1], 3]);
    expect((await read(6)).queries).toBe(1);
    // A full page may be the last one.
    expect((await read(5)).queries).toBe(2);
  });
});
