/** The effect of a revert on each file, for its preview. Pure. */
import type { BrainChange } from "@hearth/protocol";

export interface Effect {
  readonly path: string;
  /**
   * `deleted`: the file did not exist before the changes. `restored`: it does not exist now.
   * `changed`: its content changes.
   */
  readonly outcome: "deleted" | "restored" | "changed";
}

/** Returns the effects, sorted by path. `changes` are all changes to revert, newest first. */
export const effectsOf = (changes: readonly BrainChange[]): readonly Effect[] => {
  const states = new Map<string, { readonly before: string | undefined; readonly after: string | undefined }>();
  for (const { versions } of changes)
    for (const { path, before, after } of versions.toReversed())
      states.set(path, { before, after: states.has(path) ? states.get(path)?.after : after });
  return [...states]
    .filter(([, { before, after }]) => before !== after)
    .map(([path, { before, after }]): Effect => {
      if (before === undefined) return { path, outcome: "deleted" };
      return { path, outcome: after === undefined ? "restored" : "changed" };
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
};

/** The position of the first known state, which a restore cannot go beyond. */
const FIRST_POSITION = 1;

/** Whether this change is the first known state, which cannot be reverted. */
export const isFirstState = ({ place }: BrainChange): boolean => place === FIRST_POSITION;

/** Returns the changes that restoring to the time `at` reverts. */
export const findChangesSince = (changes: readonly BrainChange[], at: number): readonly BrainChange[] =>
  changes.filter((change) => change.at >= at && !isFirstState(change));
