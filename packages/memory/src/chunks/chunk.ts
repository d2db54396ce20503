/** A piece of a file: what is indexed, found and cited. */

/** Contract: a pure function of the file's path and text. The same file always gives the same chunks with the same ids. */
export interface Chunk {
  /** SHA-256 over path, headings, ordinal and text, as hex: stable while the piece stays what and where it is. */
  readonly id: string;
  /** Slash-separated, below the brain's root. */
  readonly path: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Its place among the chunks of its file, from 0. */
  readonly ordinal: number;
  /** First and last line of the file that it holds, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** At most 400 tokens and 2,048 bytes of UTF-8. */
  readonly text: string;
  /** The day that it speaks of, YYYY-MM-DD: from its heading, front matter or the name of its file. */
  readonly date?: string;
  /** Who says it, where the text names somebody in the way of "Name: words" or its heading does. */
  readonly speaker?: string;
}
