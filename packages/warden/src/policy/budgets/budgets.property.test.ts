/**
 * Two hundred concurrent calls of twenty agents, each with retries and two models, with rejected,
 * cut off, abandoned and unreported requests, stops and crashes: no limit is ever exceeded.
 */
import { expect, test } from "bun:test";
import { type AgentBudget, type AgentRecord, type ErrorCode, type ModelEvent, noUsage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { HOME, makeAgent, openTestBudgets, type TestBudgets, turnId } from "../../fixtures/budgets.ts";
import { createCircuit } from "../../models/resilience/circuit.ts";
import { ask } from "../../models/provider.conformance.ts";
import type { Provider } from "../../models/provider.ts";
import { createReliableProvider } from "../../models/resilience/reliable.ts";
import { createRetryingProvider } from "../../models/resilience/retrying.ts";
import { createChargedProvider } from "../../models/resilience/charged-provider.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Store } from "../../kernel/store/store.ts";

const AGENTS = 20;
const CALLS = 200;
const DAY = "2026-11-22";
const MONTH = "2026-11";

/** One request to a vendor. */
interface Attempt {
  readonly end: "ends" | "cut" | "refused";
  /** Percentage of the request's upper bound that it costs. */
  readonly cost: number;
  /** Whether the vendor reports the usage. */
  readonly isTold: boolean;
  /** Whether the answer is streamed to the reader. If so, no retry follows. */
  readonly isShown: boolean;
  /** How often other tasks run during the request. */
  readonly during: number;
}

interface Call {
  readonly agent: number;
  /** One of few turns, so that turns are shared. Its parent turn is another one or none. */
  readonly turn: number;
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly attempts: readonly Attempt[];
  /** How often other tasks run before it begins, and before it is stopped. */
  readonly before: number;
  readonly stop: number;
  /** The reader abandons the stream instead of stopping the call. */
  readonly isLeft: boolean;
  /** Whether its end is on disk before other calls continue. */
  readonly isKept: boolean;
}

const amount = fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 40_000 }));
const anyLimit = fc
  .record({ tokens: amount, money: amount })
  .map(({ tokens, money }) =>
    tokens === undefined && money === undefined
      ? undefined
      : { ...(tokens === undefined ? {} : { tokens }), ...(money === undefined ? {} : { money }) },
  );
const anyBudget = fc
  .record({ turn: anyLimit, day: anyLimit, month: anyLimit })
  .map(({ turn, day, month }): AgentBudget => ({
    ...(turn === undefined ? {} : { turn }),
    ...(day === undefined ? {} : { day }),
    ...(month === undefined ? {} : { month }),
  }));
const anyAttempt: fc.Arbitrary<Attempt> = fc.record({
  end: fc.constantFrom("ends", "ends", "cut", "cut", "refused"),
  cost: fc.nat(100),
  isTold: fc.boolean(),
  isShown: fc.boolean(),
  during: fc.nat(30),
});
const anyCall: fc.Arbitrary<Call> = fc.record({
  agent: fc.nat(AGENTS - 1),
  turn: fc.nat(9),
  inputTokens: fc.nat(3_000),
  maxOutputTokens: fc.integer({ min: 1, max: 4_000 }),
  attempts: fc.array(anyAttempt, { minLength: 1, maxLength: 6 }),
  before: fc.nat(40),
  stop: fc.oneof(fc.constant(Infinity), fc.nat(200)),
  isLeft: fc.boolean(),
  isKept: fc.boolean(),
});

/** The amounts really spent, according to the vendors' bills. */
interface Truth {
  readonly money: Map<string, number>;
}

const add = (truth: Truth, scopes: readonly string[], money: number): void => {
  for (const scope of scopes) truth.money.set(scope, (truth.money.get(scope) ?? 0) + money);
};

