/** Derives ids from their cause. The same parts give the same id on every machine and after every restart. */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";
import type { World } from "./world.ts";

/** Crockford's base32 in lower case, ordered by value. */
export const BASE32_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The body is the last 130 bits of the first 33 hex digits: two base32 digits from the first three,
 * and then four from each group of five.
 */
const FIRST = 3;
const GROUP = 5;
const LENGTH = 33;

/** Hashes the parts as a JSON array, so that different lists never collide by concatenation. */
export const deriveId = <Prefix extends IdPrefix>(
  hash: World["hash"],
  prefix: Prefix,
  parts: readonly string[],
): IdOfPrefix[Prefix] => `${prefix}_${hashToIdBody(hash(JSON.stringify(parts)))}` as unknown as IdOfPrefix[Prefix];

const hashToIdBody = (hex: string): string => {
  let body = toDigits(Number.parseInt(hex.slice(0, FIRST), 16), 2);
  for (let start = FIRST; start < LENGTH; start += GROUP)
    body += toDigits(Number.parseInt(hex.slice(start, start + GROUP), 16), 4);
  return body;
};

/** Returns the last digits of a value in base32. */
const toDigits = (value: number, count: number): string => {
  let digits = "";
  for (let shift = 5 * (count - 1); shift >= 0; shift -= 5) digits += BASE32_DIGITS[(value >> shift) & 31];
  return digits;
};
