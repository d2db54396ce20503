/** The reading part of the store contract. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../store.ts";
import { append, insert, insertKey, key, reader, record, recordIds, type StoreHarness } from "./rows.conformance.ts";

export const storeReads = (open: () => Promise<StoreHarness>): void => {
  describe("reads", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    describe("reads", () => {
      test("comparisons beyond equality are supported, and all have to hold", async () => {
        await store.commit({ writes: [1, 2, 3, 4, 5].map((offset) => append("s", `e${offset}`)) });
        const read = async (
          ...and: readonly (readonly ["<" | "<=" | ">" | ">=", number])[]
        ): Promise<readonly number[]> => {
          const rows = await store.select({
            table: "events",
            where: { stream: "s" },
            and: and.map(([is, value]) => ({ column: "offset" as const, is, value })),
            order: [{ column: "offset" }],
          });
          return rows.map((row) => row.offset);
        };
        expect(await read([">", 2])).toEqual([3, 4, 5]);
        expect(await read([">=", 2])).toEqual([2, 3, 4, 5]);
        expect(await read(["<", 2])).toEqual([1]);
        expect(await read(["<=", 2])).toEqual([1, 2]);
        expect(await read([">", 1], ["<", 5], [">=", 3])).toEqual([3, 4]);
      });

      test("in takes any number of values: none, one, three, a thousand", async () => {
        await store.commit({ writes: ["a", "b", "c", "d"].map((id) => insert(record(id))) });
        const idsAmong = async (value: readonly string[]): Promise<readonly string[]> => {
          const rows = await store.select({
            table: "records",
            and: [{ column: "id", is: "in", value }],
            order: [{ column: "id" }],
          });
          return rows.map((row) => row.id);
        };
        expect(await idsAmong([])).toEqual([]);
        expect(await idsAmong(["b"])).toEqual(["b"]);
        expect(await idsAmong(["d", "nobody", "a"])).toEqual(["a", "d"]);
        expect(await idsAmong([...Array.from({ length: 1000 }, (_, index) => `x${index}`), "c"])).toEqual(["c"]);
      });

      test("null is first in order and satisfies no comparison", async () => {
        const keys = [key("a", { revoked_at: 2 }), key("b", { revoked_at: null }), key("c", { revoked_at: 1 })];
        await store.commit({ writes: keys.map(insertKey) });
        const order = [{ column: "revoked_at" }] as const;
        const ordered = await store.select({ table: "keys", order });
        expect<readonly string[]>(ordered.map((row) => row.id)).toEqual(["b", "c", "a"]);
        const rowsBelow = await store.select({
          table: "keys",
          and: [{ column: "revoked_at", is: "<", value: 9 }],
          order,
        });
        expect<readonly string[]>(rowsBelow.map((row) => row.id)).toEqual(["c", "a"]);
        expect(await store.select({ table: "keys", and: [{ column: "revoked_at", is: "in", value: [null] }] })).toEqual(
          [],
        );
        expect(await store.select({ table: "keys", and: [{ column: "revoked_at", is: ">=", value: null }] })).toEqual(
          [],
        );
      });

      test("order applies column by column, each in its direction", async () => {
        const rows = [reader("a", "x", 1), reader("b", "x", 2), reader("a", "y", 2), reader("b", "y", 1)];
        await store.commit({ writes: rows.map((row) => ({ kind: "insert", table: "readers", row })) });
        const read = await store.select({
          table: "readers",
          order: [{ column: "stream", descending: true }, { column: "offset" }],
        });
        expect(read.map((row) => `${row.stream}${row.offset}`)).toEqual(["y1", "y2", "x1", "x2"]);
      });

      test("limit takes the first rows of the order; 0 takes none", async () => {
        await store.commit({ writes: ["c", "a", "b"].map((id) => insert(record(id))) });
        const takeIds = async (limit: number): Promise<readonly string[]> =>
          (await store.select({ table: "records", order: [{ column: "id" }], limit })).map((row) => row.id);
        expect(await takeIds(2)).toEqual(["a", "b"]);
        expect(await takeIds(9)).toEqual(["a", "b", "c"]);
        expect(await takeIds(0)).toEqual([]);
        expect(await store.select({ table: "records", limit: 2 })).toHaveLength(2);
      });

      test("text is ordered and compared by code point", async () => {
        const sorted = [
          "",
          "\u0000",
          "A",
          "a",
          "a\u0000",
          "aa",
          "é",
          "\ud7ff",
          "\ue000",
          "\uff5e",
          "\uffff",
          "\u{10000}",
          "😀",
          "😁",
          "\u{10ffff}",
        ];
        await store.commit({ writes: [...sorted].reverse().map((id) => insert(record(id))) });
        expect(await recordIds(store)).toEqual(sorted);
        const rowsAbove = await store.select({
          table: "records",
          and: [{ column: "id", is: ">", value: "\uff5e" }],
          order: [{ column: "id" }],
        });
        expect<readonly string[]>(rowsAbove.map((row) => row.id)).toEqual(sorted.slice(sorted.indexOf("\uff5e") + 1));
      });
    });

    describe("text", () => {
      const texts = {
        "U+0000": "a\u0000b",
        emoji: "👩‍👩‍👧‍👦 😀",
        "a byte order mark": "\ufeffx",
        quotes: `'"\`;--?$1`,
        "1 MB": "é".repeat(500_000),
      };
      for (const [what, text] of Object.entries(texts)) {
        test(`${what} is stored exactly, in rows, matches and events`, async () => {
          await store.commit({
            writes: [insert(record("a", { content: text, handle: text })), append("s", text, text)],
          });
          expect((await store.select({ table: "records", where: { handle: text } }))[0]?.content === text).toBe(true);
          const [event] = await store.select({ table: "events", where: { stream: "s", id: text } });
          expect(event?.id === text && event.body === text).toBe(true);
        });
      }

      test("an instant is stored to the millisecond", async () => {
        await store.commit({ writes: [insert(record("a", { updated_at: 8_640_000_000_000_000 }))] });
        expect((await store.select({ table: "records" }))[0]?.updated_at).toBe(8_640_000_000_000_000);
      });
    });
  });
};