/** Checks every limit against the amounts that count for it at this moment. */
const checkAll = (budgets: TestBudgets, agents: readonly AgentRecord[], house: AgentBudget): void => {
  const check = (budget: AgentBudget, span: "turn" | "day" | "month", scope: string, period: string): void => {
    const { spent, reserved } = budgets.ledger.tally(scope, period);
    for (const unit of ["tokens", "money"] as const) {
      if (reserved[unit] < 0) throw new Error(`less than nothing is held back for ${scope}`);
      const most = budget[span]?.[unit];
      if (most !== undefined && spent[unit] + reserved[unit] > most)
        throw new Error(`${scope} ${period}: ${spent[unit]} and ${reserved[unit]} of ${most} ${unit}`);
    }
  };
  for (const { id, content } of agents) {
    check(content.budget ?? {}, "day", id, DAY);
    check(content.budget ?? {}, "month", id, MONTH);
  }
  check(house, "day", HOME, DAY);
  check(house, "month", HOME, MONTH);
  for (let index = 0; index < 10 + AGENTS; index += 1) check(house, "turn", turnId(index), "turn");
  for (let index = 0; index < 10; index += 1) check(agents[0]?.content.budget ?? {}, "turn", turnId(index), "turn");
  for (const [index, { content }] of agents.entries()) check(content.budget ?? {}, "turn", turnId(10 + index), "turn");
};

const pause = async (turns: number): Promise<void> => {
  for (let index = 0; index < turns; index += 1) await Promise.resolve();
};

/**
 * A vendor that respects `maxOutputTokens` and counts each token of input and output as three
 * bytes.
 */
const createVendor = (
  { attempts, inputTokens }: Call,
  crash: AbortSignal,
  count: (tokens: number) => void,
): Provider => {
  let next = 0;
  return {
    ...{ kind: "fake", traits: { offline: false, carries: [] }, models: async () => [] },
    async *stream({ maxOutputTokens }, signal) {
      const attempt = attempts[next] ?? { ...ENDS, isTold: next % 2 === 0 };
      next += 1;
      const { end, cost, isTold, isShown, during } = attempt;
      const part = (of: number): number => Math.floor((of * cost) / 100);
      const asked = end === "refused" ? 0 : part(Math.ceil(inputTokens / 3));
      let said = 0;
      count(asked);
      const usage = () => (isTold ? { usage: { ...noUsage, inputTokens: asked, outputTokens: said } } : {});
      const fail = (code: ErrorCode, saidTokens = 0): ModelEvent => ({
        ...{ type: "error", error: { code, message: "It is so." }, ...(end === "refused" ? {} : usage()) },
        ...(saidTokens === 0 ? {} : { saidBytes: 3 * saidTokens }),
      });
      let text = "";
      for (const share of end === "refused" ? [] : [0.2, 0.7, 0.1]) {
        await pause(during);
        if (crash.aborted) await new Promise(() => {});
        if (signal.aborted) return yield fail("provider.aborted", said);
        const piece = "x".repeat(Math.floor(part(maxOutputTokens) * share));
        said += piece.length;
        count(piece.length);
        if (!isShown) continue;
        text += piece.repeat(3);
        yield { type: "text-delta", text: piece.repeat(3) };
      }
      if (crash.aborted) await new Promise(() => {});
      if (end === "refused") return yield fail("provider.overloaded");
      if (end === "cut") return yield fail("provider.truncated", said);
      const message = { role: "assistant", text, toolCalls: [] } as const;
      // A request that is neither reported nor shown cannot be counted, so a successful one is
      // always one of the two.
      const told = isTold || !isShown ? { ...noUsage, inputTokens: asked, outputTokens: said } : noUsage;
      yield { type: "end", message: { ...message, toolCalls: [] }, stopReason: "end", usage: told };
    },
  };
};

const ENDS: Omit<Attempt, "isTold"> = { end: "ends", cost: 50, isShown: true, during: 3 };

/** The chain of an agent with a fallback: two models of one vendor, each with retries. */
const createChain = (vendor: Provider): Provider => {
  const world = createFakeWorld({ hash: () => "" });
  const clock = { ...world.clock, sleep: () => pause(2) };
  const open = async (name: string): Promise<Provider> =>
    createRetryingProvider({
      ...{ provider: createChargedProvider(vendor, name), clock, random: world.random, retries: 2 },
    });
  return createReliableProvider({ targets: ["far/m", "far/n"], open, circuitOf: () => createCircuit(clock) });
};

