/** Recovery codes: 80 random bits each, in groups that are easy to copy by hand. */
import { BASE32_DIGITS, type World } from "@hearth/protocol";
import { readCode } from "../pairings/pairing-code.ts";

export const RECOVERY_CODES = 10;
const CODE_LENGTH = 16;
/** Matches four characters, unless they are the last. */
const GROUP = /.{4}(?=.)/g;

export const newRecoveryCodes = ({ random }: Pick<World, "random">): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(random(CODE_LENGTH), (byte) => BASE32_DIGITS[byte & 31])
      .join("")
      .replaceAll(GROUP, "$&-"),
  );

/** Returns the stored hash of a code, as it was shown or as a person types it. */
export const hashRecoveryCode = (hash: World["hash"], code: string): string => hash(`recovery ${readCode(code)}`);
