/** Which calls a budget admits, what it reserves, and what happens to calls that do not fit. */
import { describe, expect, test } from "bun:test";
import { type AgentBudget, noUsage } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { agentId, AT, HOME, makeAgent, openTestBudgets, pay, turnId } from "../../fixtures/budgets.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Admission } from "./house-budgets.ts";
import type { CallReservation } from "../effect.ts";

const reservation = (admission: Admission): CallReservation => {
  if (admission.kind !== "allowed") throw new Error(`it was not admitted: ${JSON.stringify(admission)}`);
  return admission.reservation;
};
const spends = (outputTokens: number) => ({ usage: { ...noUsage, outputTokens } });
const open = (limits?: AgentBudget) =>
  openTestBudgets({ store: createMemoryStore(), ...(limits === undefined ? {} : { limits }) });
const DAY = "2026-11-22";

describe("a call", () => {
  test("that fits reserves its highest cost and releases what it did not use", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 5_000 } });
    const held = reservation(await budgets.ask(main, {}));
    expect(held.maxOutputTokens).toBe(1_000);
    const tally = () => budgets.ledger.tally(main.id, DAY);
    expect(tally()).toEqual({ spent: { tokens: 0, money: 0 }, reserved: { tokens: 1_100, money: 1_100 } });
    expect(await pay(held, { usage: { ...noUsage, inputTokens: 30, outputTokens: 4 } })).toEqual({
      ...noUsage,
      ...{ inputTokens: 30, outputTokens: 4, cost: 34 },
    });
    expect(tally()).toEqual({ spent: { tokens: 34, money: 34 }, reserved: { tokens: 0, money: 0 } });
    held.close();
    expect(tally().spent).toEqual({ tokens: 34, money: 34 });
    expect(budgets.ledger.tally(HOME, DAY).spent).toEqual({ tokens: 34, money: 34 });
    expect(budgets.ledger.tally(main.id, "2026-11").spent).toEqual({ tokens: 34, money: 34 });
  });

  test("that fits only with a shorter answer is made with a shorter answer", async () => {
    const budgets = await open();
    expect(reservation(await budgets.ask(makeAgent(1, { day: { money: 800 } }), {})).maxOutputTokens).toBe(700);
    expect(reservation(await budgets.ask(makeAgent(2, { day: { tokens: 612 } }), {})).maxOutputTokens).toBe(512);
    expect(await budgets.ask(makeAgent(3, { day: { tokens: 611 } }), {})).toMatchObject({ kind: "stop" });
    // A call with a small output limit needs no more than that.
    expect(
      reservation(await budgets.ask(makeAgent(4, { day: { tokens: 300 } }), { maxOutputTokens: 200 })).maxOutputTokens,
    ).toBe(200);
  });

  test("has to fit each limit: of its turn, its agent and all agents, of the day and the month, in tokens and in money", async () => {
    const small = { money: 700 };
    const few = { tokens: 700 };
    const own: readonly AgentBudget[] = [
      { turn: small },
      { day: small },
      { month: small },
      { turn: few },
      { day: few },
      { month: few },
    ];
    for (const budget of own) {
      for (const [limits, ofAgent] of [
        [{}, budget],
        [budget, {}],
        [budget, { day: { money: 1_000_000 } }],
      ] as const) {
        const budgets = await open(limits);
        const agent = makeAgent(1, ofAgent);
        await pay(reservation(await budgets.ask(agent, {})), spends(650));
        expect([limits, ofAgent, (await budgets.ask(agent, {})).kind]).toEqual([limits, ofAgent, "stop"]);
      }
    }
  });

  test("of another agent, turn or day has its own budget", async () => {
    let now = AT;
    const budgets = await openTestBudgets({ store: createMemoryStore(), now: () => now });
    const main = makeAgent(1, { turn: { tokens: 2_000 }, day: { money: 1_100 } });
    const other = makeAgent(2, { day: { money: 1_100 } });
    for (const agent of [main, other]) await pay(reservation(await budgets.ask(agent, {})), spends(1_000));
    expect((await budgets.ask(main, {})).kind).toBe("stop");
    now += 12 * 60 * 60_000;
    const next = { turns: [{ activation: turnId(1), agent: main }] };
    expect((await budgets.ask(main, next)).kind).toBe("allowed");
  });

  test("that another turn requested is booked to that turn and to its agent too", async () => {
    const budgets = await open();
    const parent = makeAgent(1, { turn: { money: 2_000 } });
    const child = makeAgent(2);
    const turns = [
      { activation: turnId(2), agent: child },
      { activation: turnId(1), agent: parent },
    ];
    await pay(reservation(await budgets.ask(child, { turns })), spends(1_000));
    expect(budgets.ledger.tally(turnId(1), "turn").spent.money).toBe(1_000);
    expect(budgets.ledger.tally(agentId(2), DAY).spent.money).toBe(1_000);
    expect(budgets.ledger.tally(agentId(1), DAY).spent.money).toBe(0);
    await pay(
      reservation(await budgets.ask(parent, { turns: [{ activation: turnId(1), agent: parent }] })),
      spends(500),
    );
    const stopped = await budgets.ask(child, { turns });
    expect(stopped).toMatchObject({ kind: "stop" });
    expect(stopped.kind === "stop" && stopped.text).toStartWith(
      "The budget of 0.0020 USD for one turn of @a1 is used up",
    );
  });

  test("of a local model costs no money and counts tokens; a built-in model costs nothing", async () => {
    const budgets = await open();
    const broke = makeAgent(1, { day: { money: 0 } });
    await pay(reservation(await budgets.ask(broke, { models: ["near/m"] })), { ...spends(1_000), model: "near/m" });
    expect(budgets.ledger.tally(broke.id, DAY).spent).toEqual({ tokens: 1_000, money: 0 });
    const mute = makeAgent(2, { day: { money: 0, tokens: 0 } });
    expect((await budgets.ask(mute, { models: ["near/m"] })).kind).toBe("stop");
    await pay(reservation(await budgets.ask(mute, { models: ["built/in"] })), { ...spends(0), model: "built/in" });
    expect(budgets.ledger.tally(mute.id, DAY).spent).toEqual({ tokens: 0, money: 0 });
  });

  test("that several models may answer reserves the highest price and pays the price of the model that answered", async () => {
    const budgets = await open();
    const main = makeAgent(1);
    const held = reservation(await budgets.ask(main, { models: ["near/m", "far/m"] }));
    expect(budgets.ledger.tally(main.id, DAY).reserved.money).toBe(1_100);
    await pay(held, { ...spends(10), model: "near/m" });
    expect(budgets.ledger.tally(main.id, DAY).spent).toEqual({ tokens: 10, money: 0 });
  });
});

