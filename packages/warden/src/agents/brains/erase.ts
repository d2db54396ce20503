/**
 * Erases content from a brain's files, all their versions, proposals and the disk. A record remains
 * that states where content was erased.
 */
import { writeJson, readLabel, type Blobs, type Store, type Write, type Row } from "../../kernel/index.ts";
import { findReferencedBodies } from "../../kernel/lazy.ts";
import { type AgentId, type BrainErased, type EraseBrain, OWNER_LABEL, type World } from "@hearth/protocol";
import type { Bodies, Content } from "./bodies.ts";
import type { ChangeAuthor } from "./brain.ts";
import { toChange } from "./history.ts";
import type { KnownFile, KnownFiles } from "./known-files.ts";
import type { LineLabels } from "./line-labels.ts";
import { decodeText, lineKey, splitLines } from "./lines.ts";
import type { Edit, Recorder } from "./recorder.ts";

export interface EraseOptions {
  readonly agent: AgentId;
  readonly world: Pick<World, "hash">;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly files: KnownFiles;
  readonly lines: LineLabels;
  readonly bodies: Bodies;
  readonly recorder: Recorder;
}

/**
 * Maps the hash of a file's content to the hash of the content that remains. An equal hash means
 * that nothing is erased.
 */
type RemainingHash = (path: string, hash: string | null) => Promise<string | null>;

/**
 * Creates the function that erases. It must run inside `serialize` of the brain, after edits on
 * disk have been recorded.
 */
