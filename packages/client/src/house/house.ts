/** A house as a person sees it: who is there, which rooms there are, and where something new was said. */
import type {
  AgentRecord,
  HearthError,
  Hold,
  HouseId,
  HouseRecord,
  Me,
  Place,
  RoomId,
  RoomRecord,
} from "@hearth/protocol";
import type { SocketState } from "../socket.ts";

export interface RoomEntry {
  readonly room: RoomRecord;
  /** The offset and the time of its last event; 0 and undefined when nothing was said yet. */
  readonly head: number;
  readonly at: number | undefined;
  /** Whether others have said something that this device has not shown. What was there on the first visit does not count. */
  readonly isUnread: boolean;
}

export type HouseState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready" }
  /** No credential, or one that holds no more. */
  | { readonly kind: "logged-out"; readonly error: HearthError }
  | { readonly kind: "failed"; readonly error: HearthError };

/** Immutable; a part that has not changed is the same object as before. */
export interface HouseSnapshot {
  readonly state: HouseState;
  /** Who reads, and what they may do where. */
  readonly me: Me | undefined;
  /** The one that is shown. */
  readonly house: HouseRecord | undefined;
  /** All that are seen, by name. */
  readonly houses: readonly HouseRecord[];
  /** Of every house. */
  readonly agents: ReadonlyMap<string, AgentRecord>;
  /** Those of the house that may be read, what was said last first. */
  readonly rooms: readonly RoomEntry[];
  /** Who is stopped. */
  readonly holds: readonly Hold[];
  readonly connection: SocketState;
}

/**
 * Contract, checked in house-reader.test.ts and those beside it:
 * - follows the log of each house: a record that someone changes, adds or removes elsewhere shows without asking again
 * - when somebody gives or takes a level, what one may and what one sees follow, without a reload, also in a house that one had not seen
 *   before; what the log hides is passed over
 * - knows who is stopped, and follows that in the same log
 * - follows the rooms' heads, so that a message anywhere moves its room up and marks it; in a house of more than 60 rooms, those where
 *   something was said last, and the others whenever the connection comes back
 * - while the house does not answer at first it goes on trying; `state` stays `loading` and `connection` says how it stands
 */
export interface HouseReader extends Disposable {
  snapshot(): HouseSnapshot;
  onChange(listener: () => void): () => void;
  /** Calls back when somebody has been given a level at a place or lost it, or has come or gone with theirs, as far as that is told. */
  onLevels(listener: (place: Place) => void): () => void;
  /** Everything up to this offset was shown. */
  markRead(room: RoomId, offset: number): void;
  /** From here on this house is shown, on this device also the next time. */
  choose(house: HouseId): void;
  /** Asks anew who this is: after a login, or when the connection was refused. */
  refresh(): void;
}
