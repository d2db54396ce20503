/** Reads the bytes of uploads from their parts. */
import type { Blobs, Row, Store } from "../../kernel/index.ts";
import { HearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";

export interface PartReader {
  /** The bytes from `from` up to, not including, `to`, a part at a time. */
  read(upload: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** The first bytes of an upload as one array. */
  join(upload: string, sizeBytes: number): Promise<Uint8Array>;
  /** The bytes of `read` as one array. */
  slice(upload: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Parts per query. */
const PAGE = 64;

export const createPartReader = ({
  store,
  blobs,
}: {
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
}): PartReader => {
  const page = (upload: string, after: number, to: number): Promise<readonly Row<"upload_parts">[]> =>
    store.select({
      table: "upload_parts",
      where: { upload },
      and: [
        { column: "start", is: ">", value: after },
        { column: "start", is: "<", value: to },
      ],
      order: [{ column: "start" }],
      limit: PAGE,
    });

  async function* read(upload: string, from: number, to: number): AsyncGenerator<Uint8Array, void, undefined> {
    let at = from;
    // The part with the first byte begins at most one length of a part before it.
    for (let after = from - UPLOAD_PART_BYTES; at < to;) {
      const found = await page(upload, after, to);
      for (const { start, size, blob } of found) {
        after = start;
        if (start + size <= at) continue;
        const bytes = await blobs.get(blob);
        if (bytes === undefined) throw missingPartError(blob);
        yield bytes.subarray(at - start, Math.min(size, to - start));
        at = Math.min(start + size, to);
      }
      if (found.length < PAGE) break;
    }
    if (at < to) throw missingPartError(upload);
  }

  const slice = async (upload: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> => {
    const whole = new Uint8Array(to - from);
    let at = 0;
    for await (const bytes of read(upload, from, to)) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  };

  return { read, slice, join: (upload, sizeBytes) => slice(upload, 0, sizeBytes) };
};

const missingPartError = (subject: string): HearthError =>
  new HearthError("store.damaged", `A part of an attachment is missing: ${subject}`, {
    hint: "Restore the home folder's blobs from a backup.",
  });
