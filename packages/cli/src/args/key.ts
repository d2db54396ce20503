/** Keys and tokens from stdin. */
import { UsageError } from "./usage-error.ts";

/** Returns a valid key. The error never repeats the input, which may be a key. */
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
