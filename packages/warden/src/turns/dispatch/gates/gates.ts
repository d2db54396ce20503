/**
 * The gates that an ambient activation passes after its silence, in this order: it still waits, the
 * agent has not just spoken, bots have not replied too often, and the messages concern the agent. A
 * skip appears only in the activation log, because nothing had begun.
 */
import { writeJson, leaseLost, type Lease, type Store, type Row, type DurableStreams } from "../../../kernel/index.ts";
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
import { lastMessages } from "../recent.ts";
import type { ChainLimits } from "../chain-limits.ts";
import { tooMany } from "../who-wakes.ts";
import { debounceOf } from "./debounce.ts";
import { createRelevance, relevanceOf, type RelevanceOptions } from "./relevance.ts";

export interface GatesOptions extends RelevanceOptions {
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "head" | "read">;
  readonly rest: ChainLimits;
  readonly budgets: Pick<Budgets, "refusal">;
}

type ActivationRow = Row<"activations">;

/** How many messages the gates read. */
const LOOKED_AT = 5;

export const createGates = (options: GatesOptions): Gates => {
  const { world, store, streams, records, rest, budgets } = options;
  const judge = createRelevance(options);

  /** Ends the activation, unless it was withdrawn or ended meanwhile; then that result stays. */
  const skip = async (row: ActivationRow, lease: Lease, why: SkipReason, reason: string, usage: Usage) => {
    const result = await store.commit({
      guards: [waits(row), lease.guard],
      writes: [
        {
          kind: "update",
          table: "activations",
          where: { id: row.id },
          set: { state: "skipped", skip: why, reason, usage: writeJson(usage), ended_at: world.clock.now() },
        },
        ...lease.renewal(),
      ],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
    return { kind: "over" } as const;
  };

  const claim = async (row: ActivationRow, lease: Lease): Promise<boolean> => {
    const result = await store.commit({
      guards: [waits(row), lease.guard],
      writes: [
        { kind: "update", table: "activations", where: { id: row.id }, set: { state: "queued", fence: lease.fence } },
        ...lease.renewal(),
      ],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
    return result.kind === "committed";
  };

  const isFull = async ({ room, root, cause }: ActivationRow): Promise<boolean> =>
    rest.isFull(await rest.replies(room, root ?? cause));

  return {
    async pass(row, lease, signal) {
      if (row.ready_at === 0) return { kind: "allowed", row };
      const [now] = await store.select({ table: "activations", where: { id: row.id } });
      if (now?.state !== "queued") return { kind: "over" };
      if (now.ready_at === 0) return { kind: "allowed", row: now };
      const agent = await records.find("agent", row.agent);
      // Without its agent it ends like any other activation.
      if (agent === undefined) return { kind: "allowed", row: now };
      const last = await lastMessages(streams, row.room, LOOKED_AT);
      if (isCoolingDown(agent, last)) return skip(now, lease, "cooldown", SPOKE, noUsage);
      // Checked before the model is called, and again after.
      if (await isFull(now)) return skip(now, lease, "replies", tooMany, noUsage);
      // A model call costs money and is journaled: from here on no later message replaces this
      // activation.
      if (relevanceOf(agent) === "model" && !(await claim(now, lease))) return { kind: "over" };
      const unpaid = await budgets.refusal(agent);
      if (unpaid !== undefined) return skip(now, lease, "budget", unpaid, noUsage);
      const judged = await judge(agent, last, row.id, lease, signal);
      if (judged.verdict === "unpaid") return skip(now, lease, "budget", judged.reason, noUsage);
      const { verdict, usage } = judged;
      if (verdict === "stopped") return { kind: "stopped" };
      if (verdict === "no") return skip(now, lease, "relevance", ELSEWHERE, usage);
      for (;;) {
        const turnstile = await rest.turnstile(row.room);
        if (await isFull(now)) return skip(now, lease, "replies", tooMany, usage);
        const result = await store.commit({
          guards: [waits(now), lease.guard, turnstile.guard],
          writes: [
            { kind: "update", table: "activations", where: { id: row.id }, set: { state: "queued", ready_at: 0 } },
            turnstile.write,
            ...lease.renewal(),
          ],
        });
        if (result.kind === "committed") return { kind: "allowed", row: { ...now, ready_at: 0 } };
        if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
        if (result.kind === "refused" && result.guard === "waiting") return { kind: "over" };
      }
    },
  };
};

/** The gate settings of an agent's record, with defaults filled in. */
export const ambientOf = (agent: AgentRecord): AgentIntrospection["config"]["ambient"] => {
  const { model } = agent.content.ambient ?? {};
  return {
    debounceMs: debounceOf(agent),
    cooldown: hasCooldown(agent),
    relevance: relevanceOf(agent),
    ...(model === undefined ? {} : { model }),
  };
};

/** Guards that the activation has not been withdrawn, ended or started. */
const waits = ({ id, ready_at }: ActivationRow) =>
  ({ name: "waiting", kind: "exists", table: "activations", where: { id, state: "queued", ready_at } }) as const;

const SPOKE = "The agent wrote one of the last five messages.";
const ELSEWHERE = "The messages do not concern the agent.";

const hasCooldown = ({ content }: AgentRecord): boolean => content.ambient?.cooldown !== false;

/** Whether the agent has just spoken. `last`: the latest messages of the room. */
const isCoolingDown = (agent: AgentRecord, last: readonly StoredMessage[]): boolean =>
  hasCooldown(agent) && last.some(({ author }) => author === agent.id);
