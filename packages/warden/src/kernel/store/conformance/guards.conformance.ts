/** Guards, and the order and offsets of events. */
import { plainEvent } from "../../../fixtures/rows.ts";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Change, CommitResult, Store } from "../store.ts";
import { append, insert, insertKey, key, offsetsOf, record, recordIds, type StoreHarness } from "./rows.conformance.ts";

export const storeGuards = (open: () => Promise<StoreHarness>): void => {
  describe("guards and appends", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    describe("guards", () => {
      test("exists and absent refuse with the name of the first guard that fails", async () => {
        await store.commit({ writes: [insert(record("a"))] });
        const change = (guards: NonNullable<Change["guards"]>): Change => ({ guards, writes: [insert(record("b"))] });
        const matchingGuard = { name: "there", kind: "exists", table: "records", where: { id: "a" } } as const;
        const absentGuard = {
          name: "not there",
          kind: "absent",
          table: "records",
          where: { id: "a", version: 2 },
        } as const;
        const failingGuard = { ...matchingGuard, name: "failing", where: { id: "a", version: 2 } };
        expect(await store.commit(change([matchingGuard, failingGuard, { ...failingGuard, name: "later" }]))).toEqual({
          kind: "refused",
          guard: "failing",
        });
        const presentGuard = { ...absentGuard, name: "present", where: {} };
        expect(await store.commit(change([presentGuard, matchingGuard]))).toEqual({
          kind: "refused",
          guard: "present",
        });
        expect(await recordIds(store)).toEqual(["a"]);
        expect(await store.commit(change([matchingGuard, absentGuard]))).toMatchObject({ kind: "committed" });
      });

      test("a guard matches null", async () => {
        await store.commit({ writes: [insertKey(key("a", { revoked_at: 5 }))] });
        const commitWithGuard = (kind: "exists" | "absent"): Promise<CommitResult> =>
          store.commit({ guards: [{ kind, table: "keys", where: { revoked_at: null } }], writes: [] });
        expect(await commitWithGuard("exists")).toEqual({ kind: "refused", guard: undefined });
        expect(await commitWithGuard("absent")).toMatchObject({ kind: "committed" });
      });

      test("a guard may use events and heads", async () => {
        await store.commit({ writes: [append("s", "e1")] });
        const commitWithGuard = (stream: string): Promise<CommitResult> =>
          store.commit({
            guards: [
              { kind: "exists", table: "events", where: { stream, id: "e1" } },
              { kind: "exists", table: "heads", where: { stream } },
            ],
            writes: [],
          });
        expect(await commitWithGuard("s")).toMatchObject({ kind: "committed" });
        expect(await commitWithGuard("t")).toEqual({ kind: "refused", guard: undefined });
      });

      test("head holds only for the last offset, and is 0 for a stream without events", async () => {
        const commitAtHead = (offset: number): Promise<CommitResult> =>
          store.commit({ guards: [{ kind: "head", stream: "s", offset }], writes: [append("s", `e${offset}`)] });
        expect(await commitAtHead(1)).toEqual({ kind: "refused", guard: undefined });
        expect(await commitAtHead(0)).toMatchObject({ kind: "committed" });
        expect(await commitAtHead(0)).toEqual({ kind: "refused", guard: undefined });
        expect(await commitAtHead(1)).toMatchObject({ kind: "committed" });
        expect(await offsetsOf(store, "s")).toEqual([1, 2]);
      });

      test("a guard sees earlier changes of the same group: of many concurrent claims, one succeeds", async () => {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.commit({
              guards: [{ kind: "absent", table: "records", where: { type: "agent" } }],
              writes: [insert(record(`r${index}`))],
            }),
          ),
        );
        expect(results.map((result) => result.kind)).toEqual([
          "committed",
          ...Array.from({ length: 19 }, () => "refused" as const),
        ]);
        expect(await recordIds(store)).toEqual(["r0"]);
      });
    });

    describe("appends", () => {
      test("offsets are dense in every stream under 500 concurrent commits", async () => {
        const results = await Promise.all(
          Array.from({ length: 500 }, (_, index) => store.commit({ writes: [append(`s${index % 7}`, `e${index}`)] })),
        );
        for (let stream = 0; stream < 7; stream += 1) {
          const appended = results.flatMap((result) => (result.kind === "committed" ? result.appended : []));
          const streamOffsets = appended.filter((event) => event.stream === `s${stream}`).map((event) => event.offset);
          expect(streamOffsets).toEqual(streamOffsets.map((_, index) => index + 1));
          expect(await offsetsOf(store, `s${stream}`)).toEqual(streamOffsets);
        }
      });

      test("appended events can be read, and the head follows", async () => {
        const event = plainEvent({ id: "e1", type: "message", at: 5, body: null, blob: "hash", labels: null });
        const result = await store.commit({
          writes: [{ kind: "append", stream: "s", event }, append("s", "e2"), append("t", "e1")],
        });
        expect<unknown>(result).toEqual({
          kind: "committed",
          appended: [
            { kind: "appended", stream: "s", id: "e1", offset: 1 },
            { kind: "appended", stream: "s", id: "e2", offset: 2 },
            { kind: "appended", stream: "t", id: "e1", offset: 1 },
          ],
        });
        expect(await store.select({ table: "events", where: { stream: "s", id: "e1" } })).toEqual([
          { stream: "s", offset: 1, ...event, seal: null },
        ]);
        expect(await store.select({ table: "heads", order: [{ column: "stream" }] })).toEqual([
          { stream: "s", head: 2 },
          { stream: "t", head: 1 },
        ]);
      });

      test("a known id is a duplicate with its first offset, across changes and within one", async () => {
        await store.commit({ writes: [append("s", "e1"), append("s", "e2")] });
        const change: Change = { writes: [append("s", "e1", "other"), append("s", "e3"), append("s", "e3", "other")] };
        expect(await store.commit(change)).toMatchObject({
          appended: [
            { kind: "duplicate", offset: 1 },
            { kind: "appended", offset: 3 },
            { kind: "duplicate", offset: 3 },
          ],
        });
        const events = await store.select({ table: "events", order: [{ column: "offset" }] });
        expect(events.map((row) => [row.offset, row.body])).toEqual([
          [1, "e1"],
          [2, "e2"],
          [3, "e3"],
        ]);
        expect(await store.commit({ writes: [append("s", "e4")] })).toMatchObject({ appended: [{ offset: 4 }] });
      });

      test("the other writes of a change with a duplicate are written", async () => {
        await store.commit({ writes: [append("s", "e1")] });
        await store.commit({ writes: [append("s", "e1"), insert(record("a"))] });
        expect(await recordIds(store)).toEqual(["a"]);
      });
    });
  });
};
