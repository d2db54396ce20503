/**
 * The budgets of agents for models. Checks limits from the config and from agent records against
 * the ledger. Reserves an amount before a call, settles it after the call, and reports budgets that
 * are used up.
 */
import type { BudgetConfig } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { CandidateModel } from "../../models/index.ts";
import type { ActivationId, AgentRecord, AtLimit, BudgetReport, Clock, HouseId, SpendLimit } from "@hearth/protocol";
import type { SpendLedger } from "./budget-ledger.ts";
import {
  accountsOf,
  heartbeatLimits,
  periodKeyOf,
  type Limit,
  limitsOf,
  type CallCost,
  outputTokensLeft,
  type LimitSources,
  type PayingTurn,
} from "./budget-limits.ts";
import { amountOf, type PricedModel, maxCostOf, bookRequest, toPricedModels } from "./call-cost.ts";
import { periodsAt } from "./budget-periods.ts";
import { reportAgents, reportHouse, reportOf } from "./budget-report.ts";
import { createReservation, type RequestReservation } from "./budget-reservation.ts";
import { describeReachedLimit, type LimitText } from "./limit-texts.ts";
import type { CallReservation } from "../effect.ts";
import type { DaySums, UsageKey, UsageSums } from "./usage-sums.ts";

export interface CallForModel {
  readonly agent: AgentRecord;
  /** The paying turns. The turn of the call is the first. */
  readonly turns: readonly PayingTurn[];
  /** Set if a program in the agent's cell makes the call. */
  readonly isProgram?: true;
  /** The models that may answer. */
  readonly models: readonly string[];
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export type Admission =
  /** The maximum cost is reserved until it is settled. */
  | { readonly kind: "allowed"; readonly reservation: CallReservation }
  /** `reservation` applies if a person allows the call. */
  | ({ readonly kind: "ask"; readonly reservation: CallReservation } & LimitText)
  | ({ readonly kind: "stop" } & LimitText)
  /** The caller's signal has aborted. */
  | { readonly kind: "aborted" };

export interface Budgets {
  /**
   * Reserves the cost of a call if it fits every limit, with a full or a shorter answer. Waits if
   * it would fit after the end of running calls. Without a person's approval, spent and reserved
   * amounts together never exceed a limit.
   */
  admit(call: CallForModel): Promise<Admission>;
  /**
   * Returns the reason why this agent cannot make even the shortest call now, in a turn of that
   * kind. Returns undefined if it can.
   */
  refusal(agent: AgentRecord, turnKind?: "turn" | "heartbeat"): Promise<string | undefined>;
  /** Reports the budgets of these agents, and of all agents together if `range` is "home". */
  report(agents: readonly AgentRecord[], range: "home" | "agents"): Promise<BudgetReport>;
  /** Called when an activation has ended. */
  forgetTurn(activation: ActivationId): void;
}

export interface BudgetsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Pick<Records, "get">;
  /** The first house. Its time zone applies to the limits of all agents together. */
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly leaves: (models: readonly string[]) => readonly CandidateModel[];
  readonly ledger: SpendLedger;
  readonly openUsage: UsageSums["open"];
  /** Resolves when the reservation is on disk. */
  readonly flush: () => Promise<void>;
  /** Called after a charge, with the limits that it counts against. */
  readonly onCharged: (limits: readonly Limit[]) => void;
}

/** Minimum length of a useful answer. */
export const MIN_OUTPUT_TOKENS = 512;
/** Number of tokens of the shortest request that an agent makes. */
const MIN_INPUT_TOKENS = 1_000;

/** A call with its cost and the limits that it must fit. */
interface PricedCall {
  readonly call: CallForModel;
  readonly limits: readonly Limit[];
  readonly sources: LimitSources;
  readonly sums: DaySums;
  readonly cost: CallCost;
}

/** Returns the output tokens that fit, `wait` if the call will fit after running calls, or `full`. */
const findFittingOutput = ({ call, limits, cost }: PricedCall, ledger: SpendLedger): number | "wait" | "full" => {
  const maxTokens = call.maxOutputTokens;
  const minTokens = Math.min(MIN_OUTPUT_TOKENS, maxTokens);
  const countFittingTokens = (counting: "with-reservations" | "spent-only"): number =>
    Math.min(...limits.map((limit) => outputTokensLeft(limit, cost, ledger, counting)), Infinity);
  const fittingTokens = countFittingTokens("with-reservations");
  if (fittingTokens >= maxTokens) return maxTokens;
  const fittingTokensAlone = countFittingTokens("spent-only");
  if (fittingTokensAlone > fittingTokens && fittingTokensAlone >= minTokens) return "wait";
  return fittingTokens >= minTokens ? fittingTokens : "full";
};

