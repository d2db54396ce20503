/** Text of any length in a row: short in the row itself, long as a blob whose hash the row keeps. */
import { HearthError } from "@hearth/protocol";
import { type Blobs, MAX_INLINE_SIZE } from "./blobs.ts";

/** A text as two columns, exactly one of which is set. */
export interface PackedBody {
  readonly inline: string | null;
  readonly blob: string | null;
}

/** A long text is kept as a blob when this resolves, so the row that names it may be written. */
export const packBody = async (blobs: Blobs, text: string): Promise<PackedBody> => {
  // A code unit takes three bytes at most, so most texts need no counting.
  if (text.length * 3 <= MAX_INLINE_SIZE) return { inline: text, blob: null };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_INLINE_SIZE) return { inline: text, blob: null };
  return { inline: null, blob: await blobs.put(bytes) };
};

export const unpackBody = async (blobs: Pick<Blobs, "get">, body: PackedBody): Promise<string> => {
  if (body.inline !== null) return body.inline;
  const bytes = body.blob === null ? undefined : await blobs.get(body.blob);
  if (bytes === undefined) {
    throw new HearthError("store.damaged", `A body is gone: there is no blob ${body.blob ?? "to look for"}.`, {
      hint: "Restore the home folder's blobs from a backup.",
    });
  }
  // A text may begin with U+FEFF, which a decoder drops unless told.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
};
