/** Texts about changes and reverts of a brain. Pure. */
import type { BrainChange, BrainChangeKind, UndoBrain } from "@hearth/protocol";
import { formatFull } from "../../house/time.tsx";
import { toVisible } from "../../text/visible.tsx";
import type { Effect } from "./undo-effects.ts";

export const kindWords: Readonly<Record<BrainChangeKind, string>> = {
  write: "Saved",
  hand: "Edited on disk",
  checkpoint: "Copied from the workspace",
  undo: "Reverted",
  erase: "Erased",
};

const MAX_NAMED = 3;

/** Describes a change, for example "Saved: USER.md". Names only the first of many files. */
export const describeChange = ({ kind, versions }: Pick<BrainChange, "kind" | "versions">): string => {
  const named = versions.slice(0, MAX_NAMED).map(({ path }) => toVisible(path));
  const more = versions.length - named.length;
  return `${kindWords[kind]}: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
};

/** Names the author of a change. Changes that were found on disk have no known author. */
export const describeWho = ({ by }: Pick<BrainChange, "by">, nameOf: (agent: string) => string): string =>
  by === undefined ? "Edited on disk" : nameOf(by);

export const undoTitles = (what: UndoBrain | undefined): { readonly title: string; readonly confirm: string } => {
  if (what === undefined) return { title: "", confirm: "" };
  if ("change" in what) return { title: "Revert this change?", confirm: "Revert" };
  if ("activation" in what) return { title: "Revert all changes of this run?", confirm: "Revert all" };
  return { title: `Restore to ${formatFull(what.since)}?`, confirm: "Restore" };
};

export const effectWords: Readonly<Record<Effect["becomes"], string>> = {
  deleted: "is removed",
  restored: "is restored",
  changed: "returns to its earlier content",
};

export const formatSize = (bytes: number, locale?: string): string => {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString(locale, { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
};
