/** Limits of one conversion or chart. The cell also limits memory, seconds and processes. */

export const LIMITS = {
  /** Maximum number of members of a file. */
  members: 10_000,
  /** Maximum unpacked size of one member, and of all members together, in bytes. */
  memberBytes: 48 * 1024 * 1024,
  unpackedBytes: 96 * 1024 * 1024,
  /** Maximum ratio of unpacked to packed size, for members of more than `ratioFromBytes`. */
  ratio: 250,
  ratioFromBytes: 4 * 1024 * 1024,
  /** Maximum nesting of elements in HTML and in the parts of Office files. */
  depth: 256,
  pages: 2000,
  /** Maximum number of pages of a document that OCR reads, and time for all of them. */
  ocrPages: 20,
  ocrSeconds: 20,
  /** Longest side of the picture of a page, in pixels: about 200 dpi for A4. */
  ocrPixels: 2400,
  columns: 256,
  /** Maximum number of members of an archive whose text is shown, and maximum size of each. */
  textMembers: 50,
  textMemberBytes: 64 * 1024,
  /** Maximum number of rows of a chart, and its maximum width and height in pixels. */
  chartRows: 50_000,
  chartPixels: 4000,
} as const;
