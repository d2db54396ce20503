/**
 * The disk of one daemon: every commit, blob and brain file crosses a boundary, and the disk may be
 * full.
 */
import { HearthError } from "@hearth/protocol";
import type { Change, CommitResult, MemoryDisk } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { CommitFaults } from "./commit-faults.ts";
import { nameOfChange } from "./failpoints.ts";
import { createLane, type Life } from "./life.ts";

export interface DiskFaults {
  isDatabaseFull(): boolean;
  areBlobsFull(): boolean;
  /** Whether blobs take seconds to write and to read. */
  readonly areBlobsSlow: boolean;
  /** Share of reads that take time, so that other work can run in between. */
  readonly slowReads: number;
}

/** Durations of blob operations on a slow disk. */
const SLOW_MS = [50, 800, 5000] as const;

const full = (): HearthError => new HearthError("store.unavailable", "The disk is full.");
const forever = <Answer>(): Promise<Answer> => new Promise(() => {});

/**
 * `committed` is called for each commit that becomes durable, `saved` for each brain file that is
 * written.
 */
export const createLivingDisk = (options: {
  readonly disk: MemoryDisk;
  readonly life: Life;
  readonly chance: Chance;
  readonly faults: DiskFaults;
  readonly commitFaults: CommitFaults;
  readonly committed: (change: Change, result: CommitResult) => void;
  readonly saved: (folder: string, path: string, bytes: Uint8Array) => void;
}): MemoryDisk => {
  const { disk, life, chance, faults, commitFaults, committed, saved } = options;
  const slowly = async (): Promise<void> => {
    if (faults.areBlobsSlow && chance.happens(0.3))
      await new Promise<void>((resolve) => void life.later(chance.pick(SLOW_MS), resolve));
  };
  const commits = createLane();
  return {
    store: {
      traits: disk.store.traits,
      texts: {
        pending: (limit) => (life.isDead() ? forever() : disk.store.texts.pending(limit)),
        write: (texts) => (life.isDead() ? forever() : disk.store.texts.write(texts)),
        find: (query) => (life.isDead() ? forever() : disk.store.texts.find(query)),
      },
      passages: {
        rooms: () => (life.isDead() ? forever() : disk.store.passages.rooms()),
        pending: (limit) => (life.isDead() ? forever() : disk.store.passages.pending(limit)),
        write: (file) => (life.isDead() ? forever() : disk.store.passages.write(file)),
        find: (query) => (life.isDead() ? forever() : disk.store.passages.find(query)),
        rank: (query) => (life.isDead() ? forever() : disk.store.passages.rank(query)),
      },
      commit: (change) =>
        life.cross(
          nameOfChange(change),
          async () => {
            if (faults.isDatabaseFull()) throw full();
            return commitFaults.commit(change, committed, life.die);
          },
          commits,
        ),
      async select(query) {
        if (faults.slowReads > 0 && chance.happens(faults.slowReads))
          await new Promise<void>((resolve) => void life.later(life.delay(), resolve));
        if (life.isDead()) return forever();
        const rows = await disk.store.select(query);
        return life.isDead() ? forever() : rows;
      },
      freeBytes: () =>
        life.isDead() ? forever() : Promise.resolve(faults.isDatabaseFull() || faults.areBlobsFull() ? 0 : Infinity),
      scrub: () => (life.isDead() ? forever() : disk.store.scrub()),
      shrink: (pages) => (life.isDead() ? forever() : disk.store.shrink(pages)),
      waitUntilIdle: () => (life.isDead() ? forever() : disk.store.waitUntilIdle()),
      async [Symbol.asyncDispose]() {},
    },
    blobs: {
      put: (bytes) =>
        life.cross("blobs.put", async () => {
          await slowly();
          if (faults.areBlobsFull()) throw full();
          return disk.blobs.put(bytes);
        }),
      async get(name) {
        await slowly();
        return life.isDead() ? forever() : disk.blobs.get(name);
      },
      remove: (...blobs) => life.cross("blobs.remove", () => disk.blobs.remove(...blobs)),
      erase: (blob) => life.cross("blobs.erase", () => disk.blobs.erase(blob)),
      list: (shard) => (life.isDead() ? forever() : disk.blobs.list(shard)),
    },
    keys: disk.keys,
    anchor: {
      read: () => (life.isDead() ? forever() : disk.anchor.read()),
      write: (heads) => life.cross("anchor.write", () => disk.anchor.write(heads)),
      setAside: (at) => (life.isDead() ? forever() : disk.anchor.setAside(at)),
    },
    brains: {
      ...disk.brains,
      write: (path, text) => (life.isDead() ? forever() : disk.brains.write(path, text)),
      makeFolder: (path) => (life.isDead() ? forever() : disk.brains.makeFolder(path)),
      tree: (folder) => {
        const tree = disk.brains.tree(folder);
        return {
          stat: (path) => (life.isDead() ? forever() : tree.stat(path)),
          names: (path) => (life.isDead() ? forever() : tree.names(path)),
          entries: (path, maxEntries) => (life.isDead() ? forever() : tree.entries(path, maxEntries)),
          async *pieces(file, from, to) {
            if (life.isDead()) await forever();
            yield* tree.pieces(file, from, to);
          },
          read: (path, maxBytes) => (life.isDead() ? forever() : tree.read(path, maxBytes)),
          walk: (path, options) => (life.isDead() ? forever() : tree.walk(path, options)),
          replace: (path, bytes, expected) =>
            life.cross("brain.replace", async () => {
              const facts = await tree.replace(path, bytes, expected);
              if (facts !== undefined) saved(folder, path, bytes);
              return facts;
            }),
          remove: (path, expected) => life.cross("brain.remove", () => tree.remove(path, expected)),
        };
      },
    },
  };
};
