/** Reads pages that are pictures, by OCR. The platform provides the programs. */
import { LIMITS } from "./limits.ts";
import { refuse } from "./refusal.ts";

export type PageReading =
  | { readonly kind: "text"; readonly text: string }
  /** The programs are not installed. */
  | { readonly kind: "missing" }
  /** The time for OCR in this document is over, or the programs failed. */
  | { readonly kind: "failed" };

export interface PageReader {
  /** Reads a page of the PDF, from 1. */
  read(pdf: Uint8Array, page: number): Promise<PageReading>;
  /** Reads a picture. Absent: it reads only pages. */
  readPicture?(picture: Uint8Array): Promise<PageReading>;
}

/** The packages of Debian that have the programs. */
export const OCR_PACKAGES = "tesseract-ocr and poppler-utils";

export interface ScanReader {
  /** Returns the text of the page, which says that OCR read it, or "". */
  read(page: number): Promise<string>;
  /** Returns the text of the file, which is a picture. Throws a refusal with the reason if the file has no text. */
  readPicture(): Promise<string>;
  /** Whether a page was not read because the programs are missing. */
  isMissing(): boolean;
  /** Sentences about the pages without text that OCR did not read. */
  remarks(): readonly string[];
}

/** The package of Debian with the program that reads pictures. */
const PICTURE_PACKAGE = "tesseract-ocr";

/** Reads the pages of one PDF that have no text, or one picture, and describes those that were not read. */
export const createScanReader = (pdf: Uint8Array, reader: PageReader | undefined): ScanReader => {
  let left: number = LIMITS.ocrPages;
  let isPictureMissing = false;
  const missing: number[] = [];
  const unread: number[] = [];

  return {
    async read(page) {
      if (reader === undefined) return "";
      const reading = left === 0 ? NOT_READ : await reader.read(pdf, page);
      if (reading.kind === "missing") missing.push(page);
      if (reading.kind === "failed") unread.push(page);
      if (reading.kind !== "text" || reading.text === "") return "";
      left -= 1;
      return `(Page ${page} was read by OCR.)\n\n${reading.text}`;
    },
    async readPicture() {
      const reading = await (reader?.readPicture?.(pdf) ?? NOT_READ);
      if (reading.kind === "missing") {
        isPictureMissing = true;
        return refuse(`It is a picture. To read its text, install ${PICTURE_PACKAGE}.`);
      }
      if (reading.kind === "failed") return refuse("It is a picture, and OCR could not read it.");
      return reading.text === ""
        ? refuse("It is a picture in which OCR found no text.")
        : `(OCR read this text from the picture.)\n\n${reading.text}`;
    },
    isMissing: () => isPictureMissing || missing.length > 0,
    remarks: () => [
      ...(missing.length === 0
        ? []
        : [`(${pagesHave(missing)} no text. If they are scans, install ${OCR_PACKAGES} to read them.)`]),
      ...(unread.length === 0
        ? []
        : [`(${pagesHave(unread)} no text, and OCR reached its limits of pages and time before them.)`]),
    ],
  };
};

const NOT_READ: PageReading = { kind: "failed" };

/** Formats page numbers as the subject of a sentence: "Pages 3, 7-9 have". */
const pagesHave = (pages: readonly number[]): string => {
  const ranges: string[] = [];
  for (const [index, page] of pages.entries()) {
    if (pages[index - 1] === page - 1 && pages[index + 1] === page + 1) continue;
    if (pages[index - 1] === page - 1) ranges[ranges.length - 1] += `-${page}`;
    else ranges.push(String(page));
  }
  const shown = ranges.slice(0, MAX_RANGES).join(", ");
  return pages.length === 1 ? `Page ${shown} has` : `Pages ${shown}${ranges.length > MAX_RANGES ? ", …" : ""} have`;
};

const MAX_RANGES = 20;
