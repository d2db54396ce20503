/**
 * Records a turn's workspace as versions, without derived files and up to a size limit. The change
 * names the files that were left out.
 */
import { type BrainChange, INBOX, isInboxName } from "@hearth/protocol";
import type { ChangeAuthor } from "./brain.ts";
import type { Bodies } from "./bodies.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import { toChange } from "./history.ts";
import type { KnownFiles } from "./known-files.ts";
import { pathExists, MAX_VERSIONED_BYTES } from "./live-brain.ts";
import { WORKSPACE } from "./path.ts";
import type { Edit, Recorder } from "./recorder.ts";

const MAX_CHECKPOINT_BYTES = 200 * 1024 * 1024;
/** Maximum number of files of a workspace that have versions. */
export const MAX_CHECKPOINT_FILES = 20_000;
/** Maximum number of files per change. A commit with more would block the daemon. */
const MAX_EDITS = 2000;
/** Maximum number of omitted files that a change names. */
const MAX_NAMED_FILES = 20;
const DERIVED_NAMES: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Matches the files of messages in the workspace of each audience. They are stored with their
 * messages.
 */
const INBOXES = new RegExp(`^${WORKSPACE}/(rooms/[^/]+/)?${INBOX}/[^/]+$`);

/** Creates the function that records a workspace. It must run inside `serialize` of the brain. */
export const createCheckpoint =
  (options: {
    readonly tree: BrainTree;
    readonly files: KnownFiles;
    readonly bodies: Bodies;
    readonly recorder: Recorder;
  }): ((by: ChangeAuthor) => Promise<BrainChange | undefined>) =>
  async ({ agent, activation, label }) => {
    const { tree, files, bodies, recorder } = options;
    const omitted = new Map<string, string>();
    const skips = (name: string, path: string): boolean => {
      if (isInboxName(name) && INBOXES.test(path)) return true;
      if (!DERIVED_NAMES.has(name)) return false;
      omitted.set(path, "derived");
      return true;
    };
    const {
      files: foundFiles,
      notes,
      isComplete,
    } = await tree.walk(WORKSPACE, {
      skips,
      maxFiles: MAX_CHECKPOINT_FILES,
    });
    for (const { path, why } of notes) omitted.set(path, why);
    const versioned = withinLimit(foundFiles, omitted);

    const read = async (facts: FileFacts): Promise<Edit | undefined> => {
      const knownFile = files.get(facts.path);
      if (knownFile?.settled === true && knownFile.stamp === facts.stamp) return undefined;
      const file = await tree.read(facts.path, MAX_VERSIONED_BYTES).catch((error: unknown) => {
        omitted.set(facts.path, error instanceof Error ? error.message : "cannot be read");
      });
      if (file === undefined) return undefined;
      if (bodies.hashOf(file.bytes) !== knownFile?.hash)
        return { path: facts.path, after: file.bytes, diskState: file };
      files.settle(facts.path, file);
      return undefined;
    };

    const edits: Edit[] = [];
    for (const facts of versioned) {
      const edit = await read(facts);
      if (edit !== undefined) edits.push(edit);
    }
    const currentPaths = new Set(foundFiles.map(({ path }) => path));
    const isOmitted = (path: string): boolean => {
      for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
        if (omitted.has(path.slice(0, end))) return true;
      return false;
    };
    for (const [path, { hash }] of files.all()) {
      if (hash === null || !path.startsWith(`${WORKSPACE}/`) || currentPaths.has(path) || isOmitted(path)) continue;
      // A walk that ended at its limit does not show whether the files beyond the limit exist.
      if (!isComplete && (await pathExists(tree, path))) continue;
      edits.push({ path, after: undefined, diskState: "gone" });
    }
    let change: BrainChange | undefined;
    for (let start = 0; start === 0 || start < edits.length; start += MAX_EDITS) {
      const rows = await recorder.record({
        kind: "checkpoint",
        by: agent,
        activation,
        label,
        isApproved: false,
        edits: edits.slice(start, start + MAX_EDITS),
        ...(omitted.size === 0 ? {} : { note: `left out: ${describeOmitted(omitted)}` }),
      });
      if (rows !== undefined) change = toChange(rows);
    }
    return change;
  };

/** Selects files in name order until the limit is reached. */
const withinLimit = (foundFiles: readonly FileFacts[], omitted: Map<string, string>): readonly FileFacts[] => {
  let remainingBytes = MAX_CHECKPOINT_BYTES;
  return foundFiles.filter(({ path, sizeBytes }) => {
    const fits = sizeBytes <= Math.min(remainingBytes, MAX_VERSIONED_BYTES);
    if (fits) remainingBytes -= sizeBytes;
    else omitted.set(path, `has ${sizeBytes} bytes and exceeds the remaining space`);
    return fits;
  });
};

const describeOmitted = (omitted: ReadonlyMap<string, string>): string => {
  const shownFiles = [...omitted].slice(0, MAX_NAMED_FILES).map(([path, why]) => `${path} (${why})`);
  const moreCount = omitted.size - shownFiles.length;
  return [...shownFiles, ...(moreCount > 0 ? [`${moreCount} more`] : [])].join(", ");
};
