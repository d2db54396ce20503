/** The contract of `Store` as tests. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { anyChange, everything } from "./conformance/changes.conformance.ts";
import { storeGuards } from "./conformance/guards.conformance.ts";
import { createModel } from "./conformance/model.conformance.ts";
import { storeReads } from "./conformance/reads.conformance.ts";
import { storeSeals } from "./conformance/seals.conformance.ts";
import type { Store } from "./store.ts";
import { storePassages } from "./conformance/passages.conformance.ts";
import { storeTexts } from "./conformance/texts.conformance.ts";
import { storeWrites } from "./conformance/writes.conformance.ts";
import { append, insert, record, recordIds, type StoreHarness } from "./conformance/rows.conformance.ts";

export const storeConformance = (name: string, open: () => Promise<StoreHarness>): void => {
  describe(`store: ${name}`, () => {
    storeWrites(open);
    storeGuards(open);
    storeReads(open);
    storeSeals(open);
    storeTexts(open);
    storePassages(open);

    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    test("a refused or conflicting change leaves the other changes of its group untouched", async () => {
      await store.commit({ writes: [insert(record("taken"))] });
      const results = await Promise.all([
        store.commit({ writes: [insert(record("a")), append("s", "e1")] }),
        store.commit({ writes: [append("s", "lost"), insert(record("lost")), insert(record("taken"))] }),
        store.commit({ writes: [insert(record("b")), append("s", "e2")] }),
        store.commit({
          guards: [{ kind: "head", stream: "s", offset: 7 }],
          writes: [insert(record("lost")), append("s", "lost")],
        }),
        store.commit({ writes: [insert(record("c")), append("s", "e3")] }),
      ]);
      expect(results.map((result) => result.kind)).toEqual([
        "committed",
        "conflict",
        "committed",
        "refused",
        "committed",
      ]);
      expect(await recordIds(store)).toEqual(["a", "b", "c", "taken"]);
      const events = await store.select({ table: "events", order: [{ column: "offset" }] });
      expect<unknown>(events.map((row) => [row.offset, row.id])).toEqual([
        [1, "e1"],
        [2, "e2"],
        [3, "e3"],
      ]);
    });

    test("any sequence of operations gives the same state as the reference model", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyChange, { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
          async (groups) => {
            await using freshHarness = await open();
            const model = createModel();
            for (const group of groups) {
              const results = await Promise.all(group.map((change) => freshHarness.store.commit(change)));
              expect(results).toEqual(group.map((change) => model.commit(change)));
              expect(await everything(freshHarness.store)).toEqual(model.everything());
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    describe("closing", () => {
      test("waits for earlier commits", async () => {
        const commits = Array.from({ length: 300 }, (_, index) => store.commit({ writes: [append("s", `e${index}`)] }));
        let writtenCount = 0;
        for (const commit of commits) void commit.then(() => (writtenCount += 1));
        await store[Symbol.asyncDispose]();
        expect(writtenCount).toBe(300);
        const results = await Promise.all(commits);
        expect(results.every((result) => result.kind === "committed")).toBe(true);
      });

      test("may be repeated, and refuses later commits", async () => {
        await Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()]);
        for (const lateCall of [
          store.commit({ writes: [] }),
          store.select({ table: "records" }),
          store.freeBytes(),
          store.scrub(),
          store.shrink(1),
        ]) {
          const error: unknown = await lateCall.catch((reason: unknown) => reason);
          expect(isHearthError(error, "house.closing")).toBe(true);
        }
      });
    });
  });
};
