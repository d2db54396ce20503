/** Serialises changes of one brain and records edits by hand. */
import type { Log, Row } from "../../kernel/index.ts";
import type { BrainFiles } from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import type { GuardReview } from "./guard-review.ts";
import { isGuarded } from "./guard.ts";
import { createSerialQueue, type SerialQueue } from "@hearth/protocol/serial-queue";
import type { KnownFiles } from "./known-files.ts";
import { isForeign } from "./path.ts";
import { type Edit, MISSING_FILE, type Recorder } from "./recorder.ts";

/**
 * Maximum size in bytes of a file that has versions. A larger file stays on disk, and the change
 * names it.
 */
export const MAX_VERSIONED_BYTES = 64 * 1024 * 1024;
/** Maximum number of files of a brain outside its workspace. */
const MAX_FILES = 20_000;

export interface LiveBrain {
  /** Runs one function at a time. Other changes of the brain wait. */
  readonly serialize: SerialQueue;
  /** Inside `serialize`: makes the record of a file match the disk. */
  refresh(path: string): Promise<FileFacts | undefined>;
  /** Inside `serialize`: makes the record of every file match the disk. */
  scan(): Promise<Row<"brain_versions">[] | undefined>;
  /**
   * Inside `serialize`: writes the committed changes that did not reach the disk, also in the
   * workspace.
   */
  finishWrites(): Promise<void>;
  list(): Promise<BrainFiles>;
}

export const createLiveBrain = (options: {
  readonly log: Log;
  readonly tree: BrainTree;
  readonly files: KnownFiles;
  readonly bodies: Bodies;
  readonly recorder: Recorder;
  readonly guardReview: GuardReview;
}): LiveBrain => {
  const { tree, files, bodies, recorder, guardReview } = options;
  const serialize = createSerialQueue();
  let notes: BrainFiles["notes"] = [];

  /** Returns the edit by hand of the file, or undefined if there is no edit. */
  const findManualEdit = async (path: string, facts: FileFacts | undefined): Promise<Edit | undefined> => {
    const knownFile = files.get(path);
    if (knownFile?.settled !== false && (knownFile?.stamp ?? "") === (facts?.stamp ?? "")) return undefined;
    if (knownFile?.settled === false && knownFile.stamp === (facts?.stamp ?? "")) {
      await recorder.redo(path);
      return undefined;
    }
    const currentFile = facts === undefined ? undefined : await tree.read(path, MAX_VERSIONED_BYTES);
    if (currentFile === undefined) {
      if ((knownFile?.hash ?? null) !== null) return { path, after: undefined, diskState: "gone" };
      // A removal reached the disk before the daemon ended, and was not recorded.
      if (facts === undefined) files.settle(path, MISSING_FILE);
      return undefined;
    }
    if (bodies.hashOf(currentFile.bytes) !== knownFile?.hash)
      return { path, after: currentFile.bytes, diskState: currentFile };
    files.settle(path, currentFile);
    return undefined;
  };

  /** Records edits by hand. Their author is the person who owns the files of this machine. */
  const recordManualEdits = async (edits: readonly Edit[]): Promise<Row<"brain_versions">[] | undefined> => {
    if (edits.length === 0) return undefined;
    // In a brain without records, its person made all files.
    const isFirst = files.all().size === 0;
    const review = isFirst ? { writes: [], halts: false } : await guardReview.reviewManualEdits(edits);
    const kind = "hand";
    const rows = await recorder.record({ kind, by: null, edits, isApproved: isFirst, writes: review.writes });
    await guardReview.applyHalt(review);
    return rows;
  };

  const refresh: LiveBrain["refresh"] = async (path) => {
    const facts = await tree.stat(path);
    const edit = await findManualEdit(path, facts);
    if (edit !== undefined) await recordManualEdits([edit]);
    return tree.stat(path);
  };

  const scan: LiveBrain["scan"] = async () => {
    const walked = await tree.walk("", { skips: isForeign, maxFiles: MAX_FILES });
    const newNotes = [...walked.notes];
    const edits: Edit[] = [];
    const filesByPath = new Map(walked.files.map((facts) => [facts.path, facts]));
    const recordedPaths = [...files.all().keys()].filter(
      (path) => !path.split("/").some((name, index, names) => isForeign(name, names.slice(0, index + 1).join("/"))),
    );
    // A note about an unreadable folder covers every file below it, so no such file counts as
    // removed.
    const notedPaths = new Set(newNotes.map(({ path }) => path));
    const isHidden = (path: string): boolean =>
      path.split("/").some((_, index, names) => notedPaths.has(names.slice(0, index + 1).join("/")));
    for (const path of new Set([...filesByPath.keys(), ...recordedPaths])) {
      const facts = filesByPath.get(path);
      if (facts === undefined && (isHidden(path) || (!walked.isComplete && (await pathExists(tree, path))))) continue;
      if ((facts?.sizeBytes ?? 0) > MAX_VERSIONED_BYTES) {
        newNotes.push({ path, why: `has ${facts?.sizeBytes} bytes; versions are kept up to ${MAX_VERSIONED_BYTES}` });
        continue;
      }
      const edit = await findManualEdit(path, facts).catch((error: unknown) => {
        newNotes.push({ path, why: error instanceof Error ? error.message : "cannot be read" });
      });
      if (edit !== undefined) edits.push(edit);
    }
    notes = newNotes;
    return recordManualEdits(edits);
  };

  return {
    serialize,
    refresh,
    scan,
    async finishWrites() {
      for (const [path, { settled }] of [...files.all()]) {
        if (settled) continue;
        const facts = await tree.stat(path).catch(() => undefined);
        if (files.get(path)?.stamp === (facts?.stamp ?? "")) await recorder.redo(path);
      }
    },
    async list() {
      await serialize(scan);
      const existing = [...files.all()].filter(([path, { hash }]) => hash !== null && !path.startsWith("workspace/"));
      return {
        files: existing
          .map(([path, { hash, size }]) => ({ path, sizeBytes: size, hash: hash ?? "", isGuarded: isGuarded(path) }))
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
        notes: [...notes],
      };
    },
  };
};

/**
 * Whether the file exists or cannot be examined. Only a file that is certainly missing counts as
 * removed.
 */
export const pathExists = (tree: Pick<BrainTree, "stat">, path: string): Promise<boolean> =>
  tree.stat(path).then(
    (facts) => facts !== undefined,
    () => true,
  );
