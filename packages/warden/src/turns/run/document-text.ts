/** Reads the text of documents and pictures in messages, for models that accept none. */
import type { Documents } from "../../cells/index.ts";
import type { ReadText } from "../../models/index.ts";
import type { OpenAttachment, Uploads } from "../../people/index.ts";
import {
  type Attachment,
  inboxPath,
  isDocumentType,
  isHearthError,
  MAX_READ_FILE_BYTES,
  type RoomId,
  sentImageType,
  type UploadId,
} from "@hearth/protocol";
import { DocumentText, excerptOf } from "@hearth/protocol/documents";

export interface ReadTextOptions {
  /** A message of this room must still name the document. */
  readonly room: RoomId;
  readonly uploads: Pick<Uploads, "open" | "findText" | "keepText">;
  readonly documents: Documents;
  /** Removes secrets and forgotten text. */
  readonly clean: (text: string) => string;
}

/** Converts each document once. A result that may change, as after a timeout, is not stored. */
export const createReadText = ({ room, uploads, documents, clean }: ReadTextOptions): ReadText => {
  const findOrConvert = async (upload: UploadId, read: () => AsyncIterable<Uint8Array>, sizeBytes: number) => {
    const storedJson = await uploads.findText(upload);
    const storedText = storedJson === undefined ? undefined : DocumentText.parse(JSON.parse(storedJson));
    // The programs for OCR may have been installed since the text was stored.
    if (storedText !== undefined && !(storedText.needsOcr === true && (await documents.hasOcr()))) return storedText;
    const { result, isFinal } = await documents.convert(read(), sizeBytes);
    if (isFinal) await uploads.keepText(upload, JSON.stringify(result));
    return result;
  };

  return async ({ upload, hash, type, name }, maxLength) => {
    const isPicture = sentImageType(type) !== undefined;
    if (upload === undefined || !(isPicture || isDocumentType(type))) return undefined;
    try {
      const { attachment, read, slice } = await uploads.open(room, upload);
      const { sizeBytes } = attachment;
      if (attachment.hash !== hash) return undefined;
      const converted = await findOrConvert(upload, () => read(0, sizeBytes), sizeBytes);
      const result = converted.kind === "refused" && isText(attachment) ? await readRaw(slice, sizeBytes) : converted;
      // Most pictures have no text, and the reason why the model gets no picture says more.
      if (result.kind === "refused" && isPicture && result.needsOcr !== true) return undefined;
      if (result.kind === "refused") return { why: result.why.replace(/\.$/, "") };
      const workspacePath = sizeBytes <= MAX_READ_FILE_BYTES ? inboxPath(attachment) : undefined;
      const text = clean(excerptOf({ name, hash, path: workspacePath }, result, maxLength));
      const omitted = isPicture ? "all but the text that OCR read from it" : omissionOf(result, maxLength);
      return omitted === undefined ? { text } : { text, omitted };
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
  };
};

/** Maximum number of bytes of a text file that is read without conversion. */
const MAX_RAW_BYTES = 20_000;

const isText = ({ type }: Pick<Attachment, "type">): boolean => type === "text/plain";

/** Reads the beginning of a text file that the converter refused. */
const readRaw = async (slice: OpenAttachment["slice"], sizeBytes: number): Promise<DocumentText> => {
  // The option `stream` omits a character that is cut at the end.
  const text = new TextDecoder().decode(await slice(0, Math.min(sizeBytes, MAX_RAW_BYTES)), { stream: true });
  return { kind: "text", text, cut: sizeBytes > MAX_RAW_BYTES };
};

/** Describes the part of the text that the model does not get, as the end of a sentence. */
const omissionOf = ({ text, cut }: { readonly text: string; readonly cut: boolean }, maxLength: number) => {
  if (text.length <= maxLength && !cut) return undefined;
  const shownLength = Math.min(text.length, maxLength).toLocaleString("en");
  return `all but the first ${shownLength} of ${cut ? "more than " : ""}${text.length.toLocaleString("en")} characters of its text`;
};
