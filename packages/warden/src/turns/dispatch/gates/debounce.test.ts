import { plainRow, type PlainColumns } from "../../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { insertActivation } from "../../../kernel/store/conformance/rows.conformance.ts";
import { createMemoryStore } from "../../../kernel/store/memory.ts";
import type { Row } from "../../../kernel/store/tables/tables.ts";
import { createPlanDraft, isStale, readyAt } from "./debounce.ts";

const row = (id: string, more: Partial<PlainColumns<"activations">> = {}): Row<"activations"> => {
  const insert = insertActivation(id);
  if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
  return plainRow("activations", { ...insert.row, ...more });
};
const waiting = (id: string): Row<"activations"> => row(id, { ready_at: 5 });

test("the last of several waiting activations in one read stays", () => {
  const draft = createPlanDraft([], 0);
  for (const id of ["one", "two", "three"]) draft.addWaiting(waiting(id));
  draft.addWaiting(row("other", { agent: "b", ready_at: 5 }));
  expect<readonly string[]>(draft.changes().rows.map(({ id }) => id)).toEqual(["three", "other"]);
});

test("a mention during the wait gives one reply for both, in one read or two", async () => {
  const together = createPlanDraft([], 7);
  together.addWaiting(waiting("talk"));
  together.addCall(row("name"));
  const answered = { id: "talk", state: "skipped", skip: "dedup", merged_into: "name", ended_at: 7 };
  expect(together.changes().rows).toMatchObject([{ id: "name", state: "queued" }, answered]);

  const store = createMemoryStore();
  await store.commit({ writes: [{ kind: "insert", table: "activations", row: waiting("talk") }] });
  const apart = createPlanDraft([waiting("talk")], 7);
  apart.addCall(row("name"));
  await store.commit(apart.changes());
  expect(await store.select({ table: "activations" })).toMatchObject([answered]);
});

test("an activation that has passed its gates is not replaced or merged", async () => {
  const store = createMemoryStore();
  await store.commit({ writes: [{ kind: "insert", table: "activations", row: row("talk") }] });
  for (const change of ["addWaiting", "addCall"] as const) {
    const draft = createPlanDraft([waiting("talk")], 7);
    draft[change](waiting("next"));
    expect(await store.commit(draft.changes())).toEqual({ kind: "refused", guard: undefined });
  }
});

test("a mention or a skip does not affect other agents", () => {
  const draft = createPlanDraft([waiting("talk")], 0);
  draft.add(row("skipped", { state: "skipped" }));
  draft.addCall(row("name", { agent: "b" }));
  expect(draft.changes()).toMatchObject({ rows: [{ id: "skipped" }, { id: "name" }], guards: [], writes: [] });
});

test("a debounce of 0 ms still counts as a gate", () => {
  const agent = { content: { ambient: { debounceMs: 0 } } } as AgentRecord;
  expect(readyAt(agent, 0)).toBe(1);
  expect(readyAt({ content: {} } as AgentRecord, 1000)).toBe(4000);
});

test("ambient messages are stale after 15 minutes", () => {
  expect([isStale(0, 15 * 60_000), isStale(0, 15 * 60_000 + 1)]).toEqual([false, true]);
});
