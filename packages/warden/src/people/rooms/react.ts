/**
 * Adds and removes reactions. The ids of an agent's changes of one emoji on one message form a
 * chain: change 0 adds it, change 1 removes it, and so on. So a repeat, or two requests at once,
 * change nothing more, and no table holds the state.
 */
import type { DurableStreams, Guard } from "../../kernel/index.ts";
import {
  type AgentId,
  type EventId,
  HearthError,
  type RoomId,
  type StoredReaction,
  type World,
} from "@hearth/protocol";

export interface ReactOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly streams: Pick<DurableStreams, "commit" | "find">;
}

export interface RequestedReaction {
  readonly room: RoomId;
  readonly message: EventId;
  readonly by: AgentId;
  readonly emoji: string;
  readonly isOn: boolean;
}

/** Returns the event that set the requested state, or undefined if the message was deleted. */
export const react = async (
  { world, streams }: ReactOptions,
  { room, message, by, emoji, isOn }: RequestedReaction,
  guard: Guard,
): Promise<StoredReaction | undefined> => {
  const stream = `room:${room}` as const;
  const idOf = (change: number): EventId => world.ids.derive("evt", message, "reacted", by, emoji, change.toString());
  const findChange = async (change: number): Promise<StoredReaction | undefined> => {
    const event = await streams.find(stream, idOf(change));
    return event?.type === "message-reacted" ? event : undefined;
  };
  for (;;) {
    const count = await countWhile(async (change) => (await findChange(change)) !== undefined);
    const lastReaction = count === 0 ? undefined : await findChange(count - 1);
    if (lastReaction !== undefined && lastReaction.isOn === isOn) return lastReaction;
    const event = { type: "message-reacted", room, by, at: world.clock.now(), message, emoji, isOn } as const;
    if (lastReaction === undefined && !isOn)
      throw new HearthError("request.invalid", `You have not added ${emoji} to this message.`, {
        hint: "Read the reactions of the room's messages: hearth room events ROOM",
      });
    const id = idOf(count);
    const result = await streams.commit({ guards: [guard], writes: [], events: [{ stream, id, event }] });
    if (result.kind !== "committed") return undefined;
    const [appended] = result.appended;
    if (appended?.kind === "appended") return { ...event, id, offset: appended.offset };
  }
};

/** Returns the number of leading indexes for which the predicate holds, by a binary search. */
const countWhile = async (isTrueAt: (index: number) => Promise<boolean>): Promise<number> => {
  let trueCount = 0;
  let step = 1;
  while (await isTrueAt(trueCount + step - 1)) {
    trueCount += step;
    step *= 2;
  }
  for (step = Math.floor(step / 2); step >= 1; step = Math.floor(step / 2))
    if (await isTrueAt(trueCount + step - 1)) trueCount += step;
  return trueCount;
};
