/** One house as a person sees it: its agents, its rooms and unread messages. */
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
  /** The offset and time of the room's last event. For an empty room they are 0 and undefined. */
  readonly head: number;
  readonly lastEventAt: number | undefined;
  /**
   * Whether other people or agents have sent messages that this device has not shown. Messages from
   * before the device's first visit do not count.
   */
  readonly isUnread: boolean;
  /** Whether the user pinned or archived the room. The next event unarchives a room. */
  readonly isPinned: boolean;
  readonly isArchived: boolean;
}

export type HouseState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready" }
  /** The credential is missing or no longer valid. */
  | { readonly kind: "logged-out"; readonly error: HearthError }
  | { readonly kind: "failed"; readonly error: HearthError };

/** An immutable snapshot. An unchanged part is the same object as before. */
export interface HouseSnapshot {
  readonly state: HouseState;
  /** The user who reads the house, with permissions. */
  readonly me: Me | undefined;
  /** The house that the UI shows. */
  readonly house: HouseRecord | undefined;
  /** All visible houses, by name. */
  readonly houses: readonly HouseRecord[];
  /** The agents of every visible house. */
  readonly agents: ReadonlyMap<string, AgentRecord>;
  /** The rooms of the shown house that the user may read, latest message first. */
  readonly rooms: readonly RoomEntry[];
  /** The stops in force. */
  readonly holds: readonly Hold[];
  readonly connection: SocketState;
}

/**
 * Contract, checked in house-reader.test.ts and those beside it:
 * - follows the log of each house: a record that another client changes, adds or removes shows
 *   without a request
 * - when a level is granted or revoked, permissions and visible records follow without a reload,
 *   also in a house that was not visible before; hidden events are skipped
 * - loads the holds and follows them in the same log
 * - follows the rooms' heads, so that a message anywhere moves its room up and marks it; in a house
 *   of more than 60 rooms it follows the most recent ones, and refetches the others whenever the
 *   connection comes back
 * - follows the reader's own log, so that a room that another device pins or archives moves here too
 * - keeps trying while the house does not answer at first; `state` stays `loading` and `connection`
 *   shows the progress
 */
export interface HouseReader extends Disposable {
  snapshot(): HouseSnapshot;
  onChange(listener: () => void): () => void;
  /**
   * Calls the listener when a level or a membership on a house or room changed, if the log shows
   * the change.
   */
  onLevels(listener: (place: Place) => void): () => void;
  /** Marks everything up to this offset as read. */
  markRead(room: RoomId, offset: number): void;
  /** Shows this house from now on. This device remembers the choice. */
  choose(house: HouseId): void;
  /** Loads the user's identity again. Call it after a login, and after a refused connection. */
  refresh(): void;
}
