/** The durability part of the store contract. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { everything } from "./changes.conformance.ts";
import type { Store } from "../store.ts";
import { append, insert, offsetsOf, reader, record, recordIds, type StoreHarness } from "./rows.conformance.ts";

export interface DiskHarness extends StoreHarness {
  /** Closes the store and opens it again on the same data. The harness closes the new one. */
  reopen(): Promise<Store>;
  fill(): void;
  free(): void;
}

export const diskConformance = (name: string, open: () => Promise<DiskHarness>): void => {
  describe(`store on a disk: ${name}`, () => {
    let harness: DiskHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    test("closing writes pending commits", async () => {
      const commits = Array.from({ length: 300 }, (_, index) => store.commit({ writes: [append("s", `e${index}`)] }));
      await store[Symbol.asyncDispose]();
      store = await harness.reopen();
      expect(await offsetsOf(store, "s")).toHaveLength(300);
      await Promise.all(commits);
    });

    test("reports its durability and the free space of the disk", async () => {
      expect(["power", "process"]).toContain(store.traits.durability);
      const bytes = await store.freeBytes();
      expect(Number.isSafeInteger(bytes) && bytes >= 0).toBe(true);
    });

    test("after reopening all data is there and offsets continue", async () => {
      await store.commit({
        writes: [insert(record("a")), append("s", "e1"), { kind: "put", table: "readers", row: reader("r", "s", 1) }],
      });
      const contentBefore = await everything(store);
      store = await harness.reopen();
      expect(await everything(store)).toEqual(contentBefore);
      expect(await store.commit({ writes: [append("s", "e1"), append("s", "e2")] })).toMatchObject({
        appended: [
          { kind: "duplicate", offset: 1 },
          { kind: "appended", offset: 2 },
        ],
      });
    });

    test("a full disk rejects the whole group with store.unavailable, keeps earlier data, and recovers when there is space", async () => {
      await store.commit({ writes: [insert(record("before")), append("s", "e1")] });
      harness.fill();
      const smallCommit = store.commit({ writes: [insert(record("small")), append("s", "small")] });
      const largeCommit = store.commit({ writes: [insert(record("large", { content: "x".repeat(1_000_000) }))] });
      for (const result of await Promise.allSettled([smallCommit, largeCommit])) {
        expect(
          result.status === "rejected" && isHearthError(result.reason, "store.unavailable") && result.reason.hint,
        ).toMatch(/space/);
      }
      expect(await recordIds(store)).toEqual(["before"]);
      expect(await offsetsOf(store, "s")).toEqual([1]);
      harness.free();
      expect(await store.commit({ writes: [insert(record("after")), append("s", "e2")] })).toMatchObject({
        appended: [{ offset: 2 }],
      });
      expect(await recordIds(store)).toEqual(["after", "before"]);
    });
  });
};
