/**
 * The full-text index of messages. It is a part of the store: it is derived from the events, and
 * the commit that removes an event also removes its entry.
 */
import type { RoomId } from "@hearth/protocol";
import type { SearchTerm } from "./search-terms.ts";

/** A message whose words are missing or out of date. */
export interface PendingText {
  readonly id: string;
  readonly room: RoomId;
  /** The offset of the message, or of an edit with a long text if its message is not known yet. */
  readonly offset: number;
  /** The offset of its last edit. */
  readonly edit: number | undefined;
}

export type IndexedText =
  | {
      readonly kind: "words";
      readonly pending: PendingText;
      readonly text: string;
      readonly author: string;
    }
  /** The event at `pending` is the last edit of the message at `message`. */
  | { readonly kind: "edit"; readonly pending: PendingText; readonly message: number }
  /** There is nothing to index: the event is damaged, or its message was removed. */
  | { readonly kind: "nothing"; readonly pending: PendingText };

export interface TextQuery {
  /** Words and phrases, all of which must be in the text. */
  readonly terms: readonly SearchTerm[];
  /** Only messages of these rooms. Undefined: of every room. */
  readonly rooms: readonly RoomId[] | undefined;
  /** Only messages of this author. */
  readonly author?: string | undefined;
  /** The period of the messages: from `since` to before `until`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only messages older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface FoundText {
  readonly id: string;
  readonly room: RoomId;
  readonly offset: number;
  /** A part of the text. `EXCERPT_MARKS` enclose each found word. */
  readonly excerpt: string;
}

/** Characters that enclose a found word in an excerpt. Indexed texts do not contain them. */
export const EXCERPT_MARKS = ["\u0001", "\u0002"] as const;

/** Number of words of an excerpt. */
export const EXCERPT_WORDS = 24;

/**
 * Contract, checked by `storeConformance`:
 * - each message of a room's stream is pending until its words are written, and again after an edit
 *   and after its text was replaced
 * - a deleted message, and each message of a removed stream, is neither pending nor found once the
 *   commit resolves; nor are words that a commit replaced
 * - words are compared without case and diacritics
 */
export interface TextIndex {
  /** Returns the oldest messages whose words are missing or out of date. */
  pending(limit: number): Promise<readonly PendingText[]>;
  /** Writes words. Skips messages that were changed since they were read. */
  write(texts: readonly IndexedText[]): Promise<void>;
  /** Returns matches, newest first. */
  find(query: TextQuery): Promise<readonly FoundText[]>;
}
