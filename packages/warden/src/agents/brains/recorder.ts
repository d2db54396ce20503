/**
 * Commits one brain change with its versions, labels, bodies and events, and then writes the files
 * to the disk.
 */
import type { Store, Write, Row, DurableStreams, NewEvent } from "../../kernel/index.ts";
import {
  type ActivationId,
  type AgentId,
  type BrainChangeKind,
  HearthError,
  type Label,
  OWNER_LABEL,
  type World,
} from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import { isSoul } from "./guard.ts";
import type { KnownFiles } from "./known-files.ts";
import type { LineLabels } from "./line-labels.ts";
import { decodeText } from "./lines.ts";
import { WORKSPACE } from "./path.ts";

export interface Edit {
  readonly path: string;
  /** The new content of the file, or `undefined` if the change deletes it. */
  readonly after: Uint8Array | undefined;
  /** The file on disk that already holds this content, or `gone` if it is already deleted. */
  readonly diskState?: FileFacts | "gone";
}

export interface NewChange {
  readonly kind: BrainChangeKind;
  /** The author. `null` is the person who owns the files of this machine. */
  readonly by: AgentId | null;
  readonly activation?: ActivationId | undefined;
  /** The label of new lines. The default is the owner's label. */
  readonly label?: Label;
  readonly note?: string;
  /**
   * Paths of files with erased content. Each gets a version that records the erasure, even if the
   * file itself does not change.
   */
  readonly erased?: ReadonlySet<string>;
  readonly edits: readonly Edit[];
  /**
   * Whether a person has seen the change, so that the soul guard compares later changes with it.
   */
  readonly isApproved: boolean;
  /** Whether a person has read and approved the new lines. */
  readonly isTrusted?: boolean;
  /** Additional writes for the commit. */
  readonly writes?: readonly Write[];
}

export interface Recorder {
  /**
   * Commits the change. It is durable when the promise resolves. Returns `undefined` if no file has
   * a new version. The additional writes are committed in any case. If a person edits a file at the
   * same time, that edit stays on disk.
   */
  record(change: NewChange): Promise<Row<"brain_versions">[] | undefined>;
  /** Writes committed content that has not reached the disk. */
  redo(path: string): Promise<void>;
  /** Stores the observations of files that were made since the last change. */
  flush(): Promise<void>;
}

export interface RecorderOptions {
  readonly agent: AgentId;
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly tree: BrainTree;
  readonly files: KnownFiles;
  readonly lines: LineLabels;
  readonly bodies: Bodies;
  /**
   * Called when another process has written versions of this brain, which makes the cached state
   * stale.
   */
  readonly onStale: () => void;
}

