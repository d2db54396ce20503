/** Reads pages of scans, and pictures, with the programs `pdftoppm` and `tesseract` of the cell. */
import { LIMITS, type PageReader, type PageReading } from "@hearth/documents";
import { MAX_PIXELS } from "@hearth/protocol/picture-sizes";

/** A cell has no other folders with programs. */
const PATH = "/usr/local/bin:/usr/bin:/bin";
/** Maximum number of languages, because each language makes recognition slower. */
const MAX_LANGUAGES = 4;

export interface PageReaderOptions {
  /** Folders of the programs, separated by colons. */
  readonly path?: string;
  /** Time for all pages. */
  readonly seconds?: number;
}

export const createPageReader = ({ path = PATH, seconds = LIMITS.ocrSeconds }: PageReaderOptions = {}): PageReader => {
  const pdftoppm = Bun.which("pdftoppm", { PATH: path });
  const tesseract = Bun.which("tesseract", { PATH: path });
  let remainingMs = seconds * 1000;
  let languages: string | undefined;

  /** Runs a program until the time for OCR is over. Returns undefined if it fails. */
  const run = async (cmd: readonly string[], input: Uint8Array): Promise<Uint8Array | undefined> => {
    if (remainingMs <= 0) return undefined;
    const startedAt = performance.now();
    const child = Bun.spawn([...cmd], {
      stdin: input,
      stdout: "pipe",
      stderr: "ignore",
      // One thread, because a cell has one processor.
      env: { PATH: path, LANG: "C.UTF-8", OMP_THREAD_LIMIT: "1" },
      timeout: Math.ceil(remainingMs),
      killSignal: "SIGKILL",
    });
    const [output, code] = await Promise.all([new Response(child.stdout).bytes(), child.exited]);
    remainingMs -= performance.now() - startedAt;
    return code === 0 ? output : undefined;
  };

  const findLanguages = async (program: string): Promise<string> => {
    const output = new TextDecoder().decode(await run([program, "--list-langs"], new Uint8Array()));
    const names = output.split("\n").filter((line) => /^[a-z]{3}(_\w+)?$/.test(line) && line !== "osd");
    return names.slice(0, MAX_LANGUAGES).join("+") || "eng";
  };

  const recognize = async (program: string, picture: Uint8Array): Promise<PageReading> => {
    languages ??= await findLanguages(program);
    const text = await run([program, "stdin", "stdout", "-l", languages], picture);
    if (text === undefined) return { kind: "failed" };
    return {
      kind: "text",
      text: new TextDecoder()
        .decode(text)
        .replace(/\f/gu, "")
        .replace(/\n{3,}/gu, "\n\n")
        .trim(),
    };
  };

  return {
    async read(pdf, page) {
      if (pdftoppm === null || tesseract === null) return { kind: "missing" };
      const range = ["-f", String(page), "-l", String(page)];
      const picture = await run([pdftoppm, ...range, "-gray", "-scale-to", String(LIMITS.ocrPixels), "-"], pdf);
      return picture === undefined ? { kind: "failed" } : recognize(tesseract, picture);
    },

    async readPicture(bytes) {
      if (tesseract === null) return { kind: "missing" };
      const picture = await toUprightPng(bytes);
      return picture === undefined ? { kind: "failed" } : recognize(tesseract, picture);
    },
  };
};

/**
 * Returns the picture as a PNG for tesseract, upright and not larger than a page. Returns undefined
 * if it cannot be decoded.
 */
const toUprightPng = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  try {
    const edge = LIMITS.ocrPixels;
    return await new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
      .resize(edge, edge, { fit: "inside", withoutEnlargement: true })
      .png()
      .bytes();
  } catch {
    return undefined;
  }
};
