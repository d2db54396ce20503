/**
 * The pipeline from a message to the agents that it wakes: the bots in scope, the trigger of each,
 * whether the author is admitted, and whether the chain has reached its limit. It decides and
 * writes nothing.
 */
import { newActivation, type Change, type Store, type Row } from "../../kernel/index.ts";
import { type Records, type Refusal, refusalOf } from "../../people/index.ts";
import type { EventId, MessageEvent, RoomId, SkipReason, Stored, Trigger, World } from "@hearth/protocol";
import { createDraft, isStale, readyAt } from "./gates/debounce.ts";
import type { ChainLimits } from "./chain-limits.ts";
import { botsIn, type MaySpeak, triggerOf } from "./scope.ts";

type ActivationRow = Row<"activations">;

export interface WhoWakesOptions {
  readonly world: World;
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find" | "list">;
  readonly maySpeak: MaySpeak;
  readonly rest: ChainLimits;
}

/** Activations to insert, with the guards and writes of the same commit. */
export interface Plan extends Required<Change> {
  readonly rows: readonly ActivationRow[];
}

/** Plans the activations for these messages of one room, in their order. */
export type WhoWakes = (room: RoomId, messages: readonly Stored<MessageEvent>[]) => Promise<Plan>;

const NOBODY: Plan = { rows: [], guards: [], writes: [] };

export const createWhoWakes = (options: WhoWakesOptions): WhoWakes => {
  const { world, store, records, maySpeak, rest } = options;

  /**
   * The room's activations that wait for a silence; few are queued at a time. An activation whose
   * gates have begun continues, and a later message gets its own.
   */
  const waitingIn = async (room: RoomId): Promise<readonly ActivationRow[]> => {
    const queued = await store.select({
      table: "activations",
      where: { state: "queued", fence: 0 },
      and: [{ column: "ready_at", is: ">", value: 0 }],
    });
    return queued.filter((row) => row.room === room);
  };

  return async (id, messages) => {
    if (messages.length === 0) return NOBODY;
    const room = await records.find("room", id);
    // A removed room wakes no agent.
    if (room === undefined) return NOBODY;
    const bots = await botsIn(room, records, maySpeak);
    const calls = messages.map((message) => ({
      message,
      called: bots.flatMap((agent) => {
        const trigger = triggerOf(room, message, agent);
        return trigger === undefined ? [] : [{ agent, trigger }];
      }),
    }));
    if (calls.every(({ called }) => called.length === 0)) return NOBODY;

    const now = world.clock.now();
    const draft = createDraft(await waitingIn(id), now);
    const replies = new Map<EventId, number>();
    let turnstile: Awaited<ReturnType<ChainLimits["turnstile"]>> | undefined;

    /** Whether bots have replied often enough to this root, counting the replies of this plan. */
    const isFull = async (root: EventId): Promise<boolean> => {
      turnstile ??= await rest.turnstile(id);
      const planned = replies.get(root) ?? 0;
      return rest.isFull(planned + (await rest.replies(id, root)));
    };

    for (const { message, called } of calls) {
      if (called.length === 0) continue;
      const origin = await rest.originOf(message);
      for (const { agent, trigger } of called) {
        const row = { ...newActivation({ world, message, agent: agent.id, trigger, now }), ...origin };
        const skip = (why: SkipReason, reason: string): void =>
          draft.add({ ...row, state: "skipped", skip: why, reason, ended_at: now });
        const refusal = refusalOf(room.content.admission ?? {}, {
          author: message.author,
          isDirect: room.content.kind === "direct",
          isNamed: message.mentions.includes(agent.id),
        });
        if (refusal !== undefined) {
          if (isTold(trigger, refusal)) skip("admission", notLetIn[refusal]);
        } else if (rest.isTooDeep(origin.depth)) {
          skip("depth", tooDeep(origin.depth));
        } else if (trigger === "ambient") {
          if (!isStale(message.at, now)) draft.wait({ ...row, ready_at: readyAt(agent, now) });
        } else if (origin.depth > 0 && (await isFull(origin.root))) {
          skip("replies", tooMany);
        } else {
          draft.call(row);
          replies.set(origin.root, (replies.get(origin.root) ?? 0) + 1);
        }
      }
    }
    const { rows, guards, writes } = draft.changes();
    return turnstile === undefined
      ? { rows, guards, writes }
      : { rows, guards: [...guards, turnstile.guard], writes: [...writes, turnstile.write] };
  };
};

/** A person who names an agent or writes to it directly must see why it does not answer. */
const isTold = (trigger: Trigger, refusal: Refusal): boolean =>
  trigger === "mention" || (trigger === "direct" && refusal !== "not-mentioned");

const notLetIn: Readonly<Record<Refusal, string>> = {
  blocked: "The author is blocked in this room.",
  unlisted: "The author is not on the list of those who may wake agents in this room.",
  "not-direct": "Messages do not wake agents in this room: only direct conversations do.",
  "not-mentioned": "A message in this room must mention the agent to wake it.",
};

const tooDeep = (depth: number): string =>
  `${depth} agents have woken each other in a row. The chain ends until a person writes a message.`;

export const tooMany =
  "Agents have reached the limit of replies to one message. They continue when a person writes a message.";
