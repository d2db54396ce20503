/** Stores a whole file of the house's machine as a complete upload. */
import { type Attachment, isHearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";
import type { Uploader, Uploads, WholeFile } from "./uploads.ts";

/**
 * Stores the file. An equal id means the same upload, so a call that is repeated after a crash
 * stores the file once. Removes what an earlier call left incomplete, because the file may have
 * changed since.
 */
export const storeFile = async (
  { begin, show, append, cancel }: Pick<Uploads, "begin" | "show" | "append" | "cancel">,
  { agent, house }: Uploader,
  { id, name, sizeBytes, read }: WholeFile,
): Promise<Attachment> => {
  const known = await show(agent, id).catch(missing);
  if (known?.attachment !== undefined) return known.attachment;
  if (known !== undefined) await cancel(agent, id);
  await begin({ agent, house }, { id, name, sizeBytes });
  try {
    let offset = 0;
    for await (const bytes of inParts(read(0, sizeBytes))) {
      const { attachment } = await append(agent, id, { offset, bytes });
      if (attachment !== undefined) return attachment;
      offset += bytes.length;
    }
    throw new Error(`${sizeBytes} bytes of a file ended at ${offset}`);
  } catch (error) {
    await cancel(agent, id);
    throw error;
  }
};

const missing = (error: unknown): undefined => {
  if (isHearthError(error, "upload.not-found")) return undefined;
  throw error;
};

/** Joins pieces to parts of an upload. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let part = new Uint8Array(UPLOAD_PART_BYTES);
  let length = 0;
  for await (const piece of pieces)
    for (let at = 0; at < piece.length;) {
      const taken = Math.min(piece.length - at, part.length - length);
      part.set(piece.subarray(at, at + taken), length);
      length += taken;
      at += taken;
      if (length < part.length) continue;
      yield part;
      part = new Uint8Array(UPLOAD_PART_BYTES);
      length = 0;
    }
  if (length > 0) yield part.subarray(0, length);
}
