/**
 * Spending of the daemon that belongs to no agent counts against, and is limited by, the budget of
 * all agents.
 */
import { expect, test } from "bun:test";
import type { AgentBudget } from "@hearth/protocol";
import { AT, HOME, PLAIN } from "../../fixtures/budgets.ts";
import { candidateAt } from "../../models/wires/candidate-models.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createSpendLedger } from "./budget-ledger.ts";
import type { Limit } from "./budget-limits.ts";
import { createUsageSums } from "./usage-sums.ts";
import { createHomeSpending, type HomeAdmission } from "./home-spending.ts";

const DAY = "2026-11-22";
const FAR = candidateAt("openai-compatible", "m", "https://far.example/v1");
const HERE = candidateAt("ollama", "m", "http://127.0.0.1:11434");

/** An unknown model costs one micro-dollar per token, `dear` costs ten. */
const open = async (limits: AgentBudget = {}, store = createMemoryStore()) => {
  const deferring = createDeferringStore(store);
  const ledger = await createSpendLedger(deferring);
  const sums = createUsageSums(deferring, { now: () => AT });
  const watched: (readonly Limit[])[] = [];
  const dear = { input: 10, output: 10, cacheRead: 10, cacheWrite: 10 };
  const { admit, admitCost, openGate } = createHomeSpending({
    leaves: (names) => (names.includes("far/eye") ? [FAR] : []),
    ...{ clock: { now: () => AT }, home: HOME, ledger },
    openUsage: sums.open,
    config: () => ({ limits, prices: new Map([["openai-compatible/dear", dear]]), unknownPrice: PLAIN }),
    records: { get: async () => ({ content: { timezone: "UTC" } }) as never },
    flush: deferring.flush,
    onCharged: (some) => void watched.push(some),
  });
  const payCost = (costAtMost: number) => admitCost({ costAtMost, model: "far/ear", kind: "voice" });
  return { admit, payCost, openGate, ledger, watched, store, commit: deferring.flush };
};

const settleOf = (admission: HomeAdmission): ((tokens: number | undefined) => void) => {
  if (admission.kind !== "allowed") throw new Error(admission.text);
  return admission.settle;
};

test("the highest cost is reserved, also on disk, and the real cost is booked once", async () => {
  const { admit, ledger, watched, store } = await open({ day: { money: 1000 } });
  const settle = settleOf(await admit({ leaf: FAR, inputTokens: 300 }));
  expect(ledger.tally(HOME, DAY)).toEqual({
    spent: { tokens: 0, money: 0 },
    reserved: { tokens: 300, money: 300 },
  });
  expect(await store.select({ table: "spend" })).toEqual([{ scope: HOME, period: DAY, tokens: 300, money: 300 }]);
  settle(70);
  settle(71);
  expect(ledger.tally(HOME, DAY)).toEqual({ spent: { tokens: 70, money: 70 }, reserved: { tokens: 0, money: 0 } });
  expect(watched).toMatchObject([[{ kind: "house", span: "day", scope: HOME }]]);
});

test("a call without reported usage costs its whole reservation, and a rejected one nothing", async () => {
  const { admit, ledger, watched, store, commit } = await open();
  settleOf(await admit({ leaf: FAR, inputTokens: 300 }))(undefined);
  settleOf(await admit({ leaf: FAR, inputTokens: 300 }))(0);
  expect([ledger.tally(HOME, DAY).spent, watched]).toEqual([{ tokens: 300, money: 300 }, [[]]]);
  settleOf(await admit({ leaf: FAR, inputTokens: 300 }))(7);
  await commit();
  // Only the call without reported usage is an estimate.
  expect(await store.select({ table: "model_usage" })).toMatchObject([
    { calls: 2, input_tokens: 307, estimated_tokens: 300, estimated_money: 300 },
  ]);
});

test("a configured price applies, an unknown model has the highest price, and a local model costs nothing", async () => {
  const { admit, ledger } = await open({ day: { money: 0, tokens: 0 } });
  settleOf(await admit({ leaf: HERE, inputTokens: 300 }))(300);
  expect(ledger.tally(HOME, DAY).spent).toEqual({ tokens: 0, money: 0 });
  const other = await open();
  const dear = candidateAt("openai-compatible", "dear", "https://far.example/v1");
  settleOf(await other.admit({ leaf: dear, inputTokens: 300 }))(5);
  settleOf(await other.admit({ leaf: FAR, inputTokens: 300 }))(5);
  expect(other.ledger.tally(HOME, DAY).spent).toEqual({ tokens: 10, money: 55 });
});

