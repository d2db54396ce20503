/** The writing part of the store contract. */
import { plainRow } from "../../../fixtures/rows.ts";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Change, CommitResult, Store, Write } from "../store.ts";
import type { Row } from "../tables/tables.ts";
import {
  append,
  insert,
  insertActivation,
  insertKey,
  insertLogin,
  insertReader,
  insertStep,
  key,
  offsetsOf,
  reader,
  record,
  recordIds,
  type StoreHarness,
} from "./rows.conformance.ts";

export const storeWrites = (open: () => Promise<StoreHarness>): void => {
  describe("writes", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    describe("changes", () => {
      test("an inserted row is read column by column", async () => {
        const row = record("a", { version: 3, content: '{"name":"A"}' });
        expect(await store.commit({ writes: [insert(row)] })).toEqual({ kind: "committed", appended: [] });
        expect(await store.select({ table: "records" })).toEqual([row]);
      });

      test("later changes of a row object by its writer have no effect", async () => {
        const row = { ...record("a") };
        await store.commit({ writes: [insert(row)] });
        Object.assign(row, { version: 9 });
        expect(await store.select({ table: "records" })).toEqual([record("a")]);
      });

      test("an empty change is committed", async () => {
        expect(await store.commit({ writes: [] })).toEqual({ kind: "committed", appended: [] });
      });

      test("a later write of one change sees the earlier ones", async () => {
        await store.commit({
          writes: [insert(record("a")), { kind: "update", table: "records", where: { id: "a" }, set: { version: 9 } }],
        });
        expect((await store.select({ table: "records" }))[0]?.version).toBe(9);
      });

      test("put writes a new row, then replaces it as a whole", async () => {
        await store.commit({ writes: [{ kind: "put", table: "records", row: record("a") }] });
        const other = record("a", { handle: "renamed", version: 2, content: "{}" });
        await store.commit({ writes: [{ kind: "put", table: "records", row: other }] });
        expect(await store.select({ table: "records" })).toEqual([other]);
      });

      test("put uses the whole key where the key has several columns", async () => {
        const puts = [reader("one", "x", 1), reader("one", "y", 2), reader("two", "x", 3), reader("one", "x", 4)];
        await store.commit({ writes: puts.map((row) => ({ kind: "put", table: "readers", row })) });
        expect(await store.select({ table: "readers", order: [{ column: "offset" }] })).toEqual(puts.slice(1));
      });

      test("update changes every row that matches and no other", async () => {
        await store.commit({ writes: [insert(record("a")), insert(record("b")), insert(record("c", { version: 7 }))] });
        await store.commit({
          writes: [{ kind: "update", table: "records", where: { version: 1 }, set: { updated_at: 5 } }],
        });
        const rows = await store.select({ table: "records", order: [{ column: "id" }] });
        expect(rows.map((row) => row.updated_at)).toEqual([5, 5, 0]);
      });

      test("an update that sets nothing, or matches nothing, is not an error", async () => {
        const change: Change = {
          writes: [
            { kind: "update", table: "records", where: { id: "a" }, set: {} },
            { kind: "update", table: "records", where: { id: "nobody" }, set: { version: 2 } },
          ],
        };
        await store.commit({ writes: [insert(record("a"))] });
        expect(await store.commit(change)).toEqual({ kind: "committed", appended: [] });
        expect(await store.select({ table: "records" })).toEqual([record("a")]);
      });

      test("delete removes every row that matches and no other, and frees unique values", async () => {
        await store.commit({ writes: [insert(record("a")), insert(record("b")), insert(record("c", { version: 7 }))] });
        await store.commit({ writes: [{ kind: "delete", table: "records", where: { version: 1 } }] });
        expect(await recordIds(store)).toEqual(["c"]);
        expect(await store.commit({ writes: [insert(record("a"))] })).toMatchObject({ kind: "committed" });
      });

      test("null matches null, in where, update and delete", async () => {
        const open = key("open", { revoked_at: null });
        await store.commit({ writes: [insertKey(open), insertKey(key("shut", { revoked_at: 5 }))] });
        expect(await store.select({ table: "keys", where: { revoked_at: null } })).toEqual([open]);
        await store.commit({
          writes: [{ kind: "update", table: "keys", where: { revoked_at: null }, set: { revoked_at: 6 } }],
        });
        await store.commit({
          writes: [{ kind: "update", table: "keys", where: { revoked_at: 5 }, set: { revoked_at: null } }],
        });
        await store.commit({ writes: [{ kind: "delete", table: "keys", where: { revoked_at: null } }] });
        const remainingKeys = await store.select({ table: "keys" });
        expect<unknown>(remainingKeys.map((row) => [row.id, row.revoked_at])).toEqual([["open", 6]]);
      });

      test("commits apply in call order", async () => {
        await store.commit({ writes: [insert(record("a", { version: 1 }))] });
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            store.commit({
              guards: [{ kind: "exists", table: "records", where: { version: index + 1 } }],
              writes: [{ kind: "update", table: "records", where: { id: "a" }, set: { version: index + 2 } }],
            }),
          ),
        );
        expect((await store.select({ table: "records" }))[0]?.version).toBe(51);
      });

      test("a read sees what was committed before it", async () => {
        for (const id of ["a", "b", "c"]) {
          await store.commit({ writes: [insert(record(id))] });
          expect(await recordIds(store)).toContain(id);
        }
      });
    });

    describe("erasing texts", () => {
      const redact = (id: string): Write => ({
        ...{ kind: "update", table: "events", where: { stream: "room:r", id } },
        set: { body: "{}", blob: null, labels: null },
      });

      test("a redacted event has its new text, and keeps its offset, its id and what follows it", async () => {
        await store.commit({ writes: [append("room:r", "e1"), append("room:r", "e2"), append("room:s", "e1")] });
        const [, second] = await store.select({ table: "events", order: [{ column: "offset" }] });
        await store.commit({ writes: [redact("e1"), redact("nobody")] });
        const rows = await store.select({
          table: "events",
          where: { stream: "room:r" },
          order: [{ column: "offset" }],
        });
        expect(rows.map(({ id, offset, body }) => [id, offset, body])).toEqual([
          ["e1", 1, "{}"],
          ["e2", 2, (await store.select({ table: "events", where: { stream: "room:r", id: "e2" } }))[0]?.body ?? ""],
        ]);
        const [other] = await store.select({ table: "events", where: { stream: "room:s", id: "e1" } });
        expect([other?.body, other?.seal]).toEqual([second?.body ?? null, null]);
        const again = await store.commit({ writes: [append("room:r", "e1"), append("room:r", "e3")] });
        expect(again).toMatchObject({
          appended: [
            { kind: "duplicate", offset: 1 },
            { kind: "appended", offset: 3 },
          ],
        });
      });

      test("a redaction in a refused change has no effect", async () => {
        await store.commit({ writes: [append("room:r", "e1"), insert(record("taken"))] });
        const [before] = await store.select({ table: "events" });
        expect(await store.commit({ writes: [redact("e1"), insert(record("taken"))] })).toMatchObject({
          kind: "conflict",
        });
        expect(await store.select({ table: "events" })).toEqual([before as Row<"events">]);
      });

      test("trimming removes a stream's first events and keeps its offsets and its head", async () => {
        const ids = ["e1", "e2", "e3", "e4"];
        await store.commit({ writes: [...ids.map((id) => append("audit:a", id)), append("audit:b", "e1")] });
        const trim = (through: number): Write => ({
          kind: "trim",
          table: "events",
          where: { stream: "audit:a" },
          through,
        });
        await store.commit({ writes: [trim(2)] });
        expect(await offsetsOf(store, "audit:a")).toEqual([3, 4]);
        expect(await offsetsOf(store, "audit:b")).toEqual([1]);
        await store.commit({ writes: [trim(1), append("audit:a", "e5"), trim(3), append("audit:a", "e6")] });
        expect(await offsetsOf(store, "audit:a")).toEqual([4, 5, 6]);
        expect(await store.select({ table: "heads", where: { stream: "audit:a" } })).toEqual([
          { stream: "audit:a", head: 6 },
        ]);
        await store.commit({ writes: [insert(record("taken"))] });
        const refused = await store.commit({ writes: [trim(5), insert(record("taken"))] });
        expect(refused).toMatchObject({ kind: "conflict" });
        expect(await offsetsOf(store, "audit:a")).toEqual([4, 5, 6]);
        expect(await store.commit({ writes: [append("audit:a", "e5")] })).toMatchObject({
          appended: [{ kind: "duplicate", offset: 5 }],
        });
      });

      test("shrinking keeps present data and ends", async () => {
        const body = "x".repeat(10_000);
        for (let index = 0; index < 20; index += 1) {
          const { event, ...write } = append("room:gone", `e${index}`);
          await store.commit({ writes: [{ ...write, event: { ...event, body } }] });
        }
        await store.commit({
          writes: [insert(record("a")), { kind: "delete", table: "events", where: { stream: "room:gone" } }],
        });
        let [remainingPages, steps] = [Infinity, 0];
        for (; remainingPages > 0; steps += 1) {
          const pages = await store.shrink(8);
          expect(pages).toBeLessThan(remainingPages);
          remainingPages = pages;
        }
        expect(steps).toBeLessThan(20);
        expect(await recordIds(store)).toEqual(["a"]);
      });

      test("a scrub keeps present data", async () => {
        await store.commit({ writes: [insert(record("a"))] });
        await store.scrub();
        expect(await recordIds(store)).toEqual(["a"]);
      });
    });

    describe("conflicts", () => {
      const login = plainRow("logins", {
        hash: "h",
        id: "s",
        agent: "a",
        about: "",
        created_at: 0,
        expires_at: 1,
        name: null,
        used_at: 0,
        address: null,
        method: null,
      });
      const duplicateWrites: readonly {
        readonly what: string;
        readonly table: string;
        readonly writes: readonly [Write, Write];
      }[] = [
        { what: "a key", table: "records", writes: [insert(record("a")), insert(record("a", { handle: "other" }))] },
        {
          what: "unique columns",
          table: "records",
          writes: [insert(record("a")), insert(record("b", { handle: "a" }))],
        },
        { what: "a key of two columns", table: "readers", writes: [insertReader("r", "s"), insertReader("r", "s")] },
        {
          what: "a second unique column",
          table: "keys",
          writes: [insertKey(key("a")), insertKey(key("b", { hash: "hash-a" }))],
        },
        {
          what: "the hash of a login",
          table: "logins",
          writes: [insertLogin(login), insertLogin(plainRow("logins", { ...login, agent: "b" }))],
        },
        { what: "an activation", table: "activations", writes: [insertActivation("x"), insertActivation("x")] },
        { what: "a step", table: "steps", writes: [insertStep(1), insertStep(1)] },
      ];
      for (const { what, table, writes } of duplicateWrites) {
        test(`inserting ${what} twice is a conflict on ${table}, across changes and within one`, async () => {
          const conflict = { kind: "conflict", table } as CommitResult;
          expect(await store.commit({ writes })).toEqual(conflict);
          expect(await store.commit({ writes: [writes[0]] })).toMatchObject({ kind: "committed" });
          expect(await store.commit({ writes: [writes[1]] })).toEqual(conflict);
        });
      }

      test("rows that share only a part of a unique set do not conflict", async () => {
        const writes = [
          insert(record("a", { handle: "same" })),
          insert(record("b", { handle: "same", type: "room" })),
          insert(record("c", { handle: "same", house: "other" })),
          insertReader("r", "s"),
          insertReader("r", "t"),
          insertStep(1),
          insertStep(2),
        ];
        expect(await store.commit({ writes })).toMatchObject({ kind: "committed" });
      });

      test("a put or an update that would duplicate unique columns is a conflict", async () => {
        await store.commit({ writes: [insert(record("a")), insert(record("b"))] });
        const taken = { kind: "conflict", table: "records" } as const;
        expect(
          await store.commit({ writes: [{ kind: "put", table: "records", row: record("b", { handle: "a" }) }] }),
        ).toEqual(taken);
        expect(
          await store.commit({ writes: [{ kind: "put", table: "records", row: record("c", { handle: "a" }) }] }),
        ).toEqual(taken);
        expect(
          await store.commit({
            writes: [{ kind: "update", table: "records", where: { id: "b" }, set: { handle: "a" } }],
          }),
        ).toEqual(taken);
        expect(
          await store.commit({ writes: [{ kind: "update", table: "records", where: {}, set: { handle: "same" } }] }),
        ).toEqual(taken);
        expect(await store.select({ table: "records", order: [{ column: "id" }] })).toEqual([record("a"), record("b")]);
      });

      test("earlier writes of a change with a conflict are rolled back, events too", async () => {
        await store.commit({ writes: [insert(record("a")), append("s", "e1")] });
        const result = await store.commit({
          writes: [
            insert(record("b")),
            append("s", "e2"),
            append("t", "e3"),
            { kind: "update", table: "records", where: { id: "a" }, set: { version: 5 } },
            { kind: "delete", table: "records", where: { id: "b" } },
            { kind: "put", table: "readers", row: reader("r", "s", 1) },
            insert(record("a")),
          ],
        });
        expect(result).toEqual({ kind: "conflict", table: "records" });
        expect(await store.select({ table: "records" })).toEqual([record("a")]);
        expect(await store.select({ table: "readers" })).toEqual([]);
        expect(await offsetsOf(store, "s")).toEqual([1]);
        expect(await store.select({ table: "heads" })).toEqual([{ stream: "s", head: 1 }]);
        const next = await store.commit({ writes: [append("s", "e2"), append("t", "e3")] });
        expect(next).toMatchObject({ kind: "committed", appended: [{ offset: 2 }, { offset: 1 }] });
      });
    });
  });
};
