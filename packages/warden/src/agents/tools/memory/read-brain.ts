/** Reads a file of the agent's brain, with the label of the lines shown. */
import { isHearthError, joinLabels, type Label } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import { TRUSTED_LABEL } from "../call.ts";
import { readRefusal } from "./brain-paths.ts";
import type { MemoryParts } from "../parts.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

export const readBrain: RunHostTool<"read_brain", MemoryParts> = async (
  { path, offset = 1 },
  { agent, audience },
  { brains },
) => {
  const why = readRefusal(path, audience);
  if (why !== undefined) return refusedOutcome(why);
  try {
    const brain = await brains.open(agent);
    const lines = await brain.readLabelled(path);
    if (lines === undefined) return refusedOutcome(`There is no ${path} in your brain.`);
    const remaining = lines.slice(offset - 1);
    const end = countFitting(remaining.map(({ text }) => text));
    const shownLines = remaining.slice(0, end);
    const remainingCount = remaining.length - end;
    const endNote = remainingCount === 0 ? "" : `\n[${remainingCount} more lines: read on with offset ${offset + end}]`;
    const label = shownLines.reduce<Label>((joined, line) => joinLabels(joined, line.label), TRUSTED_LABEL);
    return { text: `${shownLines.map(({ text }) => text).join("\n")}${endNote}`, failed: false, label };
  } catch (error) {
    if (isHearthError(error, "brain.path")) return refusedOutcome(error.message);
    throw error;
  }
};

/** Returns a refusal. The house wrote its text, so it is trusted. */
const refusedOutcome = (why: string): HostOutcome => ({ ...failedOutcome(why), label: TRUSTED_LABEL });

/** Returns the number of lines that fit into one answer, at least one. */
const countFitting = (lines: readonly string[]): number => {
  let length = 0;
  const end = lines.findIndex((line, index) => {
    length += line.length + 1;
    return index > 0 && length > MAX_OUTPUT_LENGTH - 100;
  });
  return end < 0 ? lines.length : end;
};
