/**
 * The pipeline from a message to whom it wakes, step by step: the bots in scope, what calls each, whether the author is let in, whether
 * the chain is long enough already. It decides and writes nothing.
 */
import { newActivation, type Change, type Store, type Row } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { EventId, MessageEvent, RoomId, SkipReason, Stored, Trigger, World } from "@hearth/protocol";
import { type Refusal, refusalOf } from "./admission.ts";
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

/** Activations to insert, and what has to hold and to be written together with them. */
export interface Plan extends Required<Change> {
  readonly rows: readonly ActivationRow[];
}

/** What these messages of one room, in their order, make of its bots. */
export type WhoWakes = (room: RoomId, messages: readonly Stored<MessageEvent>[]) => Promise<Plan>;

const NOBODY: Plan = { rows: [], guards: [], writes: [] };

export const createWhoWakes = (options: WhoWakesOptions): WhoWakes => {
  const { world, store, records, maySpeak, rest } = options;

  /** Those of the room that wait for a silence; few are queued at a time. One whose gate has begun goes on, and a later message has its own. */
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
    // A room that was removed wakes nobody.
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

    /** Whether bots have answered bots for long enough, as far as it is known when this is written. */
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

/** Whoever calls an agent by its name, or alone, is owed a word on why it does not come. */
const isTold = (trigger: Trigger, refusal: Refusal): boolean =>
  trigger === "mention" || (trigger === "direct" && refusal !== "not-mentioned");

const notLetIn: Readonly<Record<Refusal, string>> = {
  blocked: "Its author is blocked in this room.",
  unlisted: "Its author is not on the list of those who may wake agents in this room.",
  "not-direct": "In this room no agent is to be woken: only conversations of two are let in.",
  "not-mentioned": "In this room an agent has to be named.",
};

const tooDeep = (depth: number): string =>
  `${depth} agents have woken each other in a row: a person has to say something first.`;

export const tooMany = "Agents have replied often enough to one message: a person has to say something first.";