describe("a call that would fit without the running calls", () => {
  test("waits until they finish, and is made then", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_500 } });
    const first = reservation(await budgets.ask(main, {}));
    let isOn = false;
    const second = budgets.ask(main, {}).then((admission) => {
      isOn = true;
      return admission;
    });
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    expect(isOn).toBe(false);
    await pay(first, spends(10));
    expect(reservation(await second).maxOutputTokens).toBe(1_000);
  });

  test("is refused when they leave too little", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_500 } });
    const first = reservation(await budgets.ask(main, {}));
    const second = budgets.ask(main, {});
    await pay(first, spends(1_000));
    expect((await second).kind).toBe("stop");
  });

  test("stops waiting when its turn is stopped", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 1_500 } });
    reservation(await budgets.ask(main, {}));
    const stop = new AbortController();
    const second = budgets.ask(main, { signal: stop.signal });
    stop.abort();
    expect(await second).toEqual({ kind: "aborted" });
  });

  test("leaves no listener behind, whether it was made or stopped", async () => {
    const budgets = await open();
    const listening = new Set<() => void>();
    const { onSettled } = budgets.ledger;
    Object.assign(budgets.ledger, {
      onSettled(listener: () => void) {
        const leave = onSettled(listener);
        listening.add(listener);
        return () => {
          leave();
          listening.delete(listener);
        };
      },
    });
    const main = makeAgent(1, { day: { money: 1_500 } });
    const first = reservation(await budgets.ask(main, {}));
    const stop = new AbortController();
    const waiting = [budgets.ask(main, {}), budgets.ask(main, { signal: stop.signal })];
    await until(() => listening.size === 2);
    stop.abort();
    await waiting[1];
    await pay(first, spends(10));
    await waiting[0];
    expect(listening.size).toBe(0);
  });
});

