/**
 * Formats offsets in URLs with a fixed width, so that the texts sort like the numbers. The house's
 * epoch follows, so that offsets from before a restore are detected.
 */

const WIDTH = 16;
/** The digits of an offset without an epoch. */
const NO_EPOCH = "0".repeat(WIDTH);

/** Formats an offset. `epoch` has 16 hexadecimal digits. */
export const formatOffset = (offset: number, epoch = NO_EPOCH): string =>
  `${String(offset).padStart(WIDTH, "0")}_${epoch}`;

/**
 * Parses an offset. Returns undefined for any other text, and `stale` for an offset of another
 * epoch.
 */
export const parseOffset = (text: string, epoch = NO_EPOCH): number | "stale" | undefined => {
  const [, offset, offsetEpoch] = /^(\d{16})_([0-9a-f]{16})$/.exec(text) ?? [];
  if (offset === undefined || Number(offset) > Number.MAX_SAFE_INTEGER) return undefined;
  return offsetEpoch === NO_EPOCH || offsetEpoch === epoch ? Number(offset) : "stale";
};
