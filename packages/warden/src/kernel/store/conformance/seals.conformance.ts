/** The sealing part of the store contract. */
import { plainEvent } from "../../../fixtures/rows.ts";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../store.ts";
import type { Row } from "../tables/tables.ts";
import { append, insert, record, type StoreHarness, testSealer } from "./rows.conformance.ts";

export const storeSeals = (open: () => Promise<StoreHarness>): void => {
  describe("seals", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    const rowsOf = (stream: string): Promise<readonly Row<"events">[]> =>
      store.select({ table: "events", where: { stream }, order: [{ column: "offset" }] });

    /** Checks the seals of a stream's events, and returns the ids of the events. */
    const checkSeals = async (stream: string): Promise<readonly string[]> => {
      let previousSeal: string | null = null;
      const rows = await rowsOf(stream);
      for (const row of rows) {
        expect(row.seal).toBe(testSealer.seal(previousSeal, row));
        previousSeal = row.seal;
      }
      return rows.map(({ id }) => id);
    };

    test("each event of a sealed stream is sealed with all of its columns and the seal before it", async () => {
      const fullEvent = plainEvent({ id: "e1", type: "t", at: 7, body: "{}", blob: "b", labels: "l" });
      await store.commit({ writes: [{ kind: "append", stream: "sealed:a", event: fullEvent }] });
      await store.commit({ writes: [append("sealed:a", "e2"), append("sealed:a", "e3")] });
      const [firstRow] = await rowsOf("sealed:a");
      expect(firstRow?.seal).toBe("<5:event,0:,8:sealed:a,1:1,2:e1,1:t,1:7,2:{},1:b,1:l,>");
      expect(await checkSeals("sealed:a")).toEqual(["e1", "e2", "e3"]);
    });

    test("two sealed streams have separate chains, and other streams have no seals", async () => {
      const writes = ["sealed:a", "sealed:b", "plain"].flatMap((stream) => [
        append(stream, "e1"),
        append(stream, "e2"),
      ]);
      await store.commit({ writes });
      expect(await checkSeals("sealed:a")).toEqual(["e1", "e2"]);
      expect(await checkSeals("sealed:b")).toEqual(["e1", "e2"]);
      expect((await rowsOf("plain")).map(({ seal }) => seal)).toEqual([null, null]);
    });

    test("a commit returns the seals of new events only", async () => {
      await store.commit({ writes: [append("sealed:a", "e1")] });
      const result = await store.commit({
        writes: [append("sealed:a", "e1"), append("sealed:a", "e2"), append("plain", "e1")],
      });
      const [, secondRow] = await rowsOf("sealed:a");
      expect(result.kind === "committed" && result.appended.map(({ kind, seal }) => [kind, seal])).toEqual([
        ["duplicate", undefined],
        ["appended", secondRow?.seal ?? "none"],
        ["appended", undefined],
      ]);
    });

    test("a rolled-back change leaves no trace in the chain", async () => {
      await store.commit({ writes: [insert(record("taken")), append("sealed:a", "e1")] });
      await Promise.all([
        store.commit({ writes: [append("sealed:a", "lost"), insert(record("taken"))] }),
        store.commit({ writes: [append("sealed:a", "e2")] }),
        store.commit({
          guards: [{ kind: "head", stream: "sealed:a", offset: 9 }],
          writes: [append("sealed:a", "lost")],
        }),
        store.commit({ writes: [append("sealed:a", "e1"), append("sealed:a", "e3")] }),
      ]);
      expect(await checkSeals("sealed:a")).toEqual(["e1", "e2", "e3"]);
    });

    test("a trimmed stream continues its chain", async () => {
      await store.commit({ writes: [append("sealed:a", "e1"), append("sealed:a", "e2")] });
      const [, secondRow] = await rowsOf("sealed:a");
      // The type allows only streams of the audit log.
      const where = { stream: "sealed:a" as `audit:${string}` };
      await store.commit({ writes: [{ kind: "trim", table: "events", where, through: 1 }, append("sealed:a", "e3")] });
      const [, thirdRow] = await rowsOf("sealed:a");
      expect(thirdRow?.seal).toBe(testSealer.seal(secondRow?.seal ?? null, thirdRow ?? never()));
    });

    test("a removed stream starts a new chain", async () => {
      await store.commit({ writes: [append("sealed:a", "e1")] });
      await store.commit({
        writes: [{ kind: "delete", table: "events", where: { stream: "sealed:a" } }, append("sealed:a", "e2")],
      });
      expect(await checkSeals("sealed:a")).toEqual(["e2"]);
    });

    test("lengths are in UTF-8 bytes, so that fields cannot be confused", async () => {
      const event = plainEvent({ id: "e1", type: "t", at: -1, body: "é😀", blob: null, labels: "-," });
      await store.commit({ writes: [{ kind: "append", stream: "sealed:a", event }] });
      const [row] = await rowsOf("sealed:a");
      expect(row?.seal).toEndWith("2:-1,6:é😀,-,2:-,,>");
    });
  });
};

const never = (): never => {
  throw new Error("the row does not exist");
};
