/**
 * Stores the contents of one brain's file versions by hash. A short text is a row, and any other
 * content is a blob. A text that is similar to an earlier one is stored as its difference to that
 * text.
 */
import { MAX_INLINE_SIZE, type Blobs, type Row, type Store, type Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, isHearthError, type World } from "@hearth/protocol";
import { applyDelta, toDelta } from "./body-delta.ts";
import { decodeText } from "./lines.ts";

export interface Bodies {
  hashOf(bytes: Uint8Array): string;
  /**
   * Returns the writes for the commit that refers to the content. A long content is already a
   * durable blob when the promise resolves. `base` is the hash of a similar content.
   */
  plan(bytes: Uint8Array, base?: string | null): Promise<readonly Write[]>;
  /**
   * Returns the writes that store these contents again. A difference among them refers only to
   * another content of the list.
   */
  planAll(contents: readonly Content[]): Promise<readonly Write[]>;
  /** Throws `store.damaged` if the content cannot be read. */
  read(hash: string): Promise<Uint8Array>;
  /** Like `read`, but returns undefined for `null`. */
  readOf(hash: string | null): Promise<Uint8Array | undefined>;
}

export interface Content {
  readonly bytes: Uint8Array;
  readonly base?: string | null | undefined;
}

type BodyRow = Row<"brain_bodies">;

/**
 * Maximum number of differences between a content and its full text, so that a read needs few rows.
 */
const MAX_DEPTH = 15;
/** Minimum share of a text that its difference must save. */
const MIN_SAVED_SHARE = 0.5;

const encoder = new TextEncoder();

/**
 * Creates the reader of one brain's contents. It throws `store.damaged` if a content cannot be
 * read.
 */
export const createBodyReader = (options: {
  readonly agent: string;
  readonly hash: World["hash"];
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
}): Bodies["read"] => {
  const { agent, hash: hashOf, store, blobs } = options;

  /** Returns undefined if the content is missing, or a content that it refers to. */
  const find = async (requestedHash: string): Promise<Uint8Array | undefined> => {
    const deltas: string[] = [];
    const visited = new Set<string>();
    for (let hash = requestedHash; ;) {
      const [row] = await store.select({ table: "brain_bodies", where: { agent, hash } });
      if (row === undefined || visited.has(hash)) return undefined;
      visited.add(hash);
      // A backup by an older Hearth has no such column.
      if (typeof row.base !== "string" || row.text === null) {
        const bytes = row.text === null ? await blobs.get(hash) : encoder.encode(row.text);
        return bytes === undefined || deltas.length === 0 ? bytes : applyAll(bytes, deltas.toReversed());
      }
      deltas.push(row.text);
      hash = row.base;
    }
  };

  return async (hash) => {
    const bytes = await find(hash);
    if (bytes !== undefined && hashOf(bytes) === hash) return bytes;
    throw new HearthError("store.damaged", `The content ${hash} of a brain file version is missing or damaged.`, {
      hint: "Restore the home folder from a backup. The files in brains/ are not touched.",
    });
  };
};

const applyAll = (base: Uint8Array, deltas: readonly string[]): Uint8Array | undefined => {
  let text = decodeText(base);
  for (const delta of deltas) text = text === undefined ? undefined : applyDelta(text, delta);
  return text === undefined ? undefined : encoder.encode(text);
};

export const createBodies = (options: {
  readonly agent: AgentId;
  readonly hash: World["hash"];
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get" | "put">;
}): Bodies => {
  const { agent, hash: hashOf, store, blobs } = options;
  const read = createBodyReader(options);

  const rowOf = async (hash: string): Promise<BodyRow | undefined> => {
    const [row] = await store.select({ table: "brain_bodies", where: { agent, hash } });
    return row;
  };

  /** Returns the row of a content that is stored in full. */
  const toFull = async (bytes: Uint8Array, text: string | undefined): Promise<BodyRow> =>
    text === undefined || bytes.length > MAX_INLINE_SIZE
      ? { agent, hash: await blobs.put(bytes), text: null, base: null, depth: 0 }
      : { agent, hash: hashOf(bytes), text, base: null, depth: 0 };

  const plan: Bodies["plan"] = async (bytes, base = null) => {
    const hash = hashOf(bytes);
    const existingRow = await rowOf(hash);
    // A difference must not refer to a content that is itself a difference to this one: neither
    // could be read.
    if (existingRow !== undefined && existingRow.base !== null) return [];
    const text = decodeText(bytes);
    const baseRow = existingRow !== undefined || base === null || text === undefined ? undefined : await rowOf(base);
    const baseText = baseRow === undefined ? undefined : await read(baseRow.hash).then(decodeText).catch(unlessDamaged);
    const row = toDifference({ agent, hash, text, baseRow, baseText }) ?? (await toFull(bytes, text));
    return [{ kind: "put", table: "brain_bodies", row }];
  };

  return {
    hashOf,
    plan,
    async planAll(contents) {
      const plannedBodies = new Map<string, { readonly row: BodyRow; readonly text: string | undefined }>();
      for (const { bytes, base } of contents) {
        const hash = hashOf(bytes);
        if (plannedBodies.has(hash)) continue;
        const text = decodeText(bytes);
        const plannedBase = plannedBodies.get(base ?? "");
        const row = toDifference({ agent, hash, text, baseRow: plannedBase?.row, baseText: plannedBase?.text });
        plannedBodies.set(hash, { text, row: row ?? (await toFull(bytes, text)) });
      }
      return [...plannedBodies.values()].map(({ row }) => ({ kind: "put", table: "brain_bodies", row }));
    },
    read,
    readOf: async (hash) => (hash === null ? undefined : read(hash)),
  };
};

const unlessDamaged = (error: unknown): undefined => {
  if (!isHearthError(error, "store.damaged")) throw error;
};

/** Returns the content as its difference to a base, or undefined if that saves too little. */
const toDifference = (options: {
  readonly agent: AgentId;
  readonly hash: string;
  readonly text: string | undefined;
  readonly baseRow: BodyRow | undefined;
  readonly baseText: string | undefined;
}): BodyRow | undefined => {
  const { agent, hash, text, baseRow, baseText } = options;
  if (text === undefined || baseText === undefined || baseRow === undefined || baseRow.depth >= MAX_DEPTH)
    return undefined;
  const delta = toDelta(baseText, text);
  if (delta.length > text.length * (1 - MIN_SAVED_SHARE) || encoder.encode(delta).length > MAX_INLINE_SIZE)
    return undefined;
  return { agent, hash, text: delta, base: baseRow.hash, depth: baseRow.depth + 1 };
};
