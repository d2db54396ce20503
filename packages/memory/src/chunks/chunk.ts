/** The unit of indexing, search and citation: a piece of a file. */

/**
 * Contract: chunks depend only on the file's path and text. The same file gives the same chunks
 * with the same ids.
 */
export interface Chunk {
  /**
   * Hex SHA-256 of path, headings, ordinal and text. It is stable while the text and its position
   * do not change.
   */
  readonly id: string;
  /** Relative to the brain's root, with slashes. */
  readonly path: string;
  /** The headings above the chunk, outermost first. */
  readonly headings: readonly string[];
  /** Position among the chunks of its file, from 0. */
  readonly ordinal: number;
  /** First and last line in the file, counted from 1. */
  readonly lines: readonly [first: number, last: number];
  /** At most 400 tokens and 2,048 bytes in UTF-8. */
  readonly text: string;
  /**
   * The day the text is about, as YYYY-MM-DD, from its heading, the front matter or the file name.
   */
  readonly date?: string;
  /** The speaker, if the text has the form "Name: words" or its heading names one. */
  readonly speaker?: string;
}
