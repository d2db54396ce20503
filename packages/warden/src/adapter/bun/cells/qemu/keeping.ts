/**
 * Keeps the folders and a machine's copy of them the same. The folders are the truth: the brain goes in when the cell opens, and again when
 * something of it changed before the inmate is told anything more; the workspace goes in once and comes back after every step that may have
 * written, before the step is said to be done, every second while one runs, and when the cell closes.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import type { CellSpec } from "../../../../cells/backend.ts";
import type { Keeper } from "./keeper.ts";
import { applyTree, type Bounds, countIn, createBounds } from "./tree-apply.ts";
import type { Item } from "./tree-codec.ts";
import { scanTree, type Seen } from "./tree-scan.ts";
import { WORKSPACE } from "./wire.ts";

export interface Keeping {
  /** Brings brain and workspace in. Throws as `fitIn` does. */
  bringIn(): Promise<void>;
  /** Brings in what changed of the brain. */
  refresh(): Promise<void>;
  /** Brings back what changed of the workspace. Throws when what comes back is no tree or does not fit. */
  keep(): Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_ENTRIES = 1_000_000;
/** Whoever brings nothing back for so long never will. */
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
    const over = new AbortController();
    const late = clock.sleep(KEEP_MS, over.signal).then(() => {
      if (!over.signal.aborted) throw new HearthError("cell.lost", "nothing came back in time");
    });
    const kept = applyTree(spec.workspace, keeper.collect(), { links: "inside", bounds });
    try {
      await Promise.race([kept, late]);
    } finally {
      kept.catch(() => undefined);
      over.abort();
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

/** Throws `tool.failed` when brain and workspace are more than the cell may hold: nobody would hear of that later before something is lost. */
export const fitIn = async (spec: CellSpec): Promise<void> => {
  for await (const _ of whole(spec, new Map(), boundsOf(spec))) continue;
};

const boundsOf = ({ limits }: CellSpec): Bounds => createBounds(limits.diskMiB * MIB, MAX_ENTRIES);

const changesOfBrain = (spec: CellSpec, seen: Seen): AsyncGenerator<Item> =>
  scanTree(spec.brain, seen, { maxEntries: MAX_ENTRIES, except: new Set([...spec.hidden, WORKSPACE]) });

/** All of both. `bounds` are those of the workspace, which goes on to be counted. */
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
