/** The code that a stranger is told and a person of the house types: eight characters that no eye mistakes for one another. */
import { BASE32_DIGITS, type World } from "@hearth/protocol";

export const CODE_LENGTH = 8;

/** 40 random bits. */
export const newCode = (random: World["random"]): string =>
  [...random(CODE_LENGTH)]
    .map((byte) => BASE32_DIGITS[byte & 31] ?? "")
    .join("")
    .toUpperCase();

/** As it is shown: `ABCD-EFGH`. */
export const showCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The code that someone meant: in small letters, with a hyphen, with an O for a zero. */
export const readCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");

/** What is kept of it. */
export const hashCode = (hash: World["hash"], code: string): string => hash(`pairing ${code}`);
