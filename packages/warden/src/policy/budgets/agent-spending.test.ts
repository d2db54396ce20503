/** A cost in money counts for the agent, the turns that requested it, and the house. */
import { expect, test } from "bun:test";
import type { ActivationId, AgentBudget, AgentRecord } from "@hearth/protocol";
import { AT, HOME, PLAIN } from "../../fixtures/budgets.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createAgentSpending } from "./agent-spending.ts";
import { createSpendLedger, TURN } from "./budget-ledger.ts";
import type { Limit } from "./budget-limits.ts";
import { createUsageSums } from "./usage-sums.ts";

const DAY = "2026-11-22";
const ACTIVATION = "act_1" as ActivationId;
const NOTHING = { tokens: 0, money: 0 };

const open = async (house: AgentBudget = {}, own: AgentBudget = {}, store = createMemoryStore()) => {
  const deferring = createDeferringStore(store);
  const ledger = await createSpendLedger(deferring);
  const sums = createUsageSums(deferring, { now: () => AT });
  const watched: (readonly Limit[])[] = [];
  let isBroken = false;
  const admit = createAgentSpending({
    ...{ clock: { now: () => AT }, home: HOME, ledger, store },
    openUsage: sums.open,
    config: () => ({ limits: house, prices: new Map(), unknownPrice: PLAIN }),
    records: { get: async () => ({ content: { timezone: "UTC" } }) as never, find: async () => undefined },
    async flush() {
      if (isBroken) throw new Error("the disk is full");
      await deferring.flush();
    },
    onCharged: (some) => void watched.push(some),
  });
  const agent = { id: "agent_1", house: HOME, handle: "main", content: { budget: own } } as unknown as AgentRecord;
  return {
    ...{ ledger, watched, store, flush: deferring.flush },
    breakDisk: () => void (isBroken = true),
    pay: (costAtMost: number) => admit({ agent, activation: ACTIVATION, costAtMost, model: "far/brush" }),
  };
};

test("the highest cost is reserved on disk for the agent, the turn and the house, and settled once", async () => {
  const { pay, ledger, store, watched, flush } = await open({ day: { money: 1000 }, turn: { money: 500 } });
  const admission = await pay(300);
  if (admission.kind !== "allowed") throw new Error(admission.text);
  const places = [
    ["agent_1", DAY],
    [HOME, DAY],
    [ACTIVATION, TURN],
  ] as const;
  for (const [scope, period] of places)
    expect(ledger.tally(scope, period)).toEqual({ spent: NOTHING, reserved: { tokens: 0, money: 300 } });
  expect(await store.select({ table: "spend", where: { scope: "agent_1" } })).toMatchObject([{ money: 300 }]);
  admission.settle(200);
  admission.settle(900);
  for (const [scope, period] of places)
    expect(ledger.tally(scope, period)).toEqual({ spent: { tokens: 0, money: 200 }, reserved: NOTHING });
  expect(watched).toMatchObject([
    [
      { kind: "house", span: "turn" },
      { kind: "house", span: "day" },
    ],
  ]);
  await flush();
  expect(await store.select({ table: "model_usage" })).toMatchObject([
    {
      day: DAY,
      agent: "agent_1",
      model: "far/brush",
      kind: "picture",
      calls: 1,
      money: 200,
      room: "",
      estimated_money: 0,
    },
  ]);
});

test.each([
  [{ day: { money: 500 } }, {}, "all agents together"],
  [{ turn: { money: 500 }, atLimit: "ask" }, {}, "one turn of @main"],
  [{}, { day: { money: 500 } }, "@main"],
] as const)("a cost that does not fit a limit is refused: %j, %j", async (house, own, whose) => {
  const { pay, ledger } = await open(house, own);
  expect((await pay(300)).kind).toBe("allowed");
  const refused = await pay(300);
  if (refused.kind !== "stop") throw new Error("it was admitted");
  expect(refused.text).toContain(whose);
  expect(refused.hint).toMatch(/raise it/i);
  expect(ledger.tally("agent_1", DAY).reserved.money).toBe(300);
});

test("a cost may use up a limit, and one that turned out to be free warns of no limit", async () => {
  const { pay, watched } = await open({ day: { money: 600 } });
  expect((await pay(300)).kind).toBe("allowed");
  expect((await pay(300)).kind).toBe("allowed");
  expect([(await pay(1)).kind, watched]).toEqual(["stop", []]);
  const free = await open();
  const admission = await free.pay(5);
  if (admission.kind === "allowed") admission.settle(0);
  expect(free.watched).toEqual([]);
});

test("what is free is admitted at any limit, and a disk that takes nothing leaves no reservation", async () => {
  const { pay, ledger, breakDisk } = await open({ day: { money: 0 } });
  expect((await pay(0)).kind).toBe("allowed");
  const other = await open();
  other.breakDisk();
  await expect(other.pay(300)).rejects.toThrow("the disk is full");
  expect((await other.pay(0)).kind).toBe("allowed");
  expect(other.ledger.tally("agent_1", DAY)).toEqual({ spent: NOTHING, reserved: NOTHING });
  breakDisk();
  expect(ledger.tally("agent_1", DAY).reserved).toEqual(NOTHING);
});

test.each(["day", "month"] as const)("the spending of the %s counts after a restart too", async (period) => {
  const limits = { [period]: { money: 500 } };
  const before = await open(limits);
  const admission = await before.pay(300);
  if (admission.kind !== "allowed") throw new Error(admission.text);
  admission.settle(300);
  await before.flush();
  const after = await open(limits, {}, before.store);
  expect((await after.pay(201)).kind).toBe("stop");
  expect((await after.pay(200)).kind).toBe("allowed");
});
