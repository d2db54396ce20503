/** Makes PDF files for tests. */
import { PDFDocument, StandardFonts } from "pdf-lib";

/** Each text is a page. */
export const makePdf = async (texts: readonly string[]): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return pdf.save();
};
