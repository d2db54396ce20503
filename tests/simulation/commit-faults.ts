/**
 * Makes commits fail: with an unknown outcome, after which the daemon ends, or with a definite
 * rejection.
 */
import { HearthError } from "@hearth/protocol";
import type { Change, CommitResult, MemoryDisk } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Families } from "./families.ts";

/** Share of commits that fail in a house with this family. */
const SHARE = 0.02;

/** Called for each change that the database contains from now on. */
export type Applied = (change: Change, result: CommitResult) => void;

export interface CommitFaults {
  /** `end` ends the daemon. The commit never settles in that case. */
  commit(change: Change, applied: Applied, end: (why: string) => void): Promise<CommitResult>;
}

export const createCommitFaults = (options: {
  readonly store: Pick<MemoryDisk["store"], "commit">;
  readonly chance: Chance;
  readonly families: Families;
  readonly isActive: () => boolean;
}): CommitFaults => {
  const { store, chance, families, isActive } = options;

  const apply = async (change: Change, applied: Applied): Promise<CommitResult> => {
    const result = await store.commit(change);
    applied(change, result);
    return result;
  };

  return {
    async commit(change, applied, end) {
      if (families.has("unknown-commit") && isActive() && chance.happens(SHARE)) {
        const isApplied = chance.happens(0.5);
        if (isApplied) await apply(change, applied);
        end("the outcome of a commit is unknown");
        return new Promise(() => {});
      }
      if (families.has("failed-fsync") && isActive() && chance.happens(SHARE))
        throw new HearthError("store.unavailable", "The disk failed.");
      return apply(change, applied);
    },
  };
};
