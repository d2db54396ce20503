/**
 * Keeps the folders and a machine's copy of them in sync. The folders are authoritative. The brain
 * is copied in when the cell opens, and again after a change before the next frame to the inmate.
 * The workspace is copied in once. It is copied back after every step that may have written, before
 * the end of that step is reported; every second while one runs; and when the cell closes.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import type { CellSpec } from "../../../../cells/backend.ts";
import type { Keeper } from "./keeper.ts";
import { applyTree, type Bounds, countIn, createBounds } from "./tree-apply.ts";
import type { Item } from "./tree-codec.ts";
import { scanTree, type Seen } from "./tree-scan.ts";
import { WORKSPACE } from "./wire.ts";

export interface Keeping {
  /** Copies brain and workspace in. Throws like `fitIn`. */
  bringIn(): Promise<void>;
  /** Copies changes of the brain in. */
  refresh(): Promise<void>;
  /** Copies changes of the workspace back. Throws when they are not a valid tree or do not fit. */
  keep(): Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_ENTRIES = 1_000_000;
/** Longest time to copy the workspace back. */
const KEEP_MS = 120_000;

export const createKeeping = (options: {
  readonly keeper: Keeper;
  readonly spec: CellSpec;
  readonly clock: Clock;
}): Keeping => {
  const { keeper, spec, clock } = options;
  const brain: Seen = new Map();
  const bounds = boundsOf(spec);
  let last: Promise<void> = Promise.resolve();

  const keepOnce = async (): Promise<void> => {
    const controller = new AbortController();
    const timeout = clock.sleep(KEEP_MS, controller.signal).then(() => {
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
    async bringIn() {
      await keeper.fill(whole(spec, brain, bounds));
    },
    async refresh() {
      const items = changesOfBrain(spec, brain);
      const first = await items.next();
      if (first.done === true) return;
      await keeper.fill(
        (async function* () {
          yield first.value;
          yield* items;
        })(),
      );
    },
    keep() {
      last = last.catch(() => undefined).then(keepOnce);
      return last;
    },
  };
};

/**
 * Throws `tool.failed` when brain and workspace exceed the cell's limits: a later failure would
 * lose files unnoticed.
 */
export const fitIn = async (spec: CellSpec): Promise<void> => {
  for await (const _ of whole(spec, new Map(), boundsOf(spec))) continue;
};

const boundsOf = ({ limits }: CellSpec): Bounds => createBounds(limits.diskMiB * MIB, MAX_ENTRIES);

const changesOfBrain = (spec: CellSpec, seen: Seen): AsyncGenerator<Item> =>
  scanTree(spec.brain, seen, { maxEntries: MAX_ENTRIES, except: new Set([...spec.hidden, WORKSPACE]) });

/** Both trees as a whole. `bounds` are those of the workspace, which stay in use for counting. */
async function* whole(spec: CellSpec, seen: Seen, bounds: Bounds): AsyncGenerator<Item> {
  yield* counted(changesOfBrain(spec, seen), boundsOf(spec));
  const workspace = scanTree(spec.workspace, new Map(), { maxEntries: MAX_ENTRIES, except: new Set() });
  for await (const item of counted(workspace, bounds))
    yield { ...item, entry: { ...item.entry, path: `${WORKSPACE}/${item.entry.path}` } };
}

async function* counted(items: AsyncIterable<Item>, bounds: Bounds): AsyncGenerator<Item> {
  for await (const item of items) {
    countIn(bounds, item.entry);
    yield item;
  }
}
