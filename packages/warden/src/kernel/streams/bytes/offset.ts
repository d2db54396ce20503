/**
 * Formats offsets in URLs with a fixed width, so that texts sort like numbers. The house's epoch
 * follows, which detects offsets from before a restore.
 */

const WIDTH = 16;
/** An offset without an epoch. */
const ANY = "0".repeat(WIDTH);

/** `epoch`: 16 hexadecimal digits. */
export const formatOffset = (offset: number, epoch = ANY): string => `${String(offset).padStart(WIDTH, "0")}_${epoch}`;

/** Undefined for a text that is not an offset; `stale` for one of another epoch. */
export const parseOffset = (text: string, epoch = ANY): number | "stale" | undefined => {
  const [, offset, theirs] = /^(\d{16})_([0-9a-f]{16})$/.exec(text) ?? [];
  if (offset === undefined || Number(offset) > Number.MAX_SAFE_INTEGER) return undefined;
  return theirs === ANY || theirs === epoch ? Number(offset) : "stale";
};
