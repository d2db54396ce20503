/**
 * Converts documents to Markdown with anchors. The content determines the type, and the name of the
 * file does not matter. It runs in a cell, because the files are not trusted.
 */
import { type DocumentText, isMail, isHtml } from "@hearth/protocol/documents";
import { gunzipSync } from "fflate";
import { isTar, readTar, readZip } from "./formats/archive.ts";
import { findSeparator, readCsv } from "./formats/csv.ts";
import { readDocx } from "./formats/docx.ts";
import { EPUB_CONTAINER, readEpub } from "./formats/epub.ts";
import { htmlToMarkdown } from "./formats/html.ts";
import { readMail } from "./formats/mail.ts";
import { readPptx } from "./formats/pptx.ts";
import { rtfToMarkdown } from "./formats/rtf.ts";
import { readXlsx } from "./formats/xlsx.ts";
import { LIMITS } from "./limits.ts";
import { createScanReader, type PageReader, type ScanReader } from "./page-reader.ts";
import { isRefusal, refuse } from "./refusal.ts";
import { decodeText } from "./text.ts";
import { openZip } from "./zip.ts";

export type { PageReader, PageReading } from "./page-reader.ts";
export { LIMITS } from "./limits.ts";

type Pieces = Iterable<string> | AsyncIterable<string>;

/**
 * Converts a document. Never throws: if the document cannot be read, the result contains the reason.
 * `reader` reads pictures, and pages that are pictures.
 */
export const convertDocument = async (
  bytes: Uint8Array,
  maxLength: number,
  reader?: PageReader,
): Promise<DocumentText> => {
  const scans = createScanReader(bytes, reader);
  const result = await convertWith(bytes, maxLength, scans);
  return scans.isMissing() ? { ...result, needsOcr: true } : result;
};

const convertWith = async (bytes: Uint8Array, maxLength: number, scans: ScanReader): Promise<DocumentText> => {
  const pieces: string[] = [];
  let left = maxLength;
  const end = (): string => pieces.join("\n\n").toWellFormed();
  try {
    for await (const piece of await convertByType(bytes, scans)) {
      if (piece === "") continue;
      pieces.push(piece.slice(0, left));
      left -= piece.length + 2;
      if (left <= 0) return { kind: "text", text: end(), cut: true };
    }
  } catch (error) {
    const why = isRefusal(error) ? error.message : "The file is cut off or damaged.";
    // Returns the text before the damage, because it is useful.
    if (pieces.some((piece) => !/^\[[^\]]*\]\s*$/.test(piece)))
      return { kind: "text", text: `${end()}\n\n[cut: ${why}]`, cut: true };
    return { kind: "refused", why };
  }
  const text = end();
  return text.trim() === "" ? { kind: "refused", why: "It has no text." } : { kind: "text", text, cut: false };
};

/** The first bytes of a zip file with members, and of one without. */
const ZIP_SIGNATURES = ["PK\x03\x04", "PK\x05\x06"];

/** The first bytes of a PNG picture. */
const PNG = "\x89PNG\r\n\x1a\n";

/** The first bytes of JPEG, GIF and WebP pictures. */
const OTHER_PICTURE = /^(?:\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}WEBP)/;

const convertByType = async (bytes: Uint8Array, scans: ScanReader): Promise<Pieces> => {
  const beginning = String.fromCharCode(...bytes.subarray(0, 1024));
  if (beginning.includes("%PDF-")) return (await import("./formats/pdf.ts")).readPdf(bytes, scans);
  if (beginning.startsWith(PNG) || OTHER_PICTURE.test(beginning)) return [await scans.readPicture()];
  if (ZIP_SIGNATURES.some((start) => beginning.startsWith(start))) return chooseZip(bytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return chooseUnpacked(unpack(bytes));
  if (beginning.startsWith("\xd0\xcf\x11\xe0"))
    return refuse(
      "It is an Office file of the old binary formats, or protected by a password. Save it as DOCX, XLSX or PPTX.",
    );
  return chooseUnpacked(bytes);
};

const chooseUnpacked = (bytes: Uint8Array): Pieces => {
  if (isTar(bytes)) return readTar(bytes);
  if (/^\s*\{\\rtf/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 64)))) return [rtfToMarkdown(bytes)];
  const text = decodeText(bytes) ?? refuse("Hearth reads no documents of this type.");
  if (isHtml(text)) return [htmlToMarkdown(text)];
  if (isMail(text)) return readMail(bytes);
  const separator = findSeparator(text);
  return separator === undefined ? [text] : readCsv(text, separator);
};

const chooseZip = (bytes: Uint8Array): Pieces => {
  const zip = openZip(bytes);
  if (zip.has("word/document.xml")) return readDocx(zip);
  if (zip.has("xl/workbook.xml")) return readXlsx(zip);
  if (zip.has("ppt/presentation.xml")) return readPptx(zip);
  return zip.has(EPUB_CONTAINER) ? readEpub(zip) : readZip(zip);
};

/** Unpacks gzip. Checks the size that the file declares, and the library writes at most that many bytes. */
const unpack = (bytes: Uint8Array): Uint8Array => {
  const declared = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizeBytes = bytes.length < 18 ? 0 : declared.getUint32(bytes.length - 4, true);
  if (sizeBytes > LIMITS.memberBytes) refuse(`It has more than ${LIMITS.memberBytes >> 20} MiB when it is unpacked.`);
  if (sizeBytes > LIMITS.ratioFromBytes && sizeBytes > bytes.length * LIMITS.ratio)
    refuse(`It grows more than ${LIMITS.ratio} times when it is unpacked.`);
  return gunzipSync(bytes, { out: new Uint8Array(sizeBytes) });
};
