/** What became of a brain, and what is taken back of it, in a person's words. Pure. */
import type { BrainChange, BrainChangeKind, UndoBrain } from "@hearth/protocol";
import { formatFull } from "../house/time.tsx";
import { visible } from "../text/visible.tsx";
import type { Effect } from "./undo-effects.ts";

export const kindWords: Readonly<Record<BrainChangeKind, string>> = {
  write: "Written",
  hand: "Changed by hand",
  checkpoint: "Kept from the workspace",
  undo: "Taken back",
  erase: "Erased for good",
};

const MAX_NAMED = 3;

/** "Written: USER.md", and the first files of many. */
export const tellChange = ({ kind, versions }: Pick<BrainChange, "kind" | "versions">): string => {
  const named = versions.slice(0, MAX_NAMED).map(({ path }) => visible(path));
  const more = versions.length - named.length;
  return `${kindWords[kind]}: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
};

/** Who changed it. Nobody is known for what was found on the disk. */
export const tellWho = ({ by }: Pick<BrainChange, "by">, nameOf: (agent: string) => string): string =>
  by === undefined ? "Whoever has the files on that machine" : nameOf(by);

export const undoTitles = (what: UndoBrain | undefined): { readonly title: string; readonly confirm: string } => {
  if (what === undefined) return { title: "", confirm: "" };
  if ("change" in what) return { title: "Take this change back?", confirm: "Take it back" };
  if ("activation" in what) return { title: "Take back all that this turn changed?", confirm: "Take all of it back" };
  return { title: `Go back to ${formatFull(what.since)}?`, confirm: "Go back" };
};

export const effectWords: Readonly<Record<Effect["becomes"], string>> = {
  gone: "is removed",
  back: "comes back",
  other: "gets back what it held before",
};

export const formatSize = (bytes: number, locale?: string): string => {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString(locale, { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
};
