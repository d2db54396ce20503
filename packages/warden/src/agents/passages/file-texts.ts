/** Reads the text of attachments in parts: pages of documents, sheets, or a whole text file. */
import type { Documents } from "../../cells/index.ts";
import type { OpenAttachment, Uploads } from "../../people/index.ts";
import { isDocumentType, type RoomId } from "@hearth/protocol";
import { DocumentText, isMail, isHtml, MAX_DOCUMENT_BYTES } from "@hearth/protocol/documents";
import { type Section, sectionsOf } from "./sections.ts";

export type FileText =
  | { readonly kind: "text"; readonly sections: readonly Section[]; readonly isCut: boolean }
  /** `why` is one sentence. */
  | { readonly kind: "none"; readonly why: string };

export interface FileTexts {
  /** Converts a document at most once. Throws `attachment.not-found`, `store.damaged`. */
  read(room: RoomId, upload: string): Promise<FileText>;
}

const PLAIN_TEXT = "text/plain";
/** Maximum number of bytes of a text file that are read without conversion. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export const createFileTexts = (options: {
  readonly uploads: Pick<Uploads, "open" | "findText" | "keepText">;
  readonly documents: Pick<Documents, "convert" | "hasOcr">;
}): FileTexts => {
  const { uploads, documents } = options;

  const convert = async ({ attachment, read }: OpenAttachment): Promise<DocumentText> => {
    const { id, sizeBytes } = attachment;
    const storedText = await uploads.findText(id);
    const storedDocument = storedText === undefined ? undefined : DocumentText.parse(JSON.parse(storedText));
    // The programs for OCR may have been installed since the text was stored.
    if (storedDocument !== undefined && !(storedDocument.needsOcr === true && (await documents.hasOcr())))
      return storedDocument;
    const { result, isFinal } = await documents.convert(read(0, sizeBytes), sizeBytes);
    if (isFinal) await uploads.keepText(id, JSON.stringify(result));
    return result;
  };

  return {
    async read(room, upload) {
      const file = await uploads.open(room, upload);
      const { type, sizeBytes } = file.attachment;
      const plainText = type === PLAIN_TEXT ? await readPlain(file) : undefined;
      if (plainText !== undefined && !((isHtml(plainText) || isMail(plainText)) && sizeBytes <= MAX_DOCUMENT_BYTES))
        return { kind: "text", sections: [{ place: "", text: plainText }], isCut: sizeBytes > MAX_TEXT_BYTES };
      if (plainText === undefined && !isDocumentType(type)) return { kind: "none", why: "The file is not a document." };
      const result = await convert(file);
      if (result.kind === "refused") return { kind: "none", why: result.why };
      return { kind: "text", sections: sectionsOf(result.text), isCut: result.cut };
    },
  };
};

const readPlain = async ({ attachment, slice }: OpenAttachment): Promise<string> =>
  // The option `stream` omits a character that is cut at the end.
  new TextDecoder().decode(await slice(0, Math.min(attachment.sizeBytes, MAX_TEXT_BYTES)), { stream: true });