export const createErase = (options: EraseOptions): ((what: EraseBrain, by: ChangeAuthor) => Promise<BrainErased>) => {
  const { agent, world, store, blobs, files, lines, bodies, recorder } = options;

  /** Selects the lines to erase from a file. `undefined` selects the whole file. */
  const keysFor = (request: EraseBrain): ((path: string) => ReadonlySet<string> | undefined) => {
    if ("path" in request) return (path) => (path === request.path ? undefined : NONE);
    if ("lines" in request) {
      const keys = new Set(request.lines.flatMap((line) => lineKey(world.hash, line) ?? []));
      return () => keys;
    }
    const keysByPath = lines.linesFrom(request.source);
    return (path) => keysByPath.get(path) ?? NONE;
  };

  /**
   * Computes the remainder of each content. `newContents` collects the remainders.
   */
  const createEraser = (
    request: EraseBrain,
  ): {
    /** Returns the keys of the lines to erase from a file, or `undefined` for the whole file. */
    readonly keysToErase: (path: string) => ReadonlySet<string> | undefined;
    readonly newContents: ReadonlyMap<string, Uint8Array>;
    readonly remainingHash: RemainingHash;
  } => {
    const keysToErase = keysFor(request);
    const newContents = new Map<string, Uint8Array>();
    const cached = new Map<string, Promise<string | null>>();
    const computeRemaining = async (path: string, hash: string): Promise<string | null> => {
      const keys = keysToErase(path);
      if (keys === undefined) return null;
      const text = keys.size === 0 ? undefined : decodeText(await bodies.read(hash));
      if (text === undefined) return hash;
      const remainingLines = splitLines(text).filter((line) => !keys.has(lineKey(world.hash, line) ?? ""));
      const bytes = encoder.encode(remainingLines.join(""));
      const newHash = bodies.hashOf(bytes);
      if (newHash !== hash) newContents.set(newHash, bytes);
      return newHash;
    };
    const remainingHash: RemainingHash = async (path, hash) => {
      if (hash === null) return null;
      const newHash = cached.get(`${path}\n${hash}`) ?? computeRemaining(path, hash);
      cached.set(`${path}\n${hash}`, newHash);
      return newHash;
    };
    return { keysToErase, newContents, remainingHash };
  };

  return async (request, { agent: person, activation, label }) => {
    const { keysToErase, newContents, remainingHash } = createEraser(request);
    const [versions, proposals] = await Promise.all([
      store.select({ table: "brain_versions", where: { agent }, order: [{ column: "place" }] }),
      store.select({ table: "brain_proposals", where: { agent } }),
    ]);
    const referenced = new Set<string>();
    const writes: Write[] = [];
    const erasedPaths = new Set<string>();
    let count = 0;
    for (const { place, path, before: originalFiles, after } of versions) {
      const [newBefore, newAfter] = [await remainingHash(path, originalFiles), await remainingHash(path, after)];
      for (const hash of [newBefore, newAfter]) if (hash !== null) referenced.add(hash);
      if (newBefore === originalFiles && newAfter === after) continue;
      count += 1;
      erasedPaths.add(path);
      const set = { before: newBefore, after: newAfter, erased: 1 } as const;
      writes.push({ kind: "update", table: "brain_versions", where: { agent, place }, set });
    }
    for (const row of proposals) {
      const newBefore = await remainingHash(row.path, row.before);
      const newAfter = await remainingHash(row.path, row.after);
      if (newBefore !== null) referenced.add(newBefore);
      const closure = "source" in request ? withoutSource(row, request.source) : undefined;
      if (closure !== undefined)
        writes.push({ ...toProposal(row), set: { ...closure, before: newBefore, after: newBefore } });
      else if (newBefore !== row.before || newAfter !== row.after)
        writes.push({ ...toProposal(row), set: { before: newBefore, after: newAfter } });
      if (closure === undefined && newAfter !== null) referenced.add(newAfter);
    }
    const edits: Edit[] = [];
    const originalFiles = new Map<string, KnownFile>();
    for (const [path, originalFile] of [...files.all()]) {
      const erasedFile = {
        ...originalFile,
        hash: await remainingHash(path, originalFile.hash),
        approved: await remainingHash(path, originalFile.approved),
      };
      for (const hash of [erasedFile.hash, erasedFile.approved]) if (hash !== null) referenced.add(hash);
      if (erasedFile.hash !== originalFile.hash)
        edits.push({ path, after: erasedFile.hash === null ? undefined : newContents.get(erasedFile.hash) });
      else if (erasedFile.approved === originalFile.approved) continue;
      else writes.push(files.plan(path, erasedFile));
      originalFiles.set(path, originalFile);
      // The file's history must refer to the new hash too.
      files.set(path, erasedFile);
    }
    if (count === 0 && edits.length === 0 && writes.length === 0) return { files: [], versions: 0 };

    const bodyRows = await store.select({ table: "brain_bodies", where: { agent } });
    const unreferenced = bodyRows.filter(({ hash }) => !referenced.has(hash));
    writes.push(...(await rewrite(bodyRows, { referenced, newContents, versions, remainingHash })));
    for (const { hash } of unreferenced) writes.push({ kind: "delete", table: "brain_bodies", where: { agent, hash } });
    for (const path of new Set([...versions, ...edits].map((change) => change.path)))
      writes.push(...lines.forget(path, keysToErase(path) ?? NONE));
    const erased = new Set([...erasedPaths, ...edits.map(({ path }) => path)]);
    const note = "something was erased";
    try {
      const change = { kind: "erase", by: person, activation, label, note, erased, edits, isApproved: false } as const;
      const rows = await recorder.record({ ...change, writes });
      await dropBlobs(unreferenced);
      return {
        ...(rows === undefined ? {} : { change: toChange(rows) }),
        files: edits.map(({ path }) => path),
        versions: count,
      };
    } catch (error) {
      for (const [path, originalFile] of originalFiles)
        if (files.get(path)?.settled === originalFile.settled) files.set(path, originalFile);
      throw error;
    }
  };

  /** Stores the new contents, and stores again each content that is a difference to an erased one. */
  async function rewrite(
    bodyRows: readonly Row<"brain_bodies">[],
    options: {
      readonly referenced: ReadonlySet<string>;
      readonly newContents: ReadonlyMap<string, Uint8Array>;
      /** The versions, in order. */
      readonly versions: readonly Row<"brain_versions">[];
      readonly remainingHash: RemainingHash;
    },
  ): Promise<readonly Write[]> {
    const { referenced, newContents, versions, remainingHash } = options;
    const orphanedDeltas = bodyRows.filter(
      ({ hash, base }) => referenced.has(hash) && base !== null && !referenced.has(base),
    );
    const hashesToStore = new Set([...newContents.keys(), ...orphanedDeltas.map(({ hash }) => hash)]);
    const bases = new Map<string, string | null>();
    for (const { path, before, after } of versions) {
      const [newBefore, newAfter] = [await remainingHash(path, before), await remainingHash(path, after)];
      if (newBefore !== null && !bases.has(newBefore)) bases.set(newBefore, null);
      if (newAfter !== null && !bases.has(newAfter)) bases.set(newAfter, newBefore);
    }
    const hashesInOrder = [...new Set([...bases.keys(), ...hashesToStore])].filter((hash) => hashesToStore.has(hash));
    const contents: Content[] = [];
    for (const hash of hashesInOrder)
      contents.push({ bytes: newContents.get(hash) ?? (await bodies.read(hash)), base: bases.get(hash) });
    return bodies.planAll(contents);
  }

  /** Deletes the blobs that no other agent or row uses. */
  async function dropBlobs(removedRows: readonly Row<"brain_bodies">[]): Promise<void> {
    const hashes = removedRows.flatMap(({ hash, text }) => (text === null ? [hash] : []));
    const referenced = await findReferencedBodies(store, hashes);
    for (const hash of hashes) if (!referenced.has(hash)) await blobs.erase(hash);
  }
};

const toProposal = ({ id, house }: Row<"brain_proposals">) =>
  ({ kind: "update", table: "brain_proposals", where: { id, house } }) as const;

/** Closes a proposal that came from the source. Returns `undefined` if it came from elsewhere. */
const withoutSource = (row: Row<"brain_proposals">, source: string): Partial<Row<"brain_proposals">> | undefined => {
  const label = readLabel(row.labels) ?? OWNER_LABEL;
  if (!label.sources.includes(source)) return undefined;
  const labels = writeJson({ ...label, sources: label.sources.filter((candidate) => candidate !== source) });
  return row.state === "pending"
    ? { labels, state: "denied", reason: "The source of this proposal was erased." }
    : { labels };
};

const NONE: ReadonlySet<string> = new Set();
const encoder = new TextEncoder();
