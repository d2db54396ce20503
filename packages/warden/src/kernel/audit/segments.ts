/**
 * Segments hold the old rows of audit logs. Each segment is a range of rows in one blob: an export,
 * compressed with gzip. An external check of a segment needs no other data.
 */
import { AuditRow, HearthError, type HouseId } from "@hearth/protocol";
import type { Blobs } from "../store/blobs.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables/tables.ts";

export type Segment = Row<"audit_segments">;

export interface Segments {
  /**
   * Returns the segment with the row after this offset, or undefined if that row is not archived.
   */
  after(house: HouseId, offset: number): Promise<Segment | undefined>;
  /** Returns the segment's rows. Throws `store.damaged` if they cannot be read. */
  read(segment: Segment): Promise<readonly AuditRow[]>;
  /** Returns the offset of the last archived row, or 0. */
  end(house: HouseId): Promise<number>;
}

export const createSegments = (store: Pick<Store, "select">, blobs: Pick<Blobs, "get">): Segments => {
  /** Returns the last segment that begins after a row with at most this offset. */
  const findLast = async (house: HouseId, offset: number): Promise<Segment | undefined> => {
    const [row] = await store.select({
      table: "audit_segments",
      where: { house },
      and: [{ column: "after", is: "<=", value: offset }],
      order: [{ column: "after", descending: true }],
      limit: 1,
    });
    return row;
  };
  return {
    async after(house, offset) {
      const segment = await findLast(house, Math.max(0, offset));
      return segment !== undefined && segment.through > offset ? segment : undefined;
    },
    end: async (house) => (await findLast(house, Number.MAX_SAFE_INTEGER))?.through ?? 0,
    async read(segment) {
      try {
        const bytes = await blobs.get(segment.blob);
        if (bytes === undefined) throw new Error("the blob does not exist");
        return rowsIn(await gunzip(bytes));
      } catch (cause) {
        throw unreadableError(segment, cause);
      }
    },
  };
};

/** Returns the rows of an export, without its lines for the beginning and the end. */
const rowsIn = (text: string): readonly AuditRow[] =>
  text.split("\n").flatMap((line) => {
    if (!line.startsWith('{"kind":"row",')) return [];
    return [AuditRow.parse(JSON.parse(line))];
  });

export const gzip = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await transform(new TextEncoder().encode(text), new CompressionStream("gzip")).arrayBuffer());

export const gunzip = (bytes: Uint8Array): Promise<string> => transform(bytes, new DecompressionStream("gzip")).text();

const transform = (bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Response =>
  new Response(new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream));

export const describeSegment = ({ after, through, blob }: Segment): string =>
  `rows ${after + 1} to ${through} are in the blob ${blob}`;

const unreadableError = (segment: Segment, cause: unknown): HearthError =>
  new HearthError(
    "store.damaged",
    `The audit log cannot be read: ${describeSegment(segment)}, which is missing or damaged.`,
    {
      hint: "Restore the file in blobs/ of the home folder from a backup.",
      cause,
    },
  );
