/** Reads the bytes of uploads from their parts. */
import type { Blobs, Row, Store } from "../../kernel/index.ts";
import { HearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";

export interface PartReader {
  /** Yields the bytes from `from` up to, not including, `to`, a part at a time. */
  read(upload: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Returns the first bytes of an upload as one array. */
  join(upload: string, sizeBytes: number): Promise<Uint8Array>;
  /** Returns the bytes of `read` as one array. */
  slice(upload: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Maximum number of parts in one query. */
const PARTS_PER_QUERY = 64;

export const createPartReader = ({
  store,
  blobs,
}: {
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
}): PartReader => {
  const selectParts = (upload: string, after: number, to: number): Promise<readonly Row<"upload_parts">[]> =>
    store.select({
      table: "upload_parts",
      where: { upload },
      and: [
        { column: "start", is: ">", value: after },
        { column: "start", is: "<", value: to },
      ],
      order: [{ column: "start" }],
      limit: PARTS_PER_QUERY,
    });

  async function* read(upload: string, from: number, to: number): AsyncGenerator<Uint8Array, void, undefined> {
    let position = from;
    // The part with the first byte begins at most one length of a part before it.
    for (let after = from - UPLOAD_PART_BYTES; position < to;) {
      const parts = await selectParts(upload, after, to);
      for (const { start, size, blob } of parts) {
        after = start;
        if (start + size <= position) continue;
        const bytes = await blobs.get(blob);
        if (bytes === undefined) throw missingPartError(blob);
        yield bytes.subarray(position - start, Math.min(size, to - start));
        position = Math.min(start + size, to);
      }
      if (parts.length < PARTS_PER_QUERY) break;
    }
    if (position < to) throw missingPartError(upload);
  }

  const slice = async (upload: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> => {
    const joinedBytes = new Uint8Array(to - from);
    let position = 0;
    for await (const bytes of read(upload, from, to)) {
      joinedBytes.set(bytes, position);
      position += bytes.length;
    }
    return joinedBytes;
  };

  return { read, slice, join: (upload, sizeBytes) => slice(upload, 0, sizeBytes) };
};

const missingPartError = (subject: string): HearthError =>
  new HearthError("store.damaged", `A part of an attachment is missing: ${subject}`, {
    hint: "Restore the home folder's blobs from a backup.",
  });
