/** Reads keys and tokens that were piped to stdin. */
import { UsageError } from "./usage-error.ts";

/** Returns the input as a key. The error for an invalid one never repeats the input, which may be a key. */
export const toKey = (input: string): string => {
  const key = input.trim();
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new UsageError(
    key === ""
      ? "stdin is empty."
      : "stdin does not contain a key: a key is one word of letters, digits and punctuation.",
    "Pass only the key, for example from a file: < key.txt",
  );
};
