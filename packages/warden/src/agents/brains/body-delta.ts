/**
 * Computes and applies differences between versions of a text. A difference holds the part between
 * an equal beginning and an equal end, so a line appended to a log is a difference of one line.
 */

/** Returns the difference as the text of a row. */
export const toDelta = (base: string, text: string): string => {
  const maxLength = Math.min(base.length, text.length);
  let start = 0;
  while (start < maxLength && base.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < maxLength - start && base.charCodeAt(base.length - 1 - end) === text.charCodeAt(text.length - 1 - end))
    end += 1;
  return JSON.stringify([start, end, text.slice(start, text.length - end)]);
};

/**
 * Returns the text that `delta` makes of `base`, or `undefined` if `delta` was made for another
 * base.
 */
export const applyDelta = (base: string, delta: string): string | undefined => {
  const parts = parse(delta);
  if (parts === undefined) return undefined;
  const [start, end, middle] = parts;
  if (start + end > base.length) return undefined;
  return `${base.slice(0, start)}${middle}${base.slice(base.length - end)}`;
};

const parse = (delta: string): readonly [number, number, string] | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(delta);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [start, end, middle] = value as readonly unknown[];
  return isLength(start) && isLength(end) && typeof middle === "string" ? [start, end, middle] : undefined;
};

const isLength = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
