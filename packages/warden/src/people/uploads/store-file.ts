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
  const existingUpload = await show(agent, id).catch(ignoreMissing);
  if (existingUpload?.attachment !== undefined) return existingUpload.attachment;
  if (existingUpload !== undefined) await cancel(agent, id);
  await begin({ agent, house }, { id, name, sizeBytes });
  try {
    let offset = 0;
    for await (const bytes of joinToParts(read(0, sizeBytes))) {
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

const ignoreMissing = (error: unknown): undefined => {
  if (isHearthError(error, "upload.not-found")) return undefined;
  throw error;
};

/** Joins pieces to parts of an upload. */
async function* joinToParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let part = new Uint8Array(UPLOAD_PART_BYTES);
  let length = 0;
  for await (const piece of pieces)
    for (let position = 0; position < piece.length;) {
      const takenLength = Math.min(piece.length - position, part.length - length);
      part.set(piece.subarray(position, position + takenLength), length);
      length += takenLength;
      position += takenLength;
      if (length < part.length) continue;
      yield part;
      part = new Uint8Array(UPLOAD_PART_BYTES);
      length = 0;
    }
  if (length > 0) yield part.subarray(0, length);
}
