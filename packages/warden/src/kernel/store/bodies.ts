/**
 * Texts of any length in a row: short ones in the row itself, long ones as a blob whose hash the
 * row has.
 */
import { HearthError } from "@hearth/protocol";
import { type Blobs, MAX_INLINE_SIZE } from "./blobs.ts";

/** A text as two columns, exactly one of which is set. */
export interface PackedBody {
  readonly inline: string | null;
  readonly blob: string | null;
}

/**
 * Packs a text. The blob of a long text is durable when the promise resolves, so its row may be
 * written.
 */
export const packBody = async (blobs: Blobs, text: string): Promise<PackedBody> => {
  // A code unit takes at most three bytes, so most texts need no exact count.
  if (text.length * 3 <= MAX_INLINE_SIZE) return { inline: text, blob: null };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_INLINE_SIZE) return { inline: text, blob: null };
  return { inline: null, blob: await blobs.put(bytes) };
};

export const unpackBody = async (blobs: Pick<Blobs, "get">, body: PackedBody): Promise<string> => {
  if (body.inline !== null) return body.inline;
  const bytes = body.blob === null ? undefined : await blobs.get(body.blob);
  if (bytes === undefined) {
    throw new HearthError(
      "store.damaged",
      `A stored text is missing: the blob ${body.blob ?? "(no hash)"} does not exist.`,
      {
        hint: "Restore the home folder's blobs from a backup.",
      },
    );
  }
  // Keeps a U+FEFF at the start, which a decoder drops by default.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
};
