import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPageReader } from "./page-reader.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-ocr-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PDF = new TextEncoder().encode("%PDF");

/** Creates a folder with these programs. */
const programs = (name: string, scripts: Readonly<Record<string, string>>): string => {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(join(path, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(path, program), 0o755);
  }
  return `${path}:/usr/bin:/bin`;
};

const DRAWS = 'printf "picture of $2 from "; cat';
const READS =
  'if [ "$1" = --list-langs ]; then printf "List of languages (3):\\ndeu\\neng\\nosd\\n"; else printf "$4: "; cat; fi';

test("a page is drawn and read in the installed languages", async () => {
  const reader = createPageReader({ path: programs("both", { pdftoppm: DRAWS, tesseract: READS }) });
  expect(await reader.read(PDF, 3)).toEqual({ kind: "text", text: "deu+eng: picture of 3 from %PDF" });
});

test("a missing program is named as missing", async () => {
  const path = programs("one", { tesseract: READS }).split(":")[0] ?? "";
  expect(await createPageReader({ path }).read(PDF, 1)).toEqual({ kind: "missing" });
});

test("a program that fails, or takes longer than the time for OCR, fails the page", async () => {
  const broken = createPageReader({ path: programs("broken", { pdftoppm: DRAWS, tesseract: "exit 1" }) });
  expect(await broken.read(PDF, 1)).toEqual({ kind: "failed" });
  const hangs = programs("slow", { pdftoppm: "exec tail -f /dev/null", tesseract: READS });
  const slow = createPageReader({ path: hangs, seconds: 0.2 });
  expect(await slow.read(PDF, 1)).toEqual({ kind: "failed" });
  expect(await slow.read(PDF, 2)).toEqual({ kind: "failed" });
});

test("a picture is decoded and read without the program for pages, and a damaged one is not", async () => {
  const only = programs("pictures", { tesseract: READS.replace("cat; fi", "cat | wc -c; fi") }).split(":")[0] ?? "";
  const reader = createPageReader({ path: `${only}:/usr/bin:/bin` });
  const png = await new Bun.Image(bitmap()).png().bytes();
  expect(await reader.readPicture?.(png)).toEqual({ kind: "text", text: expect.stringMatching(/^deu\+eng: \d+$/) });
  expect(await reader.readPicture?.(PDF)).toEqual({ kind: "failed" });
  expect(await createPageReader({ path: "/nowhere" }).readPicture?.(png)).toEqual({ kind: "missing" });
});

/** A picture of one black pixel. */
const bitmap = (): Uint8Array => {
  const bytes = new Uint8Array(58);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, 58, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, 1, true);
  view.setInt32(22, 1, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
};
