/** TOML as the house reads it: a syntax error has a place, and shows its line without giving away a secret. */
import { HearthError } from "@hearth/protocol";
import { parse, TomlError } from "smol-toml";

export type TomlTable = Readonly<Record<string, unknown>>;

/** Throws `config.invalid` with file, line and column. */
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
        hint: `Mend line ${error.line} of ${file}. Text stands in double quotes, and so does a name with more than a-z, 0-9, - and _ in it.`,
      },
    );
  }
};

/** The line and a mark below the column. A line that may hold a secret shows its key only, and no long word is shown at all. */
const showLine = (text: string, { line, column }: { readonly line: number; readonly column: number }): string => {
  const source = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
  const secret = /key|token|secret|password/i.exec(source);
  if (secret !== null) return `  ${source.slice(0, secret.index + secret[0].length)} …`;
  const shown = source.replace(/[\w+/=-]{20,}/g, (word) => "…".repeat(word.length));
  return `  ${shown}\n  ${source.slice(0, column - 1).replace(/[^\t]/g, " ")}^`;
};