describe("an exhausted limit", () => {
  const spend = async (budget: AgentBudget, limits?: AgentBudget) => {
    const budgets = await open(limits);
    const main = makeAgent(1, budget);
    await pay(reservation(await budgets.ask(main, {})), spends(1_000));
    return { budgets, main };
  };

  test("stops the call with a text that names the budget, the amount spent, the reset time and what to do", async () => {
    const { budgets, main } = await spend({ day: { money: 1_100 } });
    expect(await budgets.ask(main, {})).toEqual({
      kind: "stop",
      text: "Today's budget of 0.0011 USD for @a1 is used up: 0.0010 USD spent, and another answer may take 0.00061 USD. It resets at 2026-11-23 00:00 UTC.",
      hint: "Raise it with: hearth agent edit a1 --budget-day 0.0022",
    });
    const all = await spend({}, { month: { tokens: 1_100 } });
    expect(await all.budgets.ask(all.main, {})).toEqual({
      kind: "stop",
      text: "This month's budget of 1100 tokens for all agents together is used up: 1000 tokens spent, and another answer may take 612 tokens. It resets at 2026-12-01 00:00 UTC.",
      hint: "An administrator can raise it in Settings → Limits. Or run hearth config set budget.month_tokens=2200",
    });
  });

  test("switches to a cheaper model as long as that one fits", async () => {
    const { budgets, main } = await spend({ day: { money: 1_100 }, atLimit: { cheaper: "near/m" } });
    const cheaper = reservation(await budgets.ask(main, {}));
    expect(cheaper).toMatchObject({ model: "near/m", maxOutputTokens: 1_000 });
    await pay(cheaper, { ...spends(50), model: "near/m" });
    expect(budgets.ledger.tally(main.id, DAY).spent).toEqual({ tokens: 1_050, money: 1_000 });
    const none = await spend({ day: { tokens: 1_100 }, atLimit: { cheaper: "near/m" } });
    expect((await none.budgets.ask(none.main, {})).kind).toBe("stop");
  });

  test("asks a person, and an approved call exceeds the limit", async () => {
    const { budgets, main } = await spend({ day: { money: 1_100 }, atLimit: "ask" });
    const asked = await budgets.ask(main, {});
    if (asked.kind !== "ask") throw new Error(asked.kind);
    expect(asked.text).toContain("is used up");
    await pay(asked.reservation, spends(1_000));
    expect(budgets.ledger.tally(main.id, DAY).spent.money).toBe(2_000);
  });

  test("with `stop` is not bypassed by another limit with `ask`", async () => {
    const { budgets, main } = await spend({ day: { money: 1_100 }, atLimit: "ask" }, { day: { money: 1_100 } });
    expect((await budgets.ask(main, {})).kind).toBe("stop");
  });

  test("decides alone if the other limit has room for exactly the shortest answer", async () => {
    // 1,000 are spent, and the shortest answer takes 612.
    const decide = async (own: number, ofAll: number) => {
      const { budgets, main } = await spend({ day: { money: own }, atLimit: "ask" }, { day: { money: ofAll } });
      return (await budgets.ask(main, {})).kind;
    };
    expect(await decide(1_611, 1_612)).toBe("ask");
    expect(await decide(1_611, 1_611)).toBe("stop");
    expect(await decide(1_612, 1_612)).toBe("allowed");
  });

  test("is reported beforehand when not even a short call fits", async () => {
    const { budgets, main } = await spend({ day: { money: 1_100 } });
    expect(await budgets.refusal(main)).toContain("is used up");
    expect(await budgets.refusal(makeAgent(2))).toBeUndefined();
  });
});

