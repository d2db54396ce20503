/** Imports of other programs' agents, for the terminal: reading, comparing and importing. */
import type { ImportKind } from "@hearth/protocol";
import type { ReadSource } from "../../../http/imports/plan.ts";

export { toPart } from "../../../http/imports/house-imports.ts";
export { type ListedItem, toListed } from "../../../http/imports/plan.ts";
export { type PartComparison, compareParts, type ImportTarget, takeOver } from "../../../http/imports/take-over.ts";

/** Loads the reader of a program's homes. */
export const loadReader = async (kind: ImportKind): Promise<ReadSource> => {
  switch (kind) {
    case "openclaw":
      return (await import("./openclaw.ts")).readOpenClaw;
    case "hermes":
      return (await import("./hermes.ts")).readHermes;
    case "claude-code":
      return (await import("./claude-code.ts")).readClaudeCode;
  }
};
