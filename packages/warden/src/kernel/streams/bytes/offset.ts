/**
 * Offsets as they stand in addresses, of one width, so that texts compare like numbers. After the offset comes the house's epoch: an
 * offset that was given out before the house was restored from a backup is told from one of now.
 */

const WIDTH = 16;
/** An offset of no epoch in particular. */
const ANY = "0".repeat(WIDTH);

/** `epoch`: 16 hexadecimal digits. */
export const formatOffset = (offset: number, epoch = ANY): string => `${String(offset).padStart(WIDTH, "0")}_${epoch}`;

/** Nothing for a text that is no offset; `stale` for one of another epoch. */
export const parseOffset = (text: string, epoch = ANY): number | "stale" | undefined => {
  const [, offset, theirs] = /^(\d{16})_([0-9a-f]{16})$/.exec(text) ?? [];
  if (offset === undefined || Number(offset) > Number.MAX_SAFE_INTEGER) return undefined;
  return theirs === ANY || theirs === epoch ? Number(offset) : "stale";
};
