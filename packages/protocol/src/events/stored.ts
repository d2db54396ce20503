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

const stored = { id: EventId, offset: z.int().positive() };
export const StoredMessage = MessageEvent.extend(stored);
export const StoredEdit = MessageEdited.extend(stored);
export const StoredDeletion = MessageDeleted.extend(stored);
export const StoredReaction = MessageReacted.extend(stored);
export const StoredAsk = ApprovalAsked.extend(stored);
export const StoredDecision = ApprovalDecided.extend(stored);
export const StoredDamage = DamagedEvent.extend(stored);
export const StoredFailure = ActivationFailed.extend(stored);
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
  ActivationStarted.extend(stored),
  ActivationEnded.extend(stored),
  RecordChanged.extend(stored),
  KeyCreated.extend(stored),
  KeyRevoked.extend(stored),
  SessionBegan.extend(stored),
  SecondFactorChanged.extend(stored),
  PasskeyChanged.extend(stored),
  RoomViewChanged.extend(stored),
  IdentityChanged.extend(stored),
  HoldChanged.extend(stored),
  BudgetWarned.extend(stored),
  GrantChanged.extend(stored),
  SecretChanged.extend(stored),
  InboxChanged.extend(stored),
  MemoryWritten.extend(stored),
  Compacted.extend(stored),
  CompactionFailed.extend(stored),
  JobFired.extend(stored),
  HiddenEvent.extend(stored),
  ChunkEvent.extend(stored),
  z.intersection(DeltaEvent, z.object(stored)),
  z.intersection(LiveEvent, z.object(stored)),
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
  const last = new Map<string, StoredReaction>();
  for (const event of events) {
    const key = `${event.by} ${event.emoji}`;
    if ((last.get(key)?.offset ?? 0) < event.offset) last.set(key, event);
  }
  const byEmoji = new Map<string, AgentId[]>();
  const current = [...last.values()].filter(({ isOn, emoji }) => isOn && emoji !== "");
  for (const { emoji, by } of current.sort((a, b) => a.offset - b.offset)) {
    const agents = byEmoji.get(emoji);
    if (agents === undefined) byEmoji.set(emoji, [by]);
    else agents.push(by);
  }
  return [...byEmoji].map(([emoji, by]) => ({ emoji, by }));
};
