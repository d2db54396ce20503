/**
 * The gates that an ambient activation passes after the silence, in this order: no message replaced
 * it, the agent has not just written, bots have not replied too often, and the messages concern the
 * agent. A skipped activation appears only in the activation log, not in the room.
 */
import {
  writeJson,
  leaseLostError,
  type Lease,
  type Store,
  type Row,
  type DurableStreams,
} from "../../../kernel/index.ts";
import type { Budgets } from "../../../policy/index.ts";
import {
  type AgentIntrospection,
  type AgentRecord,
  noUsage,
  type SkipReason,
  type StoredMessage,
  type Usage,
} from "@hearth/protocol";
import type { Gates } from "../../queue/gates.ts";
import { lastMessages } from "../last-messages.ts";
import type { ChainLimits } from "../chain-limits.ts";
import { TOO_MANY_REPLIES } from "../who-wakes.ts";
import { debounceMsOf } from "./debounce.ts";
import { createRelevance, relevanceOf, type RelevanceOptions } from "./relevance.ts";

export interface GatesOptions extends RelevanceOptions {
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "head" | "read">;
  readonly chainLimits: ChainLimits;
  readonly budgets: Pick<Budgets, "refusal">;
}

type ActivationRow = Row<"activations">;

/** Number of latest messages that the gates read. */
const MAX_READ_MESSAGES = 5;

export const createGates = (options: GatesOptions): Gates => {
  const { world, store, streams, records, chainLimits, budgets } = options;
  const judgeRelevance = createRelevance(options);

  /** Ends the activation as skipped, unless it was replaced or ended meanwhile. */
  const skip = async (row: ActivationRow, lease: Lease, code: SkipReason, reason: string, usage: Usage) => {
    const result = await store.commit({
      guards: [waitingGuard(row), lease.guard],
      writes: [
        {
          kind: "update",
          table: "activations",
          where: { id: row.id },
          set: { state: "skipped", skip: code, reason, usage: writeJson(usage), ended_at: world.clock.now() },
        },
        ...lease.renewal(),
      ],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
    return { kind: "over" } as const;
  };

  /** Marks the activation with the lease's fence, so that no later message replaces it. */
  const claim = async (row: ActivationRow, lease: Lease): Promise<boolean> => {
    const result = await store.commit({
      guards: [waitingGuard(row), lease.guard],
      writes: [
        { kind: "update", table: "activations", where: { id: row.id }, set: { state: "queued", fence: lease.fence } },
        ...lease.renewal(),
      ],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
    return result.kind === "committed";
  };

  const isAtReplyLimit = async ({ room, root, cause }: ActivationRow): Promise<boolean> =>
    chainLimits.isAtReplyLimit(await chainLimits.countReplies(room, root ?? cause));

  return {
    async pass(row, lease, signal) {
      if (row.ready_at === 0) return { kind: "allowed", row };
      const [current] = await store.select({ table: "activations", where: { id: row.id } });
      if (current?.state !== "queued") return { kind: "over" };
      if (current.ready_at === 0) return { kind: "allowed", row: current };
      const agent = await records.find("agent", row.agent);
      // The agent was removed. The run ends the activation with this reason.
      if (agent === undefined) return { kind: "allowed", row: current };
      const recentMessages = await lastMessages(streams, row.room, MAX_READ_MESSAGES);
      if (isCoolingDown(agent, recentMessages)) return skip(current, lease, "cooldown", SPOKE_RECENTLY, noUsage);
      // Checked before the model is called, and again afterwards.
      if (await isAtReplyLimit(current)) return skip(current, lease, "replies", TOO_MANY_REPLIES, noUsage);
      // A model call costs money, so a later message must not replace this activation from now on.
      if (relevanceOf(agent) === "model" && !(await claim(current, lease))) return { kind: "over" };
      const budgetRefusal = await budgets.refusal(agent);
      if (budgetRefusal !== undefined) return skip(current, lease, "budget", budgetRefusal, noUsage);
      const relevance = await judgeRelevance(agent, recentMessages, row.id, lease, signal);
      if (relevance.verdict === "over-budget") return skip(current, lease, "budget", relevance.reason, noUsage);
      const { verdict, usage } = relevance;
      if (verdict === "stopped") return { kind: "stopped" };
      if (verdict === "no") return skip(current, lease, "relevance", NOT_CONCERNED, usage);
      for (;;) {
        const plannedReply = await chainLimits.planReply(row.room);
        if (await isAtReplyLimit(current)) return skip(current, lease, "replies", TOO_MANY_REPLIES, usage);
        const result = await store.commit({
          guards: [waitingGuard(current), lease.guard, plannedReply.guard],
          writes: [
            { kind: "update", table: "activations", where: { id: row.id }, set: { state: "queued", ready_at: 0 } },
            plannedReply.write,
            ...lease.renewal(),
          ],
        });
        if (result.kind === "committed") return { kind: "allowed", row: { ...current, ready_at: 0 } };
        if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
        if (result.kind === "refused" && result.guard === "waiting") return { kind: "over" };
      }
    },
  };
};

/** The gate settings of an agent's record, with defaults filled in. */
export const ambientOf = (agent: AgentRecord): AgentIntrospection["config"]["ambient"] => {
  const { model } = agent.content.ambient ?? {};
  return {
    debounceMs: debounceMsOf(agent),
    cooldown: hasCooldown(agent),
    relevance: relevanceOf(agent),
    ...(model === undefined ? {} : { model }),
  };
};

/** Guards that the activation still waits: it was not replaced, ended or started. */
const waitingGuard = ({ id, ready_at }: ActivationRow) =>
  ({ name: "waiting", kind: "exists", table: "activations", where: { id, state: "queued", ready_at } }) as const;

const SPOKE_RECENTLY = "The agent wrote one of the last five messages.";
const NOT_CONCERNED = "The messages do not concern the agent.";

const hasCooldown = ({ content }: AgentRecord): boolean => content.ambient?.cooldown !== false;

/** Whether the agent has just spoken. `recentMessages` are the latest messages of the room. */
const isCoolingDown = (agent: AgentRecord, recentMessages: readonly StoredMessage[]): boolean =>
  hasCooldown(agent) && recentMessages.some(({ author }) => author === agent.id);
