/**
 * Tracks the intended content of each file of one brain, and the stamp of the file on disk that
 * last held this content.
 */
import type { Store, Write, Row } from "../../kernel/index.ts";
import type { AgentId } from "@hearth/protocol";

export type KnownFile = Omit<Row<"brain_files">, "agent" | "path" | "settled"> & { readonly settled: boolean };

export interface KnownFiles {
  get(path: string): KnownFile | undefined;
  all(): ReadonlyMap<string, KnownFile>;
  /**
   * Returns the write for a commit. The caller calls `set` with the same value after the commit.
   */
  plan(path: string, known: KnownFile): Write;
  set(path: string, known: KnownFile): void;
  /**
   * Records that the file on disk has its known content. The next commit stores the record: a
   * read must not cause a sync of the disk.
   */
  settle(path: string, facts: { readonly stamp: string; readonly sizeBytes: number }): void;
  /** Returns the writes of `settle` calls that `markDurable` has not marked yet. */
  pendingWrites(): readonly Write[];
  /** Marks these writes as durable. */
  markDurable(writes: readonly Write[]): void;
}

export const loadKnownFiles = async (options: {
  readonly agent: AgentId;
  readonly store: Pick<Store, "select">;
}): Promise<KnownFiles> => {
  const { agent, store } = options;
  const files = new Map<string, KnownFile>();
  const pendingWrites = new Map<string, Write>();
  for (const { agent: _, path, settled, ...columns } of await store.select({ table: "brain_files", where: { agent } }))
    files.set(path, { ...columns, settled: settled === 1 });
  const plan: KnownFiles["plan"] = (path, { settled, ...columns }) => ({
    kind: "put",
    table: "brain_files",
    row: { agent, path, ...columns, settled: settled ? 1 : 0 },
  });
  return {
    get: (path) => files.get(path),
    all: () => files,
    plan,
    set(path, known) {
      files.set(path, known);
      pendingWrites.delete(path);
    },
    settle(path, { stamp, sizeBytes }) {
      const knownFile = files.get(path);
      if (knownFile === undefined) return;
      const settled = { ...knownFile, stamp, size: sizeBytes, settled: true };
      files.set(path, settled);
      pendingWrites.set(path, plan(path, settled));
    },
    pendingWrites: () => [...pendingWrites.values()],
    markDurable(writes) {
      for (const [path, write] of pendingWrites) if (writes.includes(write)) pendingWrites.delete(path);
    },
  };
};
