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
type Left = (path: string, hash: string | null) => Promise<string | null>;

/**
 * Creates the function that erases. It must run inside `serialize` of the brain, after edits on
 * disk have been recorded.
 */
export const createErase = (options: EraseOptions): ((what: EraseBrain, by: ChangeAuthor) => Promise<BrainErased>) => {
  const { agent, world, store, blobs, files, lines, bodies, recorder } = options;

  /** Selects the lines to erase from a file. `undefined` selects the whole file. */
  const keysFor = (what: EraseBrain): ((path: string) => ReadonlySet<string> | undefined) => {
    if ("path" in what) return (path) => (path === what.path ? undefined : NONE);
    if ("lines" in what) {
      const keys = new Set(what.lines.flatMap((line) => lineKey(world.hash, line) ?? []));
      return () => keys;
    }
    const found = lines.from(what.source);
    return (path) => found.get(path) ?? NONE;
  };

  /**
   * Computes what remains of each content. `fresh` collects the remaining contents that are new.
   */
  const createCuts = (
    what: EraseBrain,
  ): {
    /** Returns the keys of the lines to erase from a file, or `undefined` for the whole file. */
    readonly goes: (path: string) => ReadonlySet<string> | undefined;
    readonly fresh: ReadonlyMap<string, Uint8Array>;
    readonly left: Left;
  } => {
    const goes = keysFor(what);
    const fresh = new Map<string, Uint8Array>();
    const memo = new Map<string, Promise<string | null>>();
    const cut = async (path: string, hash: string): Promise<string | null> => {
      const keys = goes(path);
      if (keys === undefined) return null;
      const text = keys.size === 0 ? undefined : decodeText(await bodies.read(hash));
      if (text === undefined) return hash;
      const remainingLines = splitLines(text).filter((line) => !keys.has(lineKey(world.hash, line) ?? ""));
      const bytes = encoder.encode(remainingLines.join(""));
      const left = bodies.hashOf(bytes);
      if (left !== hash) fresh.set(left, bytes);
      return left;
    };
    const left: Left = async (path, hash) => {
      if (hash === null) return null;
      const known = memo.get(`${path}\n${hash}`) ?? cut(path, hash);
      memo.set(`${path}\n${hash}`, known);
      return known;
    };
    return { goes, fresh, left };
  };

  return async (what, { agent: person, activation, label }) => {
    const { goes, fresh, left } = createCuts(what);
    const [versions, proposals] = await Promise.all([
      store.select({ table: "brain_versions", where: { agent }, order: [{ column: "place" }] }),
      store.select({ table: "brain_proposals", where: { agent } }),
    ]);
    const named = new Set<string>();
    const writes: Write[] = [];
    const cutPaths = new Set<string>();
    let count = 0;
    for (const { place, path, before, after } of versions) {
      const [was, is] = [await left(path, before), await left(path, after)];
      for (const hash of [was, is]) if (hash !== null) named.add(hash);
      if (was === before && is === after) continue;
      count += 1;
      cutPaths.add(path);
      const set = { before: was, after: is, erased: 1 } as const;
      writes.push({ kind: "update", table: "brain_versions", where: { agent, place }, set });
    }
    for (const row of proposals) {
      const [was, is] = [await left(row.path, row.before), await left(row.path, row.after)];
      if (was !== null) named.add(was);
      const fromThere = "source" in what ? withoutSource(row, what.source) : undefined;
      if (fromThere !== undefined) writes.push({ ...toProposal(row), set: { ...fromThere, before: was, after: was } });
      else if (was !== row.before || is !== row.after)
        writes.push({ ...toProposal(row), set: { before: was, after: is } });
      if (fromThere === undefined && is !== null) named.add(is);
    }
    const edits: Edit[] = [];
    const before = new Map<string, KnownFile>();
    for (const [path, known] of [...files.all()]) {
      const cutFile = { ...known, hash: await left(path, known.hash), approved: await left(path, known.approved) };
      for (const hash of [cutFile.hash, cutFile.approved]) if (hash !== null) named.add(hash);
      if (cutFile.hash !== known.hash)
        edits.push({ path, after: cutFile.hash === null ? undefined : fresh.get(cutFile.hash) });
      else if (cutFile.approved === known.approved) continue;
      else writes.push(files.plan(path, cutFile));
      before.set(path, known);
      // The file's history must refer to the new hash too.
      files.set(path, cutFile);
    }
    if (count === 0 && edits.length === 0 && writes.length === 0) return { files: [], versions: 0 };

    const all = await store.select({ table: "brain_bodies", where: { agent } });
    const unnamed = all.filter(({ hash }) => !named.has(hash));
    writes.push(...(await rewrite(all, { named, fresh, versions, left })));
    for (const { hash } of unnamed) writes.push({ kind: "delete", table: "brain_bodies", where: { agent, hash } });
    for (const path of new Set([...versions, ...edits].map((one) => one.path)))
      writes.push(...lines.forget(path, goes(path) ?? NONE));
    const erased = new Set([...cutPaths, ...edits.map(({ path }) => path)]);
    const note = "something was erased";
    try {
      const change = { kind: "erase", by: person, activation, label, note, erased, edits, isApproved: false } as const;
      const rows = await recorder.record({ ...change, writes });
      await dropBlobs(unnamed);
      return {
        ...(rows === undefined ? {} : { change: toChange(rows) }),
        files: edits.map(({ path }) => path),
        versions: count,
      };
    } catch (error) {
      for (const [path, known] of before) if (files.get(path)?.settled === known.settled) files.set(path, known);
      throw error;
    }
  };

  /** Stores the new contents, and again those that are differences to an erased content. */
  async function rewrite(
    all: readonly Row<"brain_bodies">[],
    rest: {
      readonly named: ReadonlySet<string>;
      readonly fresh: ReadonlyMap<string, Uint8Array>;
      /** The versions, in order. */
      readonly versions: readonly Row<"brain_versions">[];
      readonly left: Left;
    },
  ): Promise<readonly Write[]> {
    const { named, fresh, versions, left } = rest;
    const stays = all.filter(({ hash, base }) => named.has(hash) && base !== null && !named.has(base));
    const moving = new Set([...fresh.keys(), ...stays.map(({ hash }) => hash)]);
    const bases = new Map<string, string | null>();
    for (const { path, before, after } of versions) {
      const [was, is] = [await left(path, before), await left(path, after)];
      if (was !== null && !bases.has(was)) bases.set(was, null);
      if (is !== null && !bases.has(is)) bases.set(is, was);
    }
    const ordered = [...new Set([...bases.keys(), ...moving])].filter((hash) => moving.has(hash));
    const contents: Content[] = [];
    for (const hash of ordered)
      contents.push({ bytes: fresh.get(hash) ?? (await bodies.read(hash)), base: bases.get(hash) });
    return bodies.planAll(contents);
  }

  /** Deletes the blobs that no other agent or row uses. */
  async function dropBlobs(gone: readonly Row<"brain_bodies">[]): Promise<void> {
    const hashes = gone.flatMap(({ hash, text }) => (text === null ? [hash] : []));
    const named = await findReferencedBodies(store, hashes);
    for (const hash of hashes) if (!named.has(hash)) await blobs.erase(hash);
  }
};

const toProposal = ({ id, house }: Row<"brain_proposals">) =>
  ({ kind: "update", table: "brain_proposals", where: { id, house } }) as const;

/** Closes a proposal that came from the source. Returns `undefined` if it came from elsewhere. */
const withoutSource = (row: Row<"brain_proposals">, source: string): Partial<Row<"brain_proposals">> | undefined => {
  const label = readLabel(row.labels) ?? OWNER_LABEL;
  if (!label.sources.includes(source)) return undefined;
  const labels = writeJson({ ...label, sources: label.sources.filter((one) => one !== source) });
  return row.state === "pending"
    ? { labels, state: "denied", reason: "The source of this proposal was erased." }
    : { labels };
};

const NONE: ReadonlySet<string> = new Set();
const encoder = new TextEncoder();
