/** Ids that follow from their cause: the same parts always give the same id, on every machine and after every restart. */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";
import type { World } from "./world.ts";

/** Crockford's base32, lower case, in the order of its values. */
export const BASE32_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

const BODY_LENGTH = 26;
/** 26 digits of base32 hold 130 bits; this many hex digits hold at least as many. */
const HEX_LENGTH = 33;

/** The parts are hashed as a JSON array, so that no two lists of parts look alike. */
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