export const createRecorder = async (options: RecorderOptions): Promise<Recorder> => {
  const { agent, world, store, streams, tree, files, lines, bodies, onStale } = options;
  const [lastVersion] = await store.select({
    table: "brain_versions",
    where: { agent },
    order: [{ column: "place", descending: true }],
    limit: 1,
  });
  let place = lastVersion?.place ?? 0;

  const writeToDisk = async (path: string, bytes: Uint8Array | undefined, before: string): Promise<void> => {
    if (bytes === undefined) {
      if (before !== "") await tree.remove(path, before);
      if ((await tree.stat(path)) === undefined) files.settle(path, MISSING_FILE);
      return;
    }
    const facts = await tree.replace(path, bytes, before === "" ? undefined : before);
    if (facts !== undefined) files.settle(path, facts);
  };

  /** Returns the rows for one file, and the record of the file after the commit. */
  const planEdit = async ({ path, after, diskState }: Edit, change: NewChange) => {
    const knownFile = files.get(path);
    const before = knownFile?.hash ?? null;
    const hash = after === undefined ? null : bodies.hashOf(after);
    const isErasure = change.kind === "erase";
    if (before === hash && !isErasure) return undefined;
    const writes: Write[] = [];
    if (after !== undefined) {
      writes.push(...(await bodies.plan(after, before)));
      const text = isErasure || path.startsWith(`${WORKSPACE}/`) ? undefined : decodeText(after);
      if (text !== undefined) {
        const oldBytes = before === null ? undefined : await bodies.read(before);
        const { label = OWNER_LABEL, activation } = change;
        const newLines = {
          path,
          before: oldBytes === undefined ? undefined : decodeText(oldBytes),
          after: text,
          label,
          activation,
        };
        writes.push(...(change.isTrusted === true ? lines.trust(newLines) : lines.plan(newLines)));
      }
    }
    const approved = change.isApproved && isSoul(path) ? hash : (knownFile?.approved ?? null);
    const newState =
      diskState === undefined
        ? { hash, size: after?.length ?? 0, stamp: knownFile?.stamp ?? "", settled: false, approved }
        : {
            hash,
            size: after?.length ?? 0,
            stamp: diskState === "gone" ? "" : diskState.stamp,
            settled: true,
            approved,
          };
    return { path, before, hash, writes: [...writes, files.plan(path, newState)], newState };
  };

  const eventOf = (row: Row<"brain_versions">): readonly NewEvent[] => {
    const { path, after, at, activation } = row;
    if (path.startsWith(`${WORKSPACE}/`)) return [];
    const change = row.change;
    return [
      {
        stream: `agent:${agent}`,
        id: world.ids.derive("evt", change, path),
        event: {
          type: "memory-written",
          at,
          agent,
          change,
          path,
          ...(after === null ? {} : { hash: after }),
          ...(activation === null ? {} : { activation }),
        },
      },
    ];
  };

  return {
    async record(change) {
      const plannedEdits = [];
      for (const edit of change.edits) {
        const plan = await planEdit(edit, change);
        if (plan !== undefined) plannedEdits.push({ ...plan, edit });
      }
      const changedPaths = new Set(plannedEdits.map(({ path }) => path));
      const erasureMarks = [...(change.kind === "erase" ? (change.erased ?? []) : [])]
        .filter((path) => !changedPaths.has(path))
        .map((path) => ({ path, before: files.get(path)?.hash ?? null, hash: files.get(path)?.hash ?? null }));
      if (plannedEdits.length + erasureMarks.length + (change.writes?.length ?? 0) === 0) return undefined;
      const id = world.ids.fresh("chg");
      const rows = [...plannedEdits, ...erasureMarks].map(({ path, before, hash }, index): Row<"brain_versions"> => ({
        agent,
        place: place + 1 + index,
        change: id,
        kind: change.kind,
        at: world.clock.now(),
        by: change.by,
        activation: change.activation ?? null,
        path,
        before,
        after: hash,
        erased: change.erased?.has(path) === true ? 1 : 0,
        note: change.note ?? null,
      }));
      const pendingWrites = files.pendingWrites();
      const { kind } = await streams.commit({
        writes: [
          ...pendingWrites,
          ...rows.map((row) => ({ kind: "insert", table: "brain_versions", row }) as const),
          ...plannedEdits.flatMap(({ writes }) => writes),
          ...(change.writes ?? []),
        ],
        events: rows.flatMap(eventOf),
      });
      if (kind !== "committed") {
        onStale();
        throw otherProcessError();
      }
      place += rows.length;
      files.markDurable(pendingWrites);
      for (const { path, newState } of plannedEdits) files.set(path, newState);
      for (const { path, edit, newState } of plannedEdits)
        if (edit.diskState === undefined) await writeToDisk(path, edit.after, newState.stamp);
      return rows.length === 0 ? undefined : rows;
    },
    async flush() {
      const pendingWrites = files.pendingWrites();
      if (pendingWrites.length === 0) return;
      await streams.commit({ writes: pendingWrites });
      files.markDurable(pendingWrites);
    },
    async redo(path) {
      const knownFile = files.get(path);
      if (knownFile === undefined) return;
      await writeToDisk(path, await bodies.readOf(knownFile.hash), knownFile.stamp);
    },
  };
};

/** Facts of a file that is not on the disk. */
export const MISSING_FILE = { stamp: "", sizeBytes: 0 };

const otherProcessError = (): HearthError =>
  new HearthError("store.unavailable", "Another process writes versions of the same brain.", {
    hint: "Stop the other daemon: a home supports only one.",
  });
