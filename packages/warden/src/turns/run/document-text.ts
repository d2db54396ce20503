/** Reads documents of messages as text, for models that do not take them. */
import type { Documents } from "../../cells/index.ts";
import type { ReadText } from "../../models/index.ts";
import type { Uploads } from "../../people/index.ts";
import {
  inboxPath,
  isDocumentType,
  isHearthError,
  MAX_INBOX_FILE_BYTES,
  type RoomId,
  type UploadId,
} from "@hearth/protocol";
import { DocumentText, excerptOf } from "@hearth/protocol/documents";

export interface ReadTextOptions {
  /** A message of this room must still name the document. */
  readonly room: RoomId;
  readonly uploads: Pick<Uploads, "open" | "findText" | "keepText">;
  readonly documents: Documents;
  /** Removes secrets, and what was forgotten. */
  readonly clean: (text: string) => string;
}

/** Each content is converted once. A result that may change, as after a timeout, is not kept. */
export const createReadText = ({ room, uploads, documents, clean }: ReadTextOptions): ReadText => {
  const resultOf = async (upload: UploadId, read: () => AsyncIterable<Uint8Array>, sizeBytes: number) => {
    const known = await uploads.findText(upload);
    if (known !== undefined) return DocumentText.parse(JSON.parse(known));
    const { result, isFinal } = await documents.convert(read(), sizeBytes);
    if (isFinal) await uploads.keepText(upload, JSON.stringify(result));
    return result;
  };

  return async ({ upload, hash, type, name }, maxLength) => {
    if (upload === undefined || !isDocumentType(type)) return undefined;
    try {
      const { attachment, read } = await uploads.open(room, upload);
      const { sizeBytes } = attachment;
      if (attachment.hash !== hash) return undefined;
      const result = await resultOf(upload, () => read(0, sizeBytes), sizeBytes);
      if (result.kind === "refused") return { why: result.why.replace(/\.$/, "") };
      const place = sizeBytes <= MAX_INBOX_FILE_BYTES ? inboxPath(attachment) : undefined;
      return { text: clean(excerptOf({ name, hash, path: place }, result, maxLength)) };
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
  };
};
