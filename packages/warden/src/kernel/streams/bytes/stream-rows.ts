/** Finds the rows of byte streams, and follows forks to their sources. */
import type { StreamName, ByteStreamId } from "@hearth/protocol";
import type { Store } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";
import type { DurableStreams } from "../streams.ts";
import type { Address, ByteStreamInfo } from "./byte-streams.ts";

export type ByteStreamRow = Row<"byte_streams">;

/** A part of a stream's content: the events of one stream up to an offset. */
export interface Segment {
  readonly stream: StreamName;
  /** The offset before the segment. */
  readonly base: number;
  readonly upTo: number;
}

export interface StreamRows {
  byAddress(address: Address): Promise<ByteStreamRow | undefined>;
  byId(id: string): Promise<ByteStreamRow | undefined>;
  info(row: ByteStreamRow): Promise<ByteStreamInfo>;
  tail(row: ByteStreamRow): Promise<number>;
  /** Returns the segments, oldest first. Empty for an unknown stream. */
  segments(id: string): Promise<readonly Segment[]>;
}

export const createStreamRows = (store: Store, streams: Pick<DurableStreams, "head">): StreamRows => {
  const byId = async (id: string): Promise<ByteStreamRow | undefined> =>
    (await store.select({ table: "byte_streams", where: { id } }))[0];

  const tail = async ({ id, base }: ByteStreamRow): Promise<number> => base + (await streams.head(nameOf(id)));

  return {
    byId,
    tail,
    byAddress: async ({ house, path }) => (await store.select({ table: "byte_streams", where: { house, path } }))[0],
    info: async (row) => toInfo(row, await tail(row)),
    async segments(id) {
      const segments: Segment[] = [];
      let upTo = Infinity;
      for (let sourceId: string | null = id; sourceId !== null;) {
        const row: ByteStreamRow | undefined = await byId(sourceId);
        if (row === undefined) return [];
        segments.unshift({ stream: nameOf(row.id), base: row.base, upTo });
        upTo = Math.min(upTo, row.base);
        sourceId = row.source;
      }
      return segments;
    },
  };
};

export const nameOf = (id: ByteStreamId): StreamName => `bytes:${id}`;

export const toInfo = (row: ByteStreamRow, tail: number): ByteStreamInfo => ({
  id: row.id,
  house: row.house,
  path: row.path,
  owner: row.owner,
  contentType: row.content_type,
  tail,
  isClosed: row.state === "closed",
  ...(row.ttl_seconds === null ? {} : { ttlSeconds: row.ttl_seconds }),
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

/** Share of the time to live that is added, so that not every read causes a write. */
const SLACK = 1 / 20;

/** Returns when a stream that is used now expires. */
export const dueAt = (
  { ttl_seconds: ttl, expires_at: expiresAt }: Pick<ByteStreamRow, "ttl_seconds" | "expires_at">,
  now: number,
): number | null => (ttl === null ? expiresAt : now + Math.ceil(ttl * 1000 * (1 + SLACK)));

/** Returns the columns that renew the time to live. Empty if a write is not worthwhile yet. */
export const renewal = (row: ByteStreamRow, now: number): { readonly due_at?: number | null } => {
  const { ttl_seconds: ttl, due_at: currentDueAt } = row;
  if (ttl === null || currentDueAt === null) return {};
  const newDueAt = dueAt(row, now) ?? currentDueAt;
  return newDueAt - currentDueAt >= ttl * 1000 * SLACK ? { due_at: newDueAt } : {};
};

export const isDue = ({ due_at: due }: ByteStreamRow, now: number): boolean => due !== null && due <= now;
