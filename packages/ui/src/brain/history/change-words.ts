/** Texts about changes and reverts of a brain. Pure. */
import type { BrainChange, BrainChangeKind, UndoBrain } from "@hearth/protocol";
import { formatFull } from "../../house/time.tsx";
import { locale } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "../text.ts";
import type { Effect } from "./undo-effects.ts";

export const kindWords: Readonly<Record<BrainChangeKind, string>> = texts.changeKinds;

const MAX_NAMED_FILES = 3;

/** Describes a change, for example "Saved: USER.md". Names only the first of many files. */
export const describeChange = ({ kind, versions }: Pick<BrainChange, "kind" | "versions">): string => {
  const shownPaths = versions.slice(0, MAX_NAMED_FILES).map(({ path }) => toVisible(path));
  const hiddenCount = versions.length - shownPaths.length;
  return `${kindWords[kind]}: ${shownPaths.join(", ")}${hiddenCount === 0 ? "" : texts.andMoreFiles(hiddenCount)}`;
};

/** Names the author of a change. Changes that were found on disk have no known author. */
export const describeAuthor = ({ by }: Pick<BrainChange, "by">, nameOf: (agent: string) => string): string =>
  by === undefined ? texts.changeKinds.hand : nameOf(by);

export const undoTitles = (undo: UndoBrain | undefined): { readonly title: string; readonly confirm: string } => {
  if (undo === undefined) return { title: "", confirm: "" };
  if ("change" in undo) return { title: texts.revertChangeTitle, confirm: texts.revert };
  if ("activation" in undo) return { title: texts.revertRunTitle, confirm: texts.revertAll };
  return { title: texts.restoreTitle(formatFull(undo.since)), confirm: texts.restore };
};

export const effectWords: Readonly<Record<Effect["outcome"], string>> = texts.effects;

export const formatSize = (bytes: number, tag: string = locale): string => {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString(tag, { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
};
