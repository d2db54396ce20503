/** The requests of an admitted call: how each is booked, and that each has to fit the budget. */
import { describe, expect, test } from "bun:test";
import { noUsage, tokensOf } from "@hearth/protocol";
import { agentId, makeAgent, openTestBudgets, pay } from "../../fixtures/budgets.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Admission } from "./house-budgets.ts";
import type { CallReservation } from "../effect.ts";

const reservation = (admission: Admission): CallReservation => {
  if (admission.kind !== "allowed") throw new Error(`it was not admitted: ${JSON.stringify(admission)}`);
  return admission.reservation;
};
const spends = (outputTokens: number) => ({ usage: { ...noUsage, outputTokens } });
const open = () => openTestBudgets({ store: createMemoryStore() });
const DAY = "2026-11-22";

describe("the booked amount of a request", () => {
  const said = { saidBytes: 5 };
  const told = (inputTokens: number, outputTokens: number) => ({ usage: { ...noUsage, inputTokens, outputTokens } });
  const cases = [
    ["with an answer but no reported usage is estimated from request and answer", said, 36, true],
    ["that broke off is estimated too", { ...said, end: "provider.truncated" }, 36, true],
    ["that was stopped is estimated too", { ...said, end: "provider.aborted" }, 36, true],
    ["whose reader left is estimated too", { ...said, end: "left" }, 36, true],
    ["without any output in time costs its input", { end: "provider.timeout" }, 34, true],
    ["that was cut off after a report costs what was reported", { ...told(30, 9), ...said, end: "left" }, 39, false],
    [
      "with more output than reported until the cut costs the larger amount",
      { ...told(30, 1), ...said, end: "left" },
      32,
      true,
    ],
    ["that ended costs what its vendor reported, whatever the output", { ...told(30, 1), ...said }, 31, false],
    ["with more output than its reservation costs the reservation", { saidBytes: 9_999 }, 1_100, true],
    ...(
      [
        "provider.unknown",
        "provider.auth",
        "provider.rate-limited",
        "provider.overloaded",
        "provider.unreachable",
        "provider.refused",
        "provider.context-overflow",
      ] as const
    ).map((end) => [`that failed with ${end} before any output costs nothing`, { end }, 0, false] as const),
    ["that failed in its vendor costs its input", { end: "provider.failed" }, 34, true],
    ["that was rejected in the middle of its output is charged", { ...said, end: "provider.overloaded" }, 36, true],
    ["that failed with reported usage costs that usage", { ...told(0, 7), end: "provider.unreachable" }, 7, false],
  ] as const;
  test.each(cases)("%s", async (_, came, money, isEstimated) => {
    const budgets = await open();
    const held = reservation(await budgets.ask(makeAgent(1), {}));
    const usage = await pay(held, came);
    held.close();
    expect([usage.cost ?? 0, usage.estimated ?? false]).toEqual([money, isEstimated]);
    // The activity view shows what the budget counts.
    expect(tokensOf(usage)).toBe(money);
    expect(budgets.ledger.tally(agentId(1), DAY)).toEqual({
      spent: { tokens: money, money },
      reserved: { tokens: 0, money: 0 },
    });
  });

  test("is never zero for long: a provider that reports nothing reaches the limit", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { tokens: 10_000 } });
    let calls = 0;
    for (let one = await budgets.ask(main, {}); one.kind === "allowed"; one = await budgets.ask(main, {})) {
      await pay(one.reservation, { end: "provider.timeout" });
      one.reservation.close();
      calls += 1;
    }
    // Each request is booked as 34 tokens of input, and the last one has to fit with 612 reserved.
    expect(calls).toBe(277);
  });

  test("is settled once: later calls change nothing", async () => {
    const budgets = await open();
    const held = reservation(await budgets.ask(makeAgent(1), {}));
    const charge = await held.chargeGate.admit("far/m", new AbortController().signal);
    if ("error" in charge) throw new Error(charge.error.message);
    charge.settle({ ...spends(7), saidBytes: 0, end: "ended" });
    charge.settle({ saidBytes: 500, end: "left" });
    expect(budgets.ledger.tally(agentId(1), DAY).spent.money).toBe(7);
  });
});