test.each([
  ["day", { day: { money: 500 } }, "Today's budget of 0.00050 USD for all agents together is used up"],
  ["month", { month: { tokens: 500 } }, "This month's budget of 500 tokens for all agents together is used up"],
] as const)(
  "a request that does not fit the %s with its reservations is refused with an explanation",
  async (_, limits, words) => {
    const { admit, ledger } = await open(limits);
    const settle = settleOf(await admit({ leaf: FAR, inputTokens: 300 }));
    const stopped = await admit({ leaf: FAR, inputTokens: 300 });
    expect(stopped).toMatchObject({ kind: "stop", text: expect.stringContaining(words) });
    expect(stopped).toMatchObject({ hint: expect.stringContaining("Settings → Limits") });
    settle(10);
    settleOf(await admit({ leaf: FAR, inputTokens: 300 }))(10);
    expect(ledger.tally(HOME, DAY).spent.tokens).toBe(20);
  },
);

test("a call without tokens reserves its highest cost, and books what it costs, once", async () => {
  const { payCost, ledger, watched, store, commit } = await open({ day: { money: 1000 } });
  const admission = await payCost(600);
  if (admission.kind !== "allowed") throw new Error(admission.text);
  expect(ledger.tally(HOME, DAY).reserved).toEqual({ tokens: 0, money: 600 });
  expect(await payCost(401)).toMatchObject({ kind: "stop" });
  admission.settle(250);
  admission.settle(600);
  expect(ledger.tally(HOME, DAY)).toEqual({ spent: { tokens: 0, money: 250 }, reserved: { tokens: 0, money: 0 } });
  expect(watched).toHaveLength(1);
  expect((await payCost(750)).kind).toBe("allowed");
  await commit();
  expect(await store.select({ table: "model_usage" })).toMatchObject([
    { day: DAY, agent: "", room: "", model: "far/ear", kind: "voice", calls: 1, money: 250, estimated_money: 0 },
  ]);
});

test("the gate of a model call reserves each request, books what it used, and refuses one that does not fit", async () => {
  const { openGate, ledger, store, commit } = await open({ day: { money: 1000 } });
  const gate = openGate({ inputTokens: 300, maxOutputTokens: 200, kind: "picture" });
  const { signal } = new AbortController();
  const charge = await gate.admit("far/eye", signal);
  if ("error" in charge) throw new Error(charge.error.message);
  expect(charge.maxOutputTokens).toBe(200);
  expect(ledger.tally(HOME, DAY).reserved).toEqual({ tokens: 500, money: 500 });
  // Two reservations of 500 fill the limit, and a third one does not fit.
  const second = await gate.admit("far/eye", signal);
  expect(await gate.admit("far/eye", signal)).toMatchObject({
    error: { code: "budget.spent", message: expect.stringContaining("Today's budget"), hint: expect.any(String) },
  });
  const usage = { inputTokens: 40, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(charge.settle({ usage, saidBytes: 3, end: "ended" })).toEqual({ ...usage, cost: 42 });
  charge.settle({ usage, saidBytes: 3, end: "ended" });
  // A request that was rejected costs nothing.
  if (!("error" in second)) second.settle({ saidBytes: 0, end: "provider.overloaded" });
  expect(ledger.tally(HOME, DAY)).toEqual({ spent: { tokens: 42, money: 42 }, reserved: { tokens: 0, money: 0 } });
  await commit();
  expect(await store.select({ table: "model_usage" })).toMatchObject([
    { model: "far/eye", kind: "picture", money: 42 },
  ]);
});

test("a cost may use up a limit, and a call without a cost passes a limit that is exceeded", async () => {
  const { payCost } = await open({ day: { money: 600 } });
  const admission = await payCost(600);
  if (admission.kind !== "allowed") throw new Error(admission.text);
  admission.settle(700);
  expect([(await payCost(1)).kind, (await payCost(0)).kind]).toEqual(["stop", "allowed"]);
});
