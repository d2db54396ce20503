/** Scanned pages: what the text says about them. The programs run in the tests of cells. */
import { expect, test } from "bun:test";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { convertDocument } from "./convert.ts";
import { LIMITS } from "./limits.ts";
import type { PageReading } from "./page-reader.ts";

/** "" is a page without text. */
const pdfOf = async (texts: readonly string[]): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    const page = pdf.addPage();
    if (text !== "") page.drawText(text, { x: 50, y: 700, size: 12, font });
  }
  return pdf.save();
};

const convert = async (texts: readonly string[], read: (page: number) => PageReading) => {
  const asked: number[] = [];
  const result = await convertDocument(await pdfOf(texts), 100_000, {
    async read(_pdf, page) {
      asked.push(page);
      return read(page);
    },
  });
  return { result, asked };
};

test("only a page without text is read, and the text says so", async () => {
  const { result, asked } = await convert(["One.", "", "Three."], () => ({ kind: "text", text: "The deposit." }));
  expect(asked).toEqual([2]);
  expect(result).toEqual({
    kind: "text",
    text: "[page 1]\nOne.\n\n[page 2]\n(Page 2 was read by OCR.)\n\nThe deposit.\n\n[page 3]\nThree.",
    cut: false,
  });
});

test("an empty page stays empty", async () => {
  const { result } = await convert(["One.", ""], () => ({ kind: "text", text: "" }));
  expect(result).toEqual({ kind: "text", text: "[page 1]\nOne.\n\n[page 2]\n", cut: false });
  const none = await convert([""], () => ({ kind: "text", text: "" }));
  expect(none.result).toEqual({ kind: "refused", why: "Its pages have no text." });
});

test("without the programs, the text names the pages and what to install", async () => {
  const { result } = await convert(["One.", "", "", "", "Five.", ""], () => ({ kind: "missing" }));
  expect(result).toMatchObject({ kind: "text", needsOcr: true });
  expect(result.kind === "text" ? result.text : "").toEndWith(
    "(Pages 2-4, 6 have no text. If they are scans, install tesseract-ocr and poppler-utils to read them.)",
  );
  expect((await convert(["", ""], () => ({ kind: "missing" }))).result).toEqual({
    kind: "refused",
    why: "Its pages have no text. If it is a scan, install tesseract-ocr and poppler-utils to read it.",
    needsOcr: true,
  });
});

test("OCR stops at its limit of pages, and the text names the others", async () => {
  const { result, asked } = await convert(
    Array.from({ length: LIMITS.ocrPages + 1 }, () => ""),
    (page) => ({ kind: "text", text: `Text ${page}.` }),
  );
  expect(asked.length).toBe(LIMITS.ocrPages);
  expect(result.kind === "text" ? result.text : "").toEndWith(
    `(Page ${LIMITS.ocrPages + 1} has no text, and OCR reached its limits of pages and time before them.)`,
  );
});

test("a page that the programs fail to read is named", async () => {
  const { result } = await convert(["One.", ""], () => ({ kind: "failed" }));
  expect(result.kind === "text" ? result.text : "").toContain("(Page 2 has no text, and OCR reached its limits");
});

test("OCR reads the text of a picture, and a picture without text is refused with the reason", async () => {
  const picture = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
  const convert = (reading: PageReading) =>
    convertDocument(picture, 1000, { read: async () => reading, readPicture: async () => reading });
  expect(await convert({ kind: "text", text: "EXIT" })).toEqual({
    ...{ kind: "text", cut: false },
    text: "(OCR read this text from the picture.)\n\nEXIT",
  });
  expect(await convert({ kind: "text", text: "" })).toEqual({
    ...{ kind: "refused", why: "It is a picture in which OCR found no text." },
  });
  expect(await convert({ kind: "failed" })).toMatchObject({ kind: "refused" });
  expect(await convert({ kind: "missing" })).toEqual({
    ...{ kind: "refused", why: "It is a picture. To read its text, install tesseract-ocr.", needsOcr: true },
  });
});
