/** Parses TOML. The error for a wrong syntax contains the place, and the line without secrets. */
import { HearthError } from "@hearth/protocol";
import { parse, TomlError } from "smol-toml";

export type TomlTable = Readonly<Record<string, unknown>>;

/** Parses the text. Throws `config.invalid` with file, line and column. */
export const parseToml = (text: string, file: string): TomlTable => {
  try {
    return parse(text, { maxDepth: 64, unsafeKeyBehaviour: "throw" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "";
    throw new HearthError(
      "config.invalid",
      `${file}:${error.line}:${error.column}: ${reason}\n${showLine(text, error)}`,
      {
        hint: `Fix line ${error.line} of ${file}. Strings need double quotes, and so do names with characters other than a-z, 0-9, - and _.`,
      },
    );
  }
};

/**
 * Returns the line with a mark below the column. Shows only the key of a line that may contain a
 * secret, and masks long words.
 */
const showLine = (text: string, { line, column }: { readonly line: number; readonly column: number }): string => {
  const sourceLine = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
  const secret = /key|token|secret|password/i.exec(sourceLine);
  if (secret !== null) return `  ${sourceLine.slice(0, secret.index + secret[0].length)} …`;
  const maskedLine = sourceLine.replace(/[\w+/=-]{20,}/g, (word) => "…".repeat(word.length));
  return `  ${maskedLine}\n  ${sourceLine.slice(0, column - 1).replace(/[^\t]/g, " ")}^`;
};