describe("a call with several requests", () => {
  const never = new AbortController().signal;

  test("books each of them, and the next has to fit in the remaining budget", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 2_000 } });
    const held = reservation(await budgets.ask(main, {}));
    await pay(held, { saidBytes: 2_898, end: "provider.truncated" });
    const next = await held.chargeGate.admit("far/m", never);
    expect(next).toMatchObject({ maxOutputTokens: 900 });
    expect(budgets.ledger.tally(main.id, DAY)).toEqual({
      spent: { tokens: 1_000, money: 1_000 },
      reserved: { tokens: 1_000, money: 1_000 },
    });
    if ("settle" in next) next.settle({ saidBytes: 2_898, end: "provider.truncated" });
    expect(await held.chargeGate.admit("far/m", never)).toMatchObject({
      error: { code: "budget.spent", message: expect.stringContaining("is used up: 0.0020 USD spent") },
    });
    held.close();
    expect(budgets.ledger.tally(main.id, DAY).reserved).toEqual({ tokens: 0, money: 0 });
  });

  test("keeps its reservation through a request that cost nothing, so that no other call takes it", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_500 } });
    const held = reservation(await budgets.ask(main, {}));
    await pay(held, { end: "provider.overloaded" });
    const other = budgets.ask(main, {});
    expect(await pay(held, spends(1_000))).toMatchObject({ cost: 1_000 });
    expect((await other).kind).toBe("stop");
  });

  test("can switch to a model that fits when the previous one does not", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_200 } });
    const held = reservation(await budgets.ask(main, { models: ["far/m", "near/m"] }));
    await pay(held, { saidBytes: 2_898, end: "provider.truncated" });
    expect(await held.chargeGate.admit("far/m", never)).toMatchObject({ error: { code: "budget.spent" } });
    expect(await pay(held, { ...spends(400), model: "near/m" })).toEqual({ ...noUsage, outputTokens: 400 });
  });

  test("reserves again for a model that costs more, and keeps the reservation for one that does not", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 500 } });
    // The free model is admitted with tokens and no money.
    const held = reservation(await budgets.ask(main, { models: ["near/m"] }));
    const tally = () => budgets.ledger.tally(main.id, DAY).reserved;
    expect(tally()).toEqual({ tokens: 1_100, money: 0 });
    const free = await held.chargeGate.admit("near/m", never);
    expect(free).toMatchObject({ maxOutputTokens: 1_000 });
    if ("settle" in free) free.settle({ saidBytes: 0, end: "provider.overloaded" });
    expect(tally()).toEqual({ tokens: 1_100, money: 0 });
    expect(await held.chargeGate.admit("far/m", never)).toMatchObject({ error: { code: "budget.spent" } });
    held.close();
    expect(tally()).toEqual({ tokens: 0, money: 0 });
  });

  test("waits without a reservation, so that two calls that wait for each other both continue", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 2_200 } });
    const [one, two] = [reservation(await budgets.ask(main, {})), reservation(await budgets.ask(main, {}))];
    await Promise.all([one, two].map((held) => pay(held, { saidBytes: 1, end: "provider.truncated" })));
    const begun = await Promise.all(
      [one.chargeGate.admit("far/m", never), two.chargeGate.admit("far/m", never)].map(async (next) => {
        const charge = await next;
        if ("settle" in charge) charge.settle({ ...spends(5), saidBytes: 0, end: "ended" });
        return charge;
      }),
    );
    expect(begun.every((charge) => "settle" in charge)).toBe(true);
  });

  test("is stopped while its next request waits", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_500 } });
    const held = reservation(await budgets.ask(main, {}));
    await pay(held, { saidBytes: 1, end: "provider.truncated" });
    reservation(await budgets.ask(main, {}));
    const stop = new AbortController();
    const next = held.chargeGate.admit("far/m", stop.signal);
    stop.abort();
    expect(await next).toMatchObject({ error: { code: "provider.aborted" } });
  });
});
