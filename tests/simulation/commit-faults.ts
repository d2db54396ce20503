/** Commits that fail: with an outcome that the store cannot find out, so that the daemon ends, or with an fsync that failed. */
import { HearthError } from "@hearth/protocol";
import type { Change, CommitResult, MemoryDisk } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Families } from "./families.ts";

/** Share of commits that fail in a house with these faults. */
const SHARE = 0.02;

/** Told of each change that is in the database from now on. */
export type Told = (change: Change, result: CommitResult) => void;

export interface CommitFaults {
  /** `end` ends the daemon. The commit is never answered then. */
  commit(change: Change, told: Told, end: (why: string) => void): Promise<CommitResult>;
  /**
   * The process that wrote has ended. A commit whose fsync failed may still be in the WAL: then recovery applies it. `cutPower` takes
   * what a power cut takes. Both are over when `recovered` resolves.
   */
  ended(cutPower: (() => void) | undefined): void;
  recovered(): Promise<void>;
}

const unavailable = (): HearthError => new HearthError("store.unavailable", "The disk failed.");

export const createCommitFaults = (options: {
  readonly store: Pick<MemoryDisk["store"], "commit">;
  readonly chance: Chance;
  readonly families: Families;
  readonly isActive: () => boolean;
}): CommitFaults => {
  const { store, chance, families, isActive } = options;
  /** The commit whose fsync failed. The next commit overwrites its place in the WAL. */
  let left: { readonly change: Change; readonly told: Told } | undefined;
  let recovery = Promise.resolve();

  const apply = async (change: Change, told: Told): Promise<CommitResult> => {
    const result = await store.commit(change);
    told(change, result);
    return result;
  };

  return {
    async commit(change, told, end) {
      if (families.has("unknown-commit") && isActive() && chance.happens(SHARE)) {
        const isApplied = chance.happens(0.5);
        if (isApplied) await apply(change, told);
        end("the outcome of a commit is unknown");
        return new Promise(() => {});
      }
      if (families.has("failed-fsync") && isActive() && chance.happens(SHARE)) {
        left = { change, told };
        throw unavailable();
      }
      left = undefined;
      return apply(change, told);
    },
    ended(cutPower) {
      const again = left !== undefined && chance.happens(0.5) ? left : undefined;
      left = undefined;
      if (again === undefined) return cutPower?.();
      recovery = apply(again.change, again.told).then(() => cutPower?.());
    },
    recovered: () => recovery,
  };
};
