/** Groups the parts of an import for people. */
import type { ImportPart } from "@hearth/protocol";

export type GroupKind = "persona" | "memory" | "skills" | "history" | "jobs" | "channels" | "same" | "left";

export interface IndexedPart {
  /** The index in the preview. */
  readonly index: number;
  readonly part: ImportPart;
}

export interface Group {
  readonly kind: GroupKind;
  readonly parts: readonly IndexedPart[];
}

const ORDER: readonly GroupKind[] = ["persona", "memory", "skills", "history", "jobs", "channels", "same", "left"];

/** Returns the groups that have parts, in a fixed order. */
export const toGroups = (parts: readonly ImportPart[]): readonly Group[] => {
  const byKind = Map.groupBy(
    parts.map((part, index) => ({ index, part })),
    ({ part }) => groupOf(part),
  );
  return ORDER.flatMap((kind) => {
    const groupParts = byKind.get(kind);
    return groupParts === undefined ? [] : [{ kind, parts: groupParts }];
  });
};

/** Whether a person can choose to import this part. */
export const isOpen = ({ fate }: ImportPart): boolean => fate === "new" || fate === "replaces";

const groupOf = (part: ImportPart): GroupKind => {
  if (!isOpen(part)) return part.fate === "same" ? "same" : "left";
  switch (part.kind) {
    case "job":
      return "jobs";
    case "channel":
      return "channels";
    case "left":
      return "left";
    case "file":
      return groupOfFile(part.to ?? "");
  }
};

const groupOfFile = (path: string): GroupKind => {
  if (path.startsWith("skills/")) return "skills";
  if (path.startsWith("memory/imported/")) return "history";
  return path.startsWith("memory/") || path === "MEMORY.md" ? "memory" : "persona";
};