describe("clocks and zones", () => {
  test("a clock that is set back returns to that day's budget with what was spent", async () => {
    let now = AT;
    const budgets = await openTestBudgets({ store: createMemoryStore(), now: () => now });
    const main = makeAgent(1, { day: { money: 1_100 } });
    const spendAll = async () => await pay(reservation(await budgets.ask(main, {})), spends(1_000));
    await spendAll();
    now = Date.UTC(2030, 0, 1);
    await spendAll();
    now = AT - 60_000;
    expect((await budgets.ask(main, {})).kind).toBe("stop");
    now = Date.UTC(2030, 0, 1, 1);
    expect((await budgets.ask(main, {})).kind).toBe("stop");
  });

  test("a restart under a wrong clock does not reset a budget either", async () => {
    const store = createMemoryStore();
    let now = AT;
    const main = makeAgent(1, { day: { money: 1_100 } });
    const first = await openTestBudgets({ store, now: () => now });
    await pay(reservation(await first.ask(main, {})), spends(1_000));
    await first.commit();
    now = Date.UTC(2030, 0, 1);
    const second = await openTestBudgets({ store, now: () => now });
    expect((await second.ask(main, {})).kind).toBe("allowed");
    now = AT;
    expect((await second.ask(main, {})).kind).toBe("stop");
  });

  test("an agent's day follows its house's zone, and the day of all agents that of the first house", async () => {
    const far = `house_${"1".repeat(26)}` as typeof HOME;
    const zones = { [HOME]: "Europe/Berlin", [far]: "Asia/Tokyo" };
    const budgets = await openTestBudgets({ store: createMemoryStore(), now: () => Date.UTC(2026, 10, 22, 16), zones });
    const main = makeAgent(1, {}, far);
    await pay(reservation(await budgets.ask(main, {})), spends(10));
    expect(budgets.ledger.tally(main.id, "2026-11-23").spent.money).toBe(10);
    expect(budgets.ledger.tally(HOME, "2026-11-22").spent.money).toBe(10);
  });
});

describe("a restart", () => {
  test("forgets nothing that was spent, and counts reservations as spent", async () => {
    const store = createMemoryStore();
    const main = makeAgent(1, { turn: { money: 10_000 } });
    const before = await openTestBudgets({ store });
    await pay(reservation(await before.ask(main, {})), spends(40));
    await before.commit();
    reservation(await before.ask(main, {}));
    await before.commit();
    const turn = { id: turnId(0), ended_at: null };
    await store.commit({ writes: [{ kind: "put", table: "activations", row: turn as never }] });
    const after = await openTestBudgets({ store });
    reservation(await after.ask(main, {})).close();
    const spent = { tokens: 1_140, money: 1_140 };
    expect(after.ledger.tally(main.id, DAY).spent).toEqual(spent);
    expect(after.ledger.tally(main.id, "2026-11").spent).toEqual(spent);
    expect(after.ledger.tally(HOME, DAY).spent).toEqual(spent);
    expect(after.ledger.tally(turnId(0), "turn").spent).toEqual(spent);
  });

  test("keeps no row of a turn that has ended", async () => {
    const store = createMemoryStore();
    const main = makeAgent(1, { turn: { money: 10_000 } });
    const before = await openTestBudgets({ store });
    await pay(reservation(await before.ask(main, {})), spends(40));
    await before.commit();
    before.forgetTurn(turnId(0));
    await before.commit();
    expect(await store.select({ table: "spend", where: { period: "turn" } })).toEqual([]);
    // A turn that ended while the daemon was down is removed at the next start.
    await pay(reservation(await before.ask(main, {})), spends(40));
    await before.commit();
    await (await openTestBudgets({ store })).commit();
    expect(await store.select({ table: "spend", where: { period: "turn" } })).toEqual([]);
  });
});

