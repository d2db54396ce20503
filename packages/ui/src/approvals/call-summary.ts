/**
 * Splits the display text of a call into its target, its folder and its other fields. A text with an
 * unknown line has no summary, because a summary must not omit a part of a call.
 */
import { toolWords } from "../language/text.ts";
import { titleOfField } from "./approved-scope.ts";
import { shownFields, unescapeLines } from "./change-lines.ts";
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
const FOLDER = "in the root folder of its workspace";
const FILES = "with the current content of these files: ";
const WARNING = "WARNING: ";

export const summaryOf = (tool: string, display: string): CallSummary | undefined => {
  const words = toolWords(tool);
  const targetField = words?.command ?? words?.object ?? words?.detail;
  const shownElsewhere = new Set(shownFields(tool, display));
  let target: string | undefined;
  let warning: string | undefined;
  const facts: CallFact[] = [];
  for (const line of display.split("\n").slice(1)) {
    const [, field, value] = /^ {2}(\w+): (.+)$/.exec(line) ?? [];
    if (field !== undefined && value !== undefined) {
      const text = /^"(.*)"$/.exec(value)?.[1];
      if (field === targetField && text !== undefined && text !== "") target = unescapeLines(text).join("\n");
      else if (!shownElsewhere.has(field)) facts.push({ title: titleOfField(field), text: value });
    } else if (line === FOLDER) facts.unshift({ title: texts.folder, text: texts.workspaceRoot });
    else if (line.startsWith(FILES)) facts.push({ title: texts.files, text: line.slice(FILES.length) });
    else if (line.startsWith(WARNING)) warning = line.slice(WARNING.length);
    else return undefined;
  }
  return target === undefined ? undefined : { target, facts, warning };
};
