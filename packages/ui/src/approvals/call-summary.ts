/**
 * Splits the display text of a call into its target, its folder and its other fields. A text with an
 * unknown line has no summary, because a summary must not omit a part of a call.
 */
import { toolWords } from "../language/text.ts";
import { titleOfField } from "./approved-scope.ts";
import { listShownFields, unescapeLines } from "./change-lines.ts";
import * as texts from "./text.ts";

export interface CallFact {
  readonly title: string;
  readonly text: string;
}

export interface CallSummary {
  /** The command, the file or the address. */
  readonly target: string;
  /** Where the call runs, the files it depends on, and the fields that are not shown elsewhere. */
  readonly facts: readonly CallFact[];
  /** The warden's warning about the call, such as files that may change before it runs. */
  readonly warning: string | undefined;
}

/** Lines below the fields of a command, as `policy/approvals/approval-stage.ts` writes them. */
const FOLDER_LINE = "in the root folder of its workspace";
const FILES_PREFIX = "with the current content of these files: ";
const WARNING_PREFIX = "WARNING: ";

export const summaryOf = (tool: string, display: string): CallSummary | undefined => {
  const words = toolWords(tool);
  const targetField = words?.command ?? words?.object ?? words?.detail;
  const hiddenFields = new Set(listShownFields(tool, display));
  let target: string | undefined;
  let warning: string | undefined;
  const facts: CallFact[] = [];
  for (const line of display.split("\n").slice(1)) {
    const [, field, value] = /^ {2}(\w+): (.+)$/.exec(line) ?? [];
    if (field !== undefined && value !== undefined) {
      const text = /^"(.*)"$/.exec(value)?.[1];
      if (field === targetField && text !== undefined && text !== "") target = unescapeLines(text).join("\n");
      else if (!hiddenFields.has(field)) facts.push({ title: titleOfField(field), text: value });
    } else if (line === FOLDER_LINE) facts.unshift({ title: texts.folder, text: texts.workspaceRoot });
    else if (line.startsWith(FILES_PREFIX)) facts.push({ title: texts.files, text: line.slice(FILES_PREFIX.length) });
    else if (line.startsWith(WARNING_PREFIX)) warning = line.slice(WARNING_PREFIX.length);
    else return undefined;
  }
  return target === undefined ? undefined : { target, facts, warning };
};
