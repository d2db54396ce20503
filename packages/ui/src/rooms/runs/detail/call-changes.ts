/** Finds the brain changes that a tool call made. Pure. */
import type { BrainChange } from "@hearth/protocol";
import type { ToolPart } from "../tool-words.ts";

/** Tools that change files of the brain. */
const BRAIN_TOOLS: ReadonlySet<string> = new Set(["write_brain", "remember", "forget"]);

export const isUndoable = ({ name, state }: Pick<ToolPart, "name" | "state">): boolean =>
  BRAIN_TOOLS.has(name) && state === "done";

/**
 * Returns the changes of a run that were made during the call. Several calls may run at the same
 * time, so a call that names a file counts only the changes of that file.
 */
export const changesOfCall = (
  { startedAt, durationMs, input }: ToolPart,
  changes: readonly BrainChange[],
): readonly BrainChange[] => {
  if (startedAt === undefined || durationMs === undefined) return [];
  const path = pathOf(input);
  return changes.filter(
    ({ at, kind, versions }) =>
      kind !== "undo" &&
      at >= startedAt &&
      at <= startedAt + durationMs &&
      (path === undefined || versions.some((version) => version.path === path)),
  );
};

const pathOf = (input: ToolPart["input"]): string | undefined => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return typeof input["path"] === "string" ? input["path"] : undefined;
};
