/** Shared wording of findings. */
import type { SecurityFix } from "@hearth/protocol";

/** Formats a list: "read, glob and http_fetch". */
export const joinWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

export const commandFix = (command: string): SecurityFix => ({ kind: "command", command });

/** Quotes a word for a shell. */
export const quoteShellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
