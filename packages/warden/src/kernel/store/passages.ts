/**
 * The full-text index of what attachments contain: captions, transcripts, and the text of documents,
 * page by page. It is a part of the store: it is derived from rows, and the commit that removes such
 * a row also removes its words.
 */
import type { EventId, RoomId, UploadId } from "@hearth/protocol";
import type { SearchTerm } from "./search-terms.ts";
import type { TextQuery } from "./texts.ts";

/** An attachment whose words are missing or out of date. */
export interface PendingFile {
  readonly room: RoomId;
  readonly upload: UploadId;
  readonly event: EventId;
  /** Grows with each change of the rows from which the words come. */
  readonly revision: number;
}

/** A part of an attachment's text. */
export interface Passage {
  /** The part of the file, such as "page 12". "" for a file without parts. */
  readonly place: string;
  readonly text: string;
}

export interface IndexedFile {
  readonly pending: PendingFile;
  /** The author and the instant of the message. */
  readonly author: string;
  readonly at: number;
  /** In the order of the file. Empty if there is nothing to index. */
  readonly passages: readonly Passage[];
}

export interface PassageRanking {
  /** Words and phrases, at least one of which must be in the text. */
  readonly terms: readonly SearchTerm[];
  readonly rooms: readonly RoomId[];
  readonly limit: number;
}

export interface FoundPassage {
  /** The position of the file among all files, in the order of time. Shared by its passages. */
  readonly position: string;
  readonly room: RoomId;
  readonly upload: UploadId;
  readonly event: EventId;
  readonly place: string;
  readonly text: string;
  /** A part of the text. `EXCERPT_MARKS` enclose each found word. */
  readonly excerpt: string;
}

/** Maximum number of passages of one file in the result of `find`. */
export const PASSAGES_PER_FILE = 3;

/**
 * The positions of files and the ids of messages are in one order: the instant, then a number. The
 * numbers of files begin here, so that a position is never the id of a message.
 */
export const FIRST_FILE_NUMBER = 2 ** 19;
/** Numbers for each instant. */
export const NUMBERS_PER_INSTANT = 2 ** 20;

/**
 * Contract, checked by `storeConformance`:
 * - each attachment of a stored message is pending until its words are written, and again after its
 *   transcript or its converted text was stored, changed or removed
 * - when the commit that removes an attachment, a transcript or a converted text resolves, none of its
 *   words is found
 * - words are compared as `TextIndex` compares them
 */
export interface PassageIndex {
  /** Returns the rooms that have attachments. */
  rooms(): Promise<readonly RoomId[]>;
  /** Returns attachments whose words are missing or out of date, at most `limit`. */
  pending(limit: number): Promise<readonly PendingFile[]>;
  /** Writes the words of an attachment, unless it was changed since it was read. */
  write(file: IndexedFile): Promise<void>;
  /**
   * Returns passages that contain all terms: the newest files first, at most `limit` files, and of
   * each the best passages in the order of the file. `before` is a position or the id of a message.
   */
  find(query: TextQuery): Promise<readonly FoundPassage[]>;
  /** Returns passages that contain some of the terms, best first. */
  rank(query: PassageRanking): Promise<readonly FoundPassage[]>;
}
