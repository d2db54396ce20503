/** Events as stored, with their id and offset, and the reactions that they leave on messages. */
import { z } from "zod";
import { Compacted, CompactionFailed } from "../agents/compaction.ts";
import {
  ActivationEnded,
  ActivationStarted,
  type AnyEvent,
  ApprovalAsked,
  ActivationFailed,
  ApprovalDecided,
  BudgetWarned,
  ChunkEvent,
  DamagedEvent,
  DeltaEvent,
  GrantChanged,
  HiddenEvent,
  HoldChanged,
  InboxChanged,
  JobFired,
  KeyCreated,
  KeyRevoked,
  LiveEvent,
  MemoryWritten,
  MessageDeleted,
  MessageEdited,
  MessageEvent,
  MessageReacted,
  RecordChanged,
  type RoomEvent,
  RoomViewChanged,
  SecretChanged,
  SessionBegan,
  SecondFactorChanged,
  PasskeyChanged,
  IdentityChanged,
} from "./event.ts";
import { type AgentId, EventId } from "../base/ids.ts";

/** An event with its position: `offset` is dense and starts at 1 in each stream. */
export type Stored<Event extends AnyEvent = AnyEvent> = Event & { readonly id: EventId; readonly offset: number };

const storedFields = { id: EventId, offset: z.int().positive() };
export const StoredMessage = MessageEvent.extend(storedFields);
export const StoredEdit = MessageEdited.extend(storedFields);
export const StoredDeletion = MessageDeleted.extend(storedFields);
export const StoredReaction = MessageReacted.extend(storedFields);
export const StoredAsk = ApprovalAsked.extend(storedFields);
export const StoredDecision = ApprovalDecided.extend(storedFields);
export const StoredDamage = DamagedEvent.extend(storedFields);
export const StoredFailure = ActivationFailed.extend(storedFields);
const roomEvents = [
  StoredMessage,
  StoredEdit,
  StoredDeletion,
  StoredReaction,
  StoredAsk,
  StoredDecision,
  StoredDamage,
  StoredFailure,
] as const;
/** All events of a `room:` stream. */
export const StoredRoomEvent = z.discriminatedUnion("type", roomEvents);
export const StoredEvent = z.union([
  ...roomEvents,
  ActivationStarted.extend(storedFields),
  ActivationEnded.extend(storedFields),
  RecordChanged.extend(storedFields),
  KeyCreated.extend(storedFields),
  KeyRevoked.extend(storedFields),
  SessionBegan.extend(storedFields),
  SecondFactorChanged.extend(storedFields),
  PasskeyChanged.extend(storedFields),
  RoomViewChanged.extend(storedFields),
  IdentityChanged.extend(storedFields),
  HoldChanged.extend(storedFields),
  BudgetWarned.extend(storedFields),
  GrantChanged.extend(storedFields),
  SecretChanged.extend(storedFields),
  InboxChanged.extend(storedFields),
  MemoryWritten.extend(storedFields),
  Compacted.extend(storedFields),
  CompactionFailed.extend(storedFields),
  JobFired.extend(storedFields),
  HiddenEvent.extend(storedFields),
  ChunkEvent.extend(storedFields),
  z.intersection(DeltaEvent, z.object(storedFields)),
  z.intersection(LiveEvent, z.object(storedFields)),
]);
export type StoredEvent = Stored;
export type StoredMessage = Stored<MessageEvent>;
export type StoredEdit = Stored<MessageEdited>;
export type StoredDeletion = Stored<MessageDeleted>;
export type StoredReaction = Stored<MessageReacted>;
export type StoredRoomEvent = Stored<RoomEvent>;

/** One emoji on a message, with the agents who added it, the first one first. */
export interface Reaction {
  readonly emoji: string;
  readonly by: readonly AgentId[];
}

/** Returns the reactions that these events of one message leave. The events may be in any order, and may repeat. */
export const toReactions = (events: Iterable<StoredReaction>): readonly Reaction[] => {
  const lastEvents = new Map<string, StoredReaction>();
  for (const event of events) {
    const key = `${event.by} ${event.emoji}`;
    if ((lastEvents.get(key)?.offset ?? 0) < event.offset) lastEvents.set(key, event);
  }
  const byEmoji = new Map<string, AgentId[]>();
  const activeReactions = [...lastEvents.values()].filter(({ isOn, emoji }) => isOn && emoji !== "");
  for (const { emoji, by } of activeReactions.sort((a, b) => a.offset - b.offset)) {
    const agents = byEmoji.get(emoji);
    if (agents === undefined) byEmoji.set(emoji, [by]);
    else agents.push(by);
  }
  return [...byEmoji].map(([emoji, by]) => ({ emoji, by }));
};
