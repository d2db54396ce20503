/**
 * Converts the text of a PDF, page by page. Pages without text are read by OCR if the platform can. Does
 * not read scripts, forms, other pictures and embedded files.
 */
import { getDocument } from "unpdf/pdfjs";
import { LIMITS } from "../limits.ts";
import { anchor, tidy } from "../markdown.ts";
import { OCR_PACKAGES, type ScanReader } from "../page-reader.ts";
import { refuse } from "../refusal.ts";

/** Maximum number of missing pages. A damaged file may declare many more pages than it has. */
const MAX_MISSING = 20;

export async function* readPdf(bytes: Uint8Array, scans: ScanReader): AsyncGenerator<string> {
  const pdf = await open(bytes);
  let missing = 0;
  let hasText = false;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    if (number > LIMITS.pages) {
      yield `[cut: the first ${LIMITS.pages} of ${pdf.numPages} pages]`;
      break;
    }
    const text = await readPage(pdf, number);
    if (text === undefined) {
      missing += 1;
      if (missing >= MAX_MISSING) {
        yield `[cut: the file claims ${pdf.numPages} pages, and ${missing} of them cannot be read]`;
        break;
      }
      continue;
    }
    const read = text === "" ? await scans.read(number) : text;
    hasText ||= read !== "";
    yield `${anchor("page", number)}\n${read}`;
  }
  if (!hasText) refuse(scans.isMissing() ? SCAN_WITHOUT_OCR : "Its pages have no text.");
  yield* scans.remarks();
}

const SCAN_WITHOUT_OCR = `Its pages have no text. If it is a scan, install ${OCR_PACKAGES} to read it.`;

const open = async (bytes: Uint8Array): Promise<Pdf> => {
  try {
    // Copies the bytes, because the library takes the buffer over and does not accept a `Buffer`.
    const data = new Uint8Array(bytes);
    return await getDocument({
      data,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      stopAtErrors: false,
      enableXfa: false,
      maxImageSize: 1,
      verbosity: 0,
    }).promise;
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    return refuse(name === "PasswordException" ? "It is protected by a password." : "The file is cut off or damaged.");
  }
};

type Pdf = Awaited<ReturnType<typeof getDocument>["promise"]>;

/** Returns the text of a page, or undefined if there is no such page. */
const readPage = async (pdf: Pdf, number: number): Promise<string | undefined> => {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let text = "";
    for (const item of items) if ("str" in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    page.cleanup();
    return tidy(text);
  } catch {
    return undefined;
  }
};
