/** Events as stored: with their id and offset. */
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
  RecordChanged,
  type RoomEvent,
  RoomViewChanged,
  SecretChanged,
  SessionBegan,
  SecondFactorChanged,
  PasskeyChanged,
  IdentityChanged,
} from "./event.ts";
import { EventId } from "../base/ids.ts";

/** An event with its position: `offset` is dense and starts at 1 in each stream. */
export type Stored<Event extends AnyEvent = AnyEvent> = Event & { readonly id: EventId; readonly offset: number };

const stored = { id: EventId, offset: z.int().positive() };
export const StoredMessage = MessageEvent.extend(stored);
export const StoredEdit = MessageEdited.extend(stored);
export const StoredDeletion = MessageDeleted.extend(stored);
export const StoredAsk = ApprovalAsked.extend(stored);
export const StoredDecision = ApprovalDecided.extend(stored);
export const StoredDamage = DamagedEvent.extend(stored);
export const StoredFailure = ActivationFailed.extend(stored);
const roomEvents = [
  StoredMessage,
  StoredEdit,
  StoredDeletion,
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
export type StoredRoomEvent = Stored<RoomEvent>;