/** Resolves when a reservation is settled, or when the signal aborts. */
const untilSettled = (ledger: SpendLedger, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      removeListener();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const removeListener = ledger.onSettled(finish);
    signal.addEventListener("abort", finish, { once: true });
  });

export const createBudgets = (options: BudgetsOptions): Budgets => {
  const { clock, records, home, config, leaves, ledger, openUsage, flush, onCharged } = options;
  /** The limits that have refused a call. */
  const reachedLimits = new Set<string>();

  const timezoneOf = async (house: HouseId): Promise<string> => (await records.get("house", house)).content.timezone;

  const sourcesFor = async ({ house: agentHouse }: Pick<AgentRecord, "house">): Promise<LimitSources> => {
    const zones = await Promise.all([timezoneOf(home), timezoneOf(agentHouse)]);
    const at = clock.now();
    const now = { home: periodsAt(at, zones[0]), agentHouse: periodsAt(at, zones[1]) };
    await Promise.all([ledger.open(now.home.month.key), ledger.open(now.agentHouse.month.key)]);
    return { house: config().limits, home, now };
  };

  /** The models and prices of one config. Another config may have other providers and prices. */
  let pricing: { readonly of: BudgetConfig; readonly answerers: Map<string, readonly PricedModel[]> } | undefined;

  const pricedModelsOf = (models: readonly string[]): readonly PricedModel[] => {
    const budgetConfig = config();
    if (pricing?.of !== budgetConfig) pricing = { of: budgetConfig, answerers: new Map() };
    const name = models.join(" ");
    const { prices: own, unknownPrice: unknown } = budgetConfig;
    const answerers = pricing.answerers.get(name) ?? toPricedModels(leaves(models), { own, unknown });
    pricing.answerers.set(name, answerers);
    return answerers;
  };

  const reserve = ({ call, limits, sources, sums, cost }: PricedCall, output: number): RequestReservation => {
    const { agent, inputTokens } = call;
    const amount = amountOf(cost, output);
    const reservation = ledger.reserve(accountsOf(agent, call.turns, limits, sources), amount);
    return {
      maxOutputTokens: output,
      covers(model) {
        const { tokens, money } = amountOf(maxCostOf(pricedModelsOf([model]), inputTokens), output);
        return tokens <= amount.tokens && money <= amount.money;
      },
      toBooked: (model, outcome) =>
        bookRequest(outcome, { answerers: pricedModelsOf([model]), held: amount, inputTokens }),
      charge(model, booked) {
        const { tokens, money } = booked;
        reservation.settle({ tokens, money });
        sums.add(usageOf(call, model), booked);
        // Heartbeat limits are left out, because the job's slots report them.
        if (tokens > 0) onCharged(limits.filter(({ kind }) => kind !== "heartbeat"));
      },
      release: () => reservation.settle({ tokens: 0, money: 0 }),
    };
  };

  const flushOrRelease = async (release: () => void): Promise<void> => {
    try {
      await flush();
    } catch (error) {
      release();
      throw error;
    }
  };

  const reservationFor = (priced: PricedCall, output: number, model?: string): CallReservation =>
    createReservation({
      initial: reserve(priced, output),
      model,
      async reserveAgain(answerer, signal) {
        const reserved = await decideWhenFree({ ...priced.call, models: [answerer], signal }, (repriced, maxOutput) => {
          if (maxOutput !== undefined) return reserve(repriced, maxOutput);
          const { text, hint } = describeLimits(repriced).texts;
          return { error: { code: "budget.spent", message: text, hint } } as const;
        });
        if (reserved === undefined) return { error: STOPPED };
        // The journal committed the first reservation together with `started`.
        if ("release" in reserved) await flushOrRelease(reserved.release);
        return reserved;
      },
    });

  /**
   * Returns the text that explains why a call does not fit, and the action that the reached limit
   * sets.
   */
  const describeLimits = ({
    call,
    limits,
    cost,
  }: PricedCall): { readonly texts: LimitText; readonly atLimit: AtLimit } => {
    const minTokens = Math.min(MIN_OUTPUT_TOKENS, call.maxOutputTokens);
    const reachedByCall = limits.filter((limit) => outputTokensLeft(limit, cost, ledger, "spent-only") < minTokens);
    const [firstLimit] = reachedByCall;
    if (firstLimit === undefined) throw new TypeError("a call was refused although it fits every limit");
    for (const limit of reachedByCall) reachedLimits.add(limitKey(limit.scope, periodKeyOf(limit), limit.limit));
    // A limit with `stop` applies even if another exceeded limit has a different setting.
    const atLimit = reachedByCall.some(({ atLimit }) => atLimit === "stop") ? "stop" : firstLimit.atLimit;
    return { texts: describeReachedLimit(firstLimit, cost, minTokens, ledger), atLimit };
  };

  const admitAtLimit = (priced: PricedCall): Admission => {
    const { call } = priced;
    const { texts, atLimit } = describeLimits(priced);
    if (atLimit === "stop") return { kind: "stop", ...texts };
    if (atLimit === "ask") return { kind: "ask", reservation: reservationFor(priced, call.maxOutputTokens), ...texts };
    const cheaper: PricedCall = { ...priced, cost: maxCostOf(pricedModelsOf([atLimit.cheaper]), call.inputTokens) };
    const output = findFittingOutput(cheaper, ledger);
    if (typeof output !== "number") return { kind: "stop", ...texts };
    return { kind: "allowed", reservation: reservationFor(cheaper, output, atLimit.cheaper) };
  };

  /**
   * Calls `decide` with the output tokens that fit, once no running call prevents this, or with
   * undefined if no answer fits. Returns undefined if the signal aborts.
   */
  const decideWhenFree = async <T>(
    call: CallForModel,
    decide: (priced: PricedCall, output: number | undefined) => T,
  ): Promise<T | undefined> => {
    const { agent, turns, models, inputTokens, signal } = call;
    for (;;) {
      const sources = await sourcesFor(agent);
      const sums = await openUsage(sources.now.agentHouse.day.key);
      // There is no `await` between the check and the reservation, so no other call can use the
      // checked amounts.
      if (signal.aborted) return undefined;
      const limits = limitsOf(agent, turns, sources);
      const priced: PricedCall = { call, limits, sources, sums, cost: maxCostOf(pricedModelsOf(models), inputTokens) };
      const output = findFittingOutput(priced, ledger);
      if (output !== "wait") return decide(priced, output === "full" ? undefined : output);
      await untilSettled(ledger, signal);
    }
  };

  return {
    async admit(call) {
      const admission = await decideWhenFree<Admission>(call, (priced, output) =>
        output === undefined ? admitAtLimit(priced) : { kind: "allowed", reservation: reservationFor(priced, output) },
      );
      return admission ?? { kind: "aborted" };
    },

    async refusal(agent, turnKind = "turn") {
      const { model, fallback = [] } = agent.content;
      if (model === undefined) return undefined;
      const sources = await sourcesFor(agent);
      const heartbeatLimitsOfTurn = turnKind === "heartbeat" ? heartbeatLimits(agent, sources.now.agentHouse) : [];
      const limits = [...heartbeatLimitsOfTurn, ...limitsOf(agent, [], sources)].filter(
        ({ atLimit }) => atLimit === "stop",
      );
      const minCost = maxCostOf(pricedModelsOf([model, ...fallback]), MIN_INPUT_TOKENS);
      const reachedByCall = limits.find(
        (limit) => outputTokensLeft(limit, minCost, ledger, "spent-only") < MIN_OUTPUT_TOKENS,
      );
      return reachedByCall === undefined
        ? undefined
        : describeReachedLimit(reachedByCall, minCost, MIN_OUTPUT_TOKENS, ledger).text;
    },

    async report(agents, range) {
      const homeSources = await sourcesFor({ house: home });
      const agentSources = await Promise.all(
        agents.map(async (agent) => ({ agent, sources: await sourcesFor(agent) })),
      );
      const reportOptions = {
        ledger,
        isReached: (scope: string, period: string, limit: SpendLimit) =>
          reachedLimits.has(limitKey(scope, period, limit)),
      };
      return reportOf(
        [
          ...(range === "home" ? reportHouse(homeSources, reportOptions) : []),
          ...reportAgents(agentSources, reportOptions),
        ],
        homeSources,
      );
    },

    forgetTurn: (activation) => ledger.forgetTurn(activation),
  };
};

const STOPPED = { code: "provider.aborted", message: "The call was stopped." } as const;

/** Returns the key of a call's usage. The room of the first paying turn counts, which a person or a job started. */
const usageOf = ({ agent, turns, isProgram }: CallForModel, model: string): UsageKey => ({
  agent: agent.id,
  model,
  room: turns.at(-1)?.room ?? "",
  kind: isProgram ? "program" : turns.some(({ isHeartbeat }) => isHeartbeat) ? "heartbeat" : "turn",
});

const limitKey = (scope: string, period: string, limit: SpendLimit): string =>
  `${scope} ${period} ${JSON.stringify(limit)}`;
