/**
 * What stands before an ambient activation once its silence is over, in this order: does the agent still wait, has it just spoken, have
 * bots replied often enough, does the talk concern it. What is skipped here is in the activation log and nowhere else: nothing had begun.
 */
import { leaseLost, type Lease, type Store, type Row, type DurableStreams } from "../../../kernel/index.ts";
import type { Budgets } from "../../../policy/index.ts";
import {
  type ActivationId,
  type AgentId,
  type AgentIntrospection,
  type AgentRecord,
  type EventId,
  noUsage,
  type RoomId,
  type SkipReason,
  type Usage,
} from "@hearth/protocol";
import type { Gates } from "../../queue/gates.ts";
import { lastMessages } from "../recent.ts";
import type { ChainLimits } from "../chain-limits.ts";
import { tooMany } from "../who-wakes.ts";
import { hasCooldown, isCoolingDown } from "./cooldown.ts";
import { debounceOf } from "./debounce.ts";
import { createRelevance, relevanceOf, type RelevanceOptions } from "./relevance.ts";

export interface GatesOptions extends RelevanceOptions {
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "head" | "read">;
  readonly rest: ChainLimits;
  readonly budgets: Pick<Budgets, "refusal">;
}

type ActivationRow = Row<"activations">;

/** How many messages are looked at. */
const LOOKED_AT = 5;

export const createGates = (options: GatesOptions): Gates => {
  const { world, store, streams, records, rest, budgets } = options;
  const judge = createRelevance(options);

  /** It ends here, unless it was taken back or ended meanwhile: then that stands. */
  const skip = async (row: ActivationRow, lease: Lease, why: SkipReason, reason: string, usage: Usage) => {
    const result = await store.commit({
      guards: [waits(row), lease.guard],
      writes: [
        {
          kind: "update",
          table: "activations",
          where: { id: row.id },
          set: { state: "skipped", skip: why, reason, usage: JSON.stringify(usage), ended_at: world.clock.now() },
        },
        ...lease.renewal(),
      ],
    });
    if (result.kind === "refused" && result.guard === 1) throw leaseLost(row.agent as AgentId);
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
    if (result.kind === "refused" && result.guard === 1) throw leaseLost(row.agent as AgentId);
    return result.kind === "committed";
  };

  const isFull = async ({ room, root, cause }: ActivationRow): Promise<boolean> =>
    rest.isFull(await rest.replies(room as RoomId, (root ?? cause) as EventId));

  return {
    async pass(row, lease, signal) {
      if (row.ready_at === 0) return { kind: "on", row };
      const [now] = await store.select({ table: "activations", where: { id: row.id } });
      if (now?.state !== "queued") return { kind: "over" };
      if (now.ready_at === 0) return { kind: "on", row: now };
      const agent = await records.find("agent", row.agent);
      // Without its agent it ends as any other.
      if (agent === undefined) return { kind: "on", row: now };
      const last = await lastMessages(streams, row.room as RoomId, LOOKED_AT);
      if (isCoolingDown(agent, last)) return skip(now, lease, "cooldown", SPOKE, noUsage);
      // Before a model is asked, and once more after it.
      if (await isFull(now)) return skip(now, lease, "replies", tooMany, noUsage);
      // What a model is asked is paid for and kept: from here on no later message takes this one's place.
      if (relevanceOf(agent) === "model" && !(await claim(now, lease))) return { kind: "over" };
      const unpaid = await budgets.refusal(agent);
      if (unpaid !== undefined) return skip(now, lease, "budget", unpaid, noUsage);
      const judged = await judge(agent, last, row.id as ActivationId, lease, signal);
      if (judged.verdict === "unpaid") return skip(now, lease, "budget", judged.reason, noUsage);
      const { verdict, usage } = judged;
      if (verdict === "stopped") return { kind: "stopped" };
      if (verdict === "no") return skip(now, lease, "relevance", ELSEWHERE, usage);
      for (;;) {
        const turnstile = await rest.turnstile(row.room as RoomId);
        if (await isFull(now)) return skip(now, lease, "replies", tooMany, usage);
        const result = await store.commit({
          guards: [waits(now), lease.guard, turnstile.guard],
          writes: [
            { kind: "update", table: "activations", where: { id: row.id }, set: { state: "queued", ready_at: 0 } },
            turnstile.write,
            ...lease.renewal(),
          ],
        });
        if (result.kind === "committed") return { kind: "on", row: { ...now, ready_at: 0 } };
        if (result.kind === "refused" && result.guard === 1) throw leaseLost(row.agent as AgentId);
        if (result.kind === "refused" && result.guard === 0) return { kind: "over" };
      }
    },
  };
};

/** What an agent's record says of its gates, defaults filled in. */
export const ambientOf = (agent: AgentRecord): AgentIntrospection["config"]["ambient"] => {
  const { model } = agent.content.ambient ?? {};
  return {
    ...{ debounceMs: debounceOf(agent), cooldown: hasCooldown(agent), relevance: relevanceOf(agent) },
    ...(model === undefined ? {} : { model }),
  };
};

/** That nobody has taken it back, ended it or let it go on. */
const waits = ({ id, ready_at }: ActivationRow) =>
  ({ kind: "exists", table: "activations", where: { id, state: "queued", ready_at } }) as const;

const SPOKE = "It wrote one of the last five messages.";
const ELSEWHERE = "The talk does not concern it.";
