/**
 * Records a turn's workspace as versions, up to a size limit and without derived files. Names the
 * omitted files.
 */
import type { BrainChange } from "@hearth/protocol";
import type { By } from "./brain.ts";
import type { Bodies } from "./bodies.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import { toChange } from "./history.ts";
import type { KnownFiles } from "./known-files.ts";
import { MAX_KEPT } from "./live-brain.ts";
import { WORKSPACE } from "./path.ts";
import type { Edit, Recorder } from "./recorder.ts";

const MAX_CHECKPOINT = 200 * 1024 * 1024;
const MAX_FILES = 50_000;
/** Most omitted files that a change names. */
const MAX_NAMED = 20;
const DERIVED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Must run inside `serialize` of the brain. */
export const createCheckpoint =
  (options: {
    readonly tree: BrainTree;
    readonly files: KnownFiles;
    readonly bodies: Bodies;
    readonly recorder: Recorder;
    readonly maxBytes?: number;
  }): ((by: By) => Promise<BrainChange | undefined>) =>
  async ({ agent, activation, label }) => {
    const { tree, files, bodies, recorder, maxBytes = MAX_CHECKPOINT } = options;
    const omitted = new Map<string, string>();
    const skips = (name: string, path: string): boolean => {
      if (!DERIVED.has(name)) return false;
      omitted.set(path, "derived");
      return true;
    };
    const { files: found, notes } = await tree.walk(WORKSPACE, { skips, maxFiles: MAX_FILES });
    for (const { path, why } of notes) omitted.set(path, why);
    const kept = withinLimit(found, maxBytes, omitted);

    const read = async (facts: FileFacts): Promise<Edit | undefined> => {
      const known = files.get(facts.path);
      if (known?.settled === true && known.stamp === facts.stamp) return undefined;
      const file = await tree.read(facts.path, MAX_KEPT).catch((error: unknown) => {
        omitted.set(facts.path, error instanceof Error ? error.message : "cannot be read");
      });
      if (file === undefined) return undefined;
      if (bodies.hashOf(file.bytes) !== known?.hash) return { path: facts.path, after: file.bytes, seen: file };
      files.settle(facts.path, file);
      return undefined;
    };

    const edits: Edit[] = [];
    for (const facts of kept) {
      const edit = await read(facts);
      if (edit !== undefined) edits.push(edit);
    }
    const present = new Set(found.map(({ path }) => path));
    const isOmitted = (path: string): boolean =>
      [...omitted.keys()].some((omittedPath) => path === omittedPath || path.startsWith(`${omittedPath}/`));
    for (const [path, { hash }] of files.all()) {
      if (hash === null || !path.startsWith(`${WORKSPACE}/`) || present.has(path) || isOmitted(path)) continue;
      edits.push({ path, after: undefined, seen: "gone" });
    }
    const rows = await recorder.record({
      ...{ kind: "checkpoint", by: agent, activation, label, edits, isApproved: false },
      ...(omitted.size === 0 ? {} : { note: `left out: ${describeOmitted(omitted)}` }),
    });
    return rows === undefined ? undefined : toChange(rows);
  };

/** Selects files in name order until the limit is reached. */
const withinLimit = (
  found: readonly FileFacts[],
  maxBytes: number,
  omitted: Map<string, string>,
): readonly FileFacts[] => {
  let left = maxBytes;
  return found.filter(({ path, sizeBytes }) => {
    const fits = sizeBytes <= Math.min(left, MAX_KEPT);
    if (fits) left -= sizeBytes;
    else omitted.set(path, `has ${sizeBytes} bytes and exceeds the remaining space`);
    return fits;
  });
};

const describeOmitted = (omitted: ReadonlyMap<string, string>): string => {
  const named = [...omitted].slice(0, MAX_NAMED).map(([path, why]) => `${path} (${why})`);
  const more = omitted.size - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};
