/**
 * Decides which agents a message wakes: the bots in scope, the trigger of each, whether the author
 * is admitted, and whether the chain has reached its limit. Returns the decision and writes
 * nothing.
 */
import { newActivation, type Change, type Store, type Row } from "../../kernel/index.ts";
import { type Permissions, type Records, type Refusal, refusalOf } from "../../people/index.ts";
import type { EventId, MessageEvent, RoomId, RoomRecord, SkipReason, Stored, Trigger, World } from "@hearth/protocol";
import { createPlanDraft, isStale, readyAt } from "./gates/debounce.ts";
import type { ChainLimits } from "./chain-limits.ts";
import { speakingBotsIn, triggerOf } from "./triggers.ts";

type ActivationRow = Row<"activations">;

export interface WhoWakesOptions {
  readonly world: World;
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find" | "list">;
  readonly permissions: Pick<Permissions, "writers">;
  readonly chainLimits: ChainLimits;
}

/** Activations to insert, with the guards and writes of the same commit. */
export interface WakePlan extends Required<Change> {
  readonly rows: readonly ActivationRow[];
}

/** Plans the activations for these messages of one room, in their order. */
export type WhoWakes = (room: RoomId, messages: readonly Stored<MessageEvent>[]) => Promise<WakePlan>;

const EMPTY_PLAN: WakePlan = { rows: [], guards: [], writes: [] };

export const createWhoWakes = (options: WhoWakesOptions): WhoWakes => {
  const { world, store, records, permissions, chainLimits } = options;

  /**
   * The room's activations that wait for a silence. An activation whose gates have begun (`fence`
   * above 0) is not among them: it continues, and a later message gets an activation for itself.
   */
  const waitingIn = async ({ id, content }: RoomRecord): Promise<readonly ActivationRow[]> => {
    // No message of a direct room is ambient.
    if (content.kind === "direct") return [];
    const queued = await store.select({
      table: "activations",
      where: { state: "queued", fence: 0 },
      and: [{ column: "ready_at", is: ">", value: 0 }],
    });
    return queued.filter((row) => row.room === id);
  };

  return async (id, messages) => {
    if (messages.length === 0) return EMPTY_PLAN;
    const room = await records.find("room", id);
    // A removed room wakes no agent.
    if (room === undefined) return EMPTY_PLAN;
    const bots = await speakingBotsIn(room, records, permissions);
    const messagesWithCalls = messages.map((message) => ({
      message,
      calledAgents: bots.flatMap((agent) => {
        const trigger = triggerOf(room, message, agent);
        return trigger === undefined ? [] : [{ agent, trigger }];
      }),
    }));
    if (messagesWithCalls.every(({ calledAgents }) => calledAgents.length === 0)) return EMPTY_PLAN;

    const now = world.clock.now();
    const draft = createPlanDraft(await waitingIn(room), now);
    const replies = new Map<EventId, number>();
    let plannedReply: Awaited<ReturnType<ChainLimits["planReply"]>> | undefined;

    /** Whether the replies to this root, including those of this plan, have reached the limit. */
    const isAtReplyLimit = async (root: EventId): Promise<boolean> => {
      plannedReply ??= await chainLimits.planReply(id);
      const planned = replies.get(root) ?? 0;
      return chainLimits.isAtReplyLimit(planned + (await chainLimits.countReplies(id, root)));
    };

    for (const { message, calledAgents } of messagesWithCalls) {
      if (calledAgents.length === 0) continue;
      const origin = await chainLimits.originOf(message);
      for (const { agent, trigger } of calledAgents) {
        const row = { ...newActivation({ world, message, agent: agent.id, trigger, now }), ...origin };
        const skip = (code: SkipReason, reason: string): void =>
          draft.add({ ...row, state: "skipped", skip: code, reason, ended_at: now });
        const refusal = refusalOf(room.content.admission ?? {}, {
          author: message.author,
          isDirect: room.content.kind === "direct",
          isNamed: message.mentions.includes(agent.id),
        });
        if (refusal !== undefined) {
          if (needsExplanation(trigger, refusal)) skip("admission", refusalTexts[refusal]);
        } else if (chainLimits.isTooDeep(origin.depth)) {
          skip("depth", tooDeepText(origin.depth));
        } else if (trigger === "ambient") {
          if (!isStale(message.at, now)) draft.addWaiting({ ...row, ready_at: readyAt(agent, now) });
        } else if (origin.depth > 0 && (await isAtReplyLimit(origin.root))) {
          skip("replies", TOO_MANY_REPLIES);
        } else {
          draft.addCall(row);
          replies.set(origin.root, (replies.get(origin.root) ?? 0) + 1);
        }
      }
    }
    const { rows, guards, writes } = draft.changes();
    return plannedReply === undefined
      ? { rows, guards, writes }
      : { rows, guards: [...guards, plannedReply.guard], writes: [...writes, plannedReply.write] };
  };
};

/** A person who mentions an agent or writes to it directly must see why it does not answer. */
const needsExplanation = (trigger: Trigger, refusal: Refusal): boolean =>
  trigger === "mention" || (trigger === "direct" && refusal !== "not-mentioned");

const refusalTexts: Readonly<Record<Refusal, string>> = {
  blocked: "The author is blocked in this room.",
  unlisted: "The author is not on the list of those who may wake agents in this room.",
  "not-direct": "Messages do not wake agents in this room: only direct conversations do.",
  "not-mentioned": "A message in this room must mention the agent to wake it.",
};

const tooDeepText = (depth: number): string =>
  `${depth} agents have woken each other in a row. The chain ends until a person writes a message.`;

export const TOO_MANY_REPLIES =
  "Agents have reached the limit of replies to one message. They continue when a person writes a message.";