describe("warnings", () => {
  test("are written once at 50, 80 and 95 percent of each limit, also across a restart", async () => {
    const budgets = await open({ day: { money: 10_000 } });
    const main = makeAgent(1, { day: { money: 2_000 }, turn: { money: 2_000 } });
    for (const cost of [900, 200, 100, 300, 200, 250]) {
      await pay(reservation(await budgets.ask(main, { maxOutputTokens: 100, inputTokens: 10 })), spends(cost));
      await Promise.resolve();
    }
    const told = budgets.events.map(({ event }) =>
      event.type === "budget-warned" ? [event.agent, event.per, event.period, event.percent] : [],
    );
    for (const [per, period] of [
      ["day", DAY],
      ["turn", turnId(0)],
    ])
      expect(told.filter(([, of]) => of === per)).toEqual([50, 80, 95].map((part) => [main.id, per, period, part]));
    expect(budgets.logLines.filter((line) => line.includes("a budget is being used up"))).toHaveLength(6);
  });

  test("are written for tokens of a model that costs nothing, and not for calls without tokens", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { tokens: 2_000 } });
    await pay(reservation(await budgets.ask(main, { models: ["near/m"] })), { ...spends(1_000), model: "near/m" });
    await Promise.resolve();
    expect(budgets.events.map(({ event }) => event.type === "budget-warned" && event.percent)).toEqual([50]);
    const mute = makeAgent(2, { day: { money: 0 } });
    await pay(reservation(await budgets.ask(mute, { models: ["built/in"] })), { ...spends(0), model: "built/in" });
    await Promise.resolve();
    expect(budgets.events).toHaveLength(1);
  });

  test("name the highest threshold when several are passed at once", async () => {
    const budgets = await open();
    await pay(reservation(await budgets.ask(makeAgent(1, { day: { money: 2_000 } }), {})), spends(1_900));
    await Promise.resolve();
    expect(budgets.events.map(({ event }) => event.type === "budget-warned" && event.percent)).toEqual([95]);
  });
});

describe("the report", () => {
  test("lists spent, reserved and remaining amounts and the reset time of each limit", async () => {
    const budgets = await open({ day: { money: 4_000 }, turn: { tokens: 5 } });
    const main = makeAgent(1, { day: { money: 2_000, tokens: 9_000 } });
    const { budgets: states, ...more } = await budgets.report([main, makeAgent(2)], "home");
    expect(more).toEqual({ currency: "USD", timezone: "UTC", turn: { tokens: 5 } });
    expect(states.map(({ scope, per, agent }) => [scope, per, agent])).toEqual([
      ["house", "day", undefined],
      ["house", "month", undefined],
      ["agent", "day", main.id],
    ]);
  });

  test("marks reached limits, and leaves the house out for principals who do not administer it", async () => {
    const budgets = await open();
    const main = makeAgent(1, { day: { money: 2_000 } });
    await pay(reservation(await budgets.ask(main, {})), spends(1_700));
    const held = await budgets.ask(makeAgent(2), {});
    expect((await budgets.ask(main, {})).kind).toBe("stop");
    const { budgets: states } = await budgets.report([main, makeAgent(2), makeAgent(3)], "agents");
    expect(states[0]).toEqual({
      ...{ scope: "agent", agent: main.id, per: "day", period: DAY, resetsAt: Date.UTC(2026, 10, 23) },
      ...{ spent: { tokens: 1_700, money: 1_700 }, reserved: { tokens: 0, money: 0 } },
      ...{
        limit: { money: 2_000 },
        left: { money: 300 },
        percent: 85,
        warnings: [50, 80],
        isReached: true,
        atLimit: "stop",
      },
    });
    expect(states.slice(1).map(({ agent, per, reserved }) => [agent, per, reserved.money])).toEqual([
      [main.id, "month", 0],
      [agentId(2), "day", 1_100],
      [agentId(2), "month", 1_100],
    ]);
    reservation(held).close();
  });
});
