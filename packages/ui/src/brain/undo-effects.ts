/** What taking changes back does to each file, told before it is done. Pure. */
import type { BrainChange } from "@hearth/protocol";

export interface Effect {
  readonly path: string;
  /** `gone`: there was no such file before. `back`: it is not there now. `other`: it holds something else again. */
  readonly becomes: "gone" | "back" | "other";
}

/** By path. `changes` are newest first, and all of those that are to be taken back. */
export const effectsOf = (changes: readonly BrainChange[]): readonly Effect[] => {
  const sides = new Map<string, { readonly before: string | undefined; readonly after: string | undefined }>();
  for (const { versions } of changes)
    for (const { path, before, after } of versions.toReversed())
      sides.set(path, { before, after: sides.has(path) ? sides.get(path)?.after : after });
  return [...sides]
    .filter(([, { before, after }]) => before !== after)
    .map(([path, { before, after }]): Effect => {
      if (before === undefined) return { path, becomes: "gone" };
      return { path, becomes: after === undefined ? "back" : "other" };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

/** The place of what the brain was when it was first seen: as far back as a time goes. */
const FIRST = 1;

/** Whether it is what was found when the house first looked: there is nothing before it to go back to. */
export const isFirst = ({ place }: BrainChange): boolean => place === FIRST;

/** Those that going back to a time takes back. */
export const since = (changes: readonly BrainChange[], at: number): readonly BrainChange[] =>
  changes.filter((change) => change.at >= at && !isFirst(change));
