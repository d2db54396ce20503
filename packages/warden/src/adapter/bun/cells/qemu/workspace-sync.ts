/**
 * Keeps the folders and a machine's copy of them in sync. The folders are authoritative. The brain
 * is copied in when the cell opens, and again after a change before the next frame to the inmate.
 * The workspace is copied in once. It is copied back every second while a step that may write runs,
 * after such a step and before its end is reported, and when the cell closes.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import type { CellSpec } from "../../../../cells/backend.ts";
import type { WorkspaceKeeper } from "./keeper.ts";
import { applyTree, type Bounds, addToBounds, createBounds } from "./tree-apply.ts";
import type { Item } from "./tree-codec.ts";
import { scanTree, type KnownVersions } from "./tree-scan.ts";
import { WORKSPACE } from "./wire.ts";

export interface WorkspaceSync {
  /** Copies brain and workspace in. Throws like `requireFit`. */
  copyIn(): Promise<void>;
  /** Copies changes of the brain in. */
  copyBrainIn(): Promise<void>;
  /** Copies changes of the workspace back. Throws when they are not a valid tree or do not fit. */
  copyBack(): Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_ENTRIES = 1_000_000;
/** Longest time to copy the workspace back. */
const COPY_BACK_TIMEOUT_MS = 120_000;

export const createWorkspaceSync = (options: {
  readonly keeper: WorkspaceKeeper;
  readonly spec: CellSpec;
  readonly clock: Clock;
}): WorkspaceSync => {
  const { keeper, spec, clock } = options;
  const brainVersions: KnownVersions = new Map();
  const bounds = boundsOf(spec);
  let latestCopyBack: Promise<void> = Promise.resolve();

  const copyBackOnce = async (): Promise<void> => {
    const controller = new AbortController();
    const timeout = clock.sleep(COPY_BACK_TIMEOUT_MS, controller.signal).then(() => {
      if (!controller.signal.aborted) throw new HearthError("cell.lost", "the workspace was not copied back in time");
    });
    const copying = applyTree(spec.workspace, keeper.collect(), { links: "inside", bounds });
    try {
      await Promise.race([copying, timeout]);
    } finally {
      copying.catch(() => undefined);
      controller.abort();
    }
  };

  return {
    async copyIn() {
      await keeper.fill(scanBoth(spec, brainVersions, bounds));
    },
    async copyBrainIn() {
      const items = changesOfBrain(spec, brainVersions);
      const firstItem = await items.next();
      if (firstItem.done === true) return;
      await keeper.fill(
        (async function* () {
          yield firstItem.value;
          yield* items;
        })(),
      );
    },
    copyBack() {
      latestCopyBack = latestCopyBack.catch(() => undefined).then(copyBackOnce);
      return latestCopyBack;
    },
  };
};

/**
 * Throws `tool.failed` when brain and workspace exceed the cell's limits: a later failure would
 * lose files unnoticed.
 */
export const requireFit = async (spec: CellSpec): Promise<void> => {
  for await (const _ of scanBoth(spec, new Map(), boundsOf(spec))) continue;
};

const boundsOf = ({ limits }: CellSpec): Bounds => createBounds(limits.diskMiB * MIB, MAX_ENTRIES);

const changesOfBrain = (spec: CellSpec, knownVersions: KnownVersions): AsyncGenerator<Item> =>
  scanTree(spec.brain, knownVersions, { maxEntries: MAX_ENTRIES, except: new Set([...spec.hidden, WORKSPACE]) });

/**
 * Yields the items of the brain and of the workspace. `bounds` count the workspace, and the caller
 * continues to use them.
 */
async function* scanBoth(spec: CellSpec, knownBrainVersions: KnownVersions, bounds: Bounds): AsyncGenerator<Item> {
  yield* withinBounds(changesOfBrain(spec, knownBrainVersions), boundsOf(spec));
  const workspace = scanTree(spec.workspace, new Map(), { maxEntries: MAX_ENTRIES, except: new Set() });
  for await (const item of withinBounds(workspace, bounds))
    yield { ...item, entry: { ...item.entry, path: `${WORKSPACE}/${item.entry.path}` } };
}

async function* withinBounds(items: AsyncIterable<Item>, bounds: Bounds): AsyncGenerator<Item> {
  for await (const item of items) {
    addToBounds(bounds, item.entry);
    yield item;
  }
}
