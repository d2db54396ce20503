/** Limits of one conversion or chart. The cell around it limits memory, seconds and processes. */

export const LIMITS = {
  /** Files with more members are refused. */
  members: 10_000,
  /** Bytes that one member, and all members together, may have when they are unpacked. */
  memberBytes: 48 * 1024 * 1024,
  unpackedBytes: 96 * 1024 * 1024,
  /** The largest quotient of unpacked and packed size, for members of more than `ratioFromBytes`. */
  ratio: 250,
  ratioFromBytes: 4 * 1024 * 1024,
  /** Elements inside each other, in HTML and in the parts of Office files. */
  depth: 256,
  pages: 2000,
  columns: 256,
  /** Members of an archive whose text is shown, and the size of each. */
  textMembers: 50,
  textMemberBytes: 64 * 1024,
  /** Rows of data of a chart, and its width and height in pixels. */
  chartRows: 50_000,
  chartPixels: 4000,
} as const;
