import { expect, test } from "bun:test";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createSpendLedger, TURN } from "./budget-ledger.ts";

const amount = (tokens: number) => ({ tokens, money: 2 * tokens });
const NONE = { tokens: 0, money: 0 };

test("a reservation counts in its day and month until it is settled, once", async () => {
  const ledger = await createSpendLedger(createDeferringStore(createMemoryStore()));
  await ledger.open("2026-11");
  let settled = 0;
  ledger.onSettled(() => (settled += 1));
  const leave = ledger.onSettled(() => (settled += 100));
  leave();
  const held = ledger.reserve(
    [
      { scope: "a", period: "2026-11-22" },
      { scope: "t", period: TURN },
    ],
    amount(5),
  );
  for (const [scope, period] of [
    ["a", "2026-11-22"],
    ["a", "2026-11"],
    ["t", TURN],
  ] as const)
    expect(ledger.tally(scope, period)).toEqual({ spent: NONE, reserved: amount(5) });
  held.settle(amount(3));
  held.settle(amount(4));
  for (const [scope, period] of [
    ["a", "2026-11-22"],
    ["a", "2026-11"],
    ["t", TURN],
  ] as const)
    expect(ledger.tally(scope, period)).toEqual({ spent: amount(3), reserved: NONE });
  expect([ledger.tally("b", "2026-11-22"), ledger.tally("a", "2026-12")]).toEqual([
    { spent: NONE, reserved: NONE },
    { spent: NONE, reserved: NONE },
  ]);
  expect([settled, ledger.spenders("2026-11-22"), ledger.spenders("2026-12-01")]).toEqual([1, ["a"], []]);
  ledger.reserve([{ scope: "a", period: "2026-11-22" }], amount(1)).settle(amount(1));
  expect(settled).toBe(1);
});

test("after a restart, reservations count as spent, and only turns that run are kept", async () => {
  const store = createMemoryStore();
  const before = createDeferringStore(store);
  const ledger = await createSpendLedger(before);
  await ledger.open("2026-11");
  for (const day of ["2026-11-01", "2026-11-30", "2026-12-01"])
    ledger.reserve([{ scope: "a", period: day }], amount(5)).settle(amount(3));
  ledger.reserve([{ scope: "a", period: "2026-11-30" }], amount(4));
  for (const turn of ["act_runs", "act_ended"]) ledger.reserve([{ scope: turn, period: TURN }], amount(7));
  await before.flush();
  const runs = insertActivation("act_runs");
  await store.commit({ writes: [runs] });
  const after = createDeferringStore(store);
  const next = await createSpendLedger(after);
  await Promise.all([next.open("2026-11"), next.open("2026-11")]);
  const spentOf = (scope: string, period: string) => next.tally(scope, period).spent.tokens;
  expect([spentOf("a", "2026-11-01"), spentOf("a", "2026-11-30"), spentOf("a", "2026-11")]).toEqual([3, 7, 10]);
  // The sum of the spent and the reserved amounts.
  expect(next.tally("a", "2026-11-30").spent).toEqual(amount(3 + 4));
  expect([spentOf("a", "2026-12-01"), spentOf("act_runs", TURN), spentOf("act_ended", TURN)]).toEqual([0, 7, 0]);
  await after.flush();
  const rows = await store.select({ table: "spend", where: { period: TURN } });
  expect(rows.map(({ scope }) => scope)).toEqual(["act_runs"]);
  next.forgetTurn("act_runs");
  next.forgetTurn("act_unknown");
  await after.flush();
  expect(await store.select({ table: "spend", where: { period: TURN } })).toEqual([]);
  expect(spentOf("act_runs", TURN)).toBe(0);
});

test("a month that could not be read is read again", async () => {
  const store = createMemoryStore();
  await store.commit({
    writes: [{ kind: "put", table: "spend", row: { scope: "a", period: "2026-11-02", tokens: 4, money: 8 } }],
  });
  let isBroken = false;
  const deferring = createDeferringStore({
    ...store,
    select: (query) => (isBroken ? Promise.reject(new Error("disk failure")) : store.select(query)),
  });
  const ledger = await createSpendLedger(deferring);
  isBroken = true;
  await expect(ledger.open("2026-11")).rejects.toThrow("disk failure");
  isBroken = false;
  await ledger.open("2026-11");
  await ledger.open("2026-11");
  expect(ledger.tally("a", "2026-11").spent).toEqual(amount(4));
});
