/**
 * Derives ids from their cause: the same parts give the same id on every machine and after every
 * restart.
 */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";
import type { World } from "./world.ts";

/** Crockford's base32 in lower case, ordered by value. */
export const BASE32_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

const BODY_LENGTH = 26;
/** 26 base32 digits hold 130 bits; 33 hex digits hold 132. */
const HEX_LENGTH = 33;

/** Hashes the parts as a JSON array, so that different lists never collide by concatenation. */
export const deriveId = <Prefix extends IdPrefix>(
  hash: World["hash"],
  prefix: Prefix,
  parts: readonly string[],
): IdOfPrefix[Prefix] => `${prefix}_${hashToIdBody(hash(JSON.stringify(parts)))}` as unknown as IdOfPrefix[Prefix];

const hashToIdBody = (hex: string): string => {
  let value = BigInt(`0x${hex.slice(0, HEX_LENGTH)}`);
  let body = "";
  for (let index = 0; index < BODY_LENGTH; index += 1) {
    body = `${BASE32_DIGITS[Number(value & 31n)]}${body}`;
    value >>= 5n;
  }
  return body;
};
