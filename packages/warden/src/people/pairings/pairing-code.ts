/**
 * Pairing codes: eight characters that are hard to confuse, sent to an unknown sender and typed by
 * a person of the house.
 */
import { BASE32_DIGITS, type World } from "@hearth/protocol";

export const CODE_LENGTH = 8;

/** Returns a new code of 40 random bits. */
export const newCode = (random: World["random"]): string =>
  [...random(CODE_LENGTH)]
    .map((byte) => BASE32_DIGITS[byte & 31] ?? "")
    .join("")
    .toUpperCase();

/** Formats a code for people: `ABCD-EFGH`. */
export const showCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Normalizes a typed code, which may have lower case, hyphens, O for zero, and I or L for one. */
export const readCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");

/** Returns the hash that is stored instead of the code. */
export const hashCode = (hash: World["hash"], code: string): string => hash(`pairing ${code}`);
