/** Makes PDF files for tests. */
import { PDFDocument, StandardFonts } from "pdf-lib";

/** The programs that read scans. */
export const hasOcr = ["pdftoppm", "tesseract"].every((name) => Bun.which(name) !== null);

/** Each text is a page. */
export const makePdf = async (texts: readonly string[]): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return pdf.save();
};

/** Pages that are pictures of these texts, as a scanner makes them. */
export const makeScan = async (texts: readonly string[]): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  for (const text of texts) {
    const drawn = Bun.spawn(["pdftoppm", "-png", "-gray", "-r", "150", "-"], {
      stdin: await makePdf([text]),
      stdout: "pipe",
      stderr: "inherit",
    });
    const picture = await pdf.embedPng(await new Response(drawn.stdout).bytes());
    if ((await drawn.exited) !== 0) throw new Error("pdftoppm failed");
    const page = pdf.addPage();
    page.drawImage(picture, { x: 0, y: 0, width: page.getWidth(), height: page.getHeight() });
  }
  return pdf.save();
};
