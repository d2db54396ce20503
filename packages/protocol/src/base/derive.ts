/** Derives ids from their cause. The same parts give the same id on every machine and after every restart. */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";
import type { World } from "./world.ts";

/** Crockford's base32 in lower case, ordered by value. */
export const BASE32_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The body is the last 130 bits of the first 33 hex digits: two base32 digits from the first three,
 * and then four from each group of five.
 */
const FIRST_GROUP_DIGITS = 3;
const GROUP_DIGITS = 5;
const USED_DIGITS = 33;

/** Hashes the parts as a JSON array, so that different lists never collide by concatenation. */
export const deriveId = <Prefix extends IdPrefix>(
  hash: World["hash"],
  prefix: Prefix,
  parts: readonly string[],
): IdOfPrefix[Prefix] => `${prefix}_${hashToIdBody(hash(JSON.stringify(parts)))}` as unknown as IdOfPrefix[Prefix];

const hashToIdBody = (hex: string): string => {
  let body = toDigits(Number.parseInt(hex.slice(0, FIRST_GROUP_DIGITS), 16), 2);
  for (let start = FIRST_GROUP_DIGITS; start < USED_DIGITS; start += GROUP_DIGITS)
    body += toDigits(Number.parseInt(hex.slice(start, start + GROUP_DIGITS), 16), 4);
  return body;
};

/** Returns the last digits of a value in base32. */
const toDigits = (value: number, count: number): string => {
  let digits = "";
  for (let shift = 5 * (count - 1); shift >= 0; shift -= 5) digits += BASE32_DIGITS[(value >> shift) & 31];
  return digits;
};