/** One run of the daemon. It crashes after a number of finished calls, whatever still runs. */
const live = async (options: {
  readonly store: Store;
  readonly agents: readonly AgentRecord[];
  readonly house: AgentBudget;
  readonly calls: readonly Call[];
  readonly crashAfter: number;
  readonly truth: Truth;
}): Promise<void> => {
  const { store, agents, house, calls, crashAfter, truth } = options;
  const budgets = await openTestBudgets({ store, limits: house });
  const crash = new AbortController();
  const crashed = Promise.withResolvers<void>();
  crash.signal.addEventListener("abort", () => crashed.resolve());
  let ends = 0;
  checkAll(budgets, agents, house);
  const run = async (call: Call): Promise<void> => {
    await pause(call.before);
    const agent = agents[call.agent];
    if (agent === undefined || crash.signal.aborted) return;
    const turns = [
      { activation: turnId(10 + call.agent), agent },
      { activation: turnId(call.turn), agent: agents[0] ?? agent },
    ];
    const { inputTokens, maxOutputTokens } = call;
    const stop = new AbortController();
    const signal = AbortSignal.any([crash.signal, stop.signal]);
    if (call.stop < Infinity) void pause(call.stop).then(() => stop.abort());
    const models = ["far/m", "far/n"];
    const admission = await budgets.ask(agent, { turns, models, inputTokens, maxOutputTokens, signal });
    checkAll(budgets, agents, house);
    if (admission.kind !== "allowed" || crash.signal.aborted) return;
    const { reservation } = admission;
    // Like the journal, commits the reservation before it calls the model.
    await budgets.commit();
    if (crash.signal.aborted) return;
    const scopes = [agent.id, HOME, ...turns.map(({ activation }) => activation)];
    const vendor = createVendor(call, crash.signal, (tokens) => add(truth, scopes, tokens));
    const request = { ...ask("Hello"), maxOutputTokens: reservation.maxOutputTokens };
    for await (const _ of createChain(vendor).stream(request, call.isLeft ? crash.signal : signal, {
      chargeGate: reservation.chargeGate,
    })) {
      checkAll(budgets, agents, house);
      if (stop.signal.aborted) break;
    }
    reservation.close();
    checkAll(budgets, agents, house);
    if (crash.signal.aborted) return;
    if (call.isKept) await budgets.commit();
    ends += 1;
    if (ends === crashAfter) crash.abort();
  };
  await Promise.race([Promise.all(calls.map(run)), crashed.promise]);
};

test("spent and reserved never exceed a limit, and a restart forgets nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBudget, { minLength: AGENTS, maxLength: AGENTS }),
      anyBudget,
      fc.array(anyCall, { minLength: CALLS, maxLength: CALLS }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
      async (own, house, calls, crashes) => {
        const store = createMemoryStore();
        const agents = own.map((budget, index) => makeAgent(index, budget));
        // Keeps every turn active, so that its spending is known after a restart.
        await store.commit({
          writes: Array.from({ length: 10 + AGENTS }, (_, index) => ({
            ...({ kind: "put", table: "activations" } as const),
            row: { id: turnId(index), ended_at: null } as never,
          })),
        });
        const truth: Truth = { money: new Map() };
        const share = Math.ceil(calls.length / (crashes.length + 1));
        for (const [life, crashAfter] of [...crashes, Infinity].entries()) {
          const some = calls.slice(life * share, (life + 1) * share);
          await live({ store, agents, house, calls: some, crashAfter, truth });
        }
        // After the last crash, at least the real cost is recorded and no limit is exceeded.
        const last = await openTestBudgets({ store, limits: house });
        await last.ledger.open(MONTH);
        checkAll(last, agents, house);
        for (const { id } of [...agents, { id: HOME }]) {
          const { spent } = last.ledger.tally(id, DAY);
          expect([id, spent.money >= (truth.money.get(id) ?? 0)]).toEqual([id, true]);
          expect(last.ledger.tally(id, MONTH).spent).toEqual(spent);
        }
      },
    ),
    // Shrinking a counterexample of two hundred calls would take longer than a test may.
    { numRuns: 60, endOnFailure: true },
  );
}, 180_000);
