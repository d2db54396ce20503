/** Words that findings have in common. */
import type { Mend } from "@hearth/protocol";

/** "read, glob and http_fetch" */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

export const run = (command: string): Mend => ({ kind: "command", command });

/** A word of a shell, whatever is in it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
