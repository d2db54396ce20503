/**
 * Compares pictures of a page with reference pictures in `design-pictures/`. Pictures depend on the
 * version of Chromium and on the fonts, so `machine.json` beside them names both.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { findChromium } from "./browser.ts";

const FOLDER = fileURLToPath(new URL("design-pictures/", import.meta.url));
const MACHINE = join(FOLDER, "machine.json");
/** Greatest difference of a channel that counts as equal, of 255. */
const MAX_DIFFERENCE = 24;
/** Greatest share of differing pixels. The pictures of two runs on one machine are equal. */
const MAX_SHARE = 0.000_5;

export const isWriting = process.env["HEARTH_WRITE"] === "1";

interface Machine {
  readonly chromium: string;
  readonly fonts: readonly string[];
}

const outputOf = (...command: readonly string[]): string => {
  const [program = ""] = command;
  if (Bun.which(program) === null) return "";
  return Bun.spawnSync([...command], { stderr: "ignore" })
    .stdout.toString()
    .trim();
};

/** The major version of Chromium, and the fonts of the page. */
const thisMachine = (): Machine => ({
  chromium: /(\d+)\./.exec(outputOf(findChromium() ?? "", "--version"))?.[1] ?? "unknown",
  fonts: ["system-ui", "sans-serif", "monospace"].map((family) => outputOf("fc-match", family) || "unknown"),
});

/** Why the pictures cannot be compared here. Undefined if they can. */
export const reasonToSkip = (): string | undefined => {
  if (isWriting || findChromium() === undefined) return undefined;
  const [known, here]: readonly [Machine, Machine] = [JSON.parse(readFileSync(MACHINE, "utf8")), thisMachine()];
  if (here.chromium !== known.chromium)
    return `the pictures are of Chromium ${known.chromium}, and this is ${here.chromium}: write them with HEARTH_WRITE=1`;
  if (here.fonts.join() !== known.fonts.join())
    return `the pictures have the fonts ${known.fonts.join(", ")}, and this machine has ${here.fonts.join(", ")}`;
  return undefined;
};

export const writeMachine = (): void => writeFileSync(MACHINE, `${JSON.stringify(thisMachine(), undefined, 2)}\n`);

export interface Picture {
  /** The name of the reference picture. */
  readonly name: string;
  /** The whole page as PNG. */
  readonly shot: Buffer;
  /** The side of the squares of pixels whose average is one pixel of the reference. */
  readonly factor: number;
}

/**
 * Compares a picture with its reference. Returns the difference in words, or undefined if they are
 * equal within the tolerance. With HEARTH_WRITE=1, replaces the reference. `page` is a blank page,
 * which decodes the pictures.
 */
export const differenceOf = async (page: Page, { name, shot, factor }: Picture): Promise<string | undefined> => {
  const path = join(FOLDER, `${name}.webp`);
  const reference = isWriting ? undefined : readFileSync(path).toString("base64");
  const shotText = shot.toString("base64");
  const result = await page.evaluate(compare, { shot: shotText, reference, factor, maxDifference: MAX_DIFFERENCE });
  if (isWriting) writeFileSync(path, Buffer.from(result.reduced, "base64"));
  if (result.sizes !== undefined) return `${name}: the page has another size: ${result.sizes}`;
  return result.share <= MAX_SHARE
    ? undefined
    : `${name}: ${(100 * result.share).toFixed(2)} % of the pixels differ, from ${result.top} to ${result.bottom} px below the top`;
};

interface Compared {
  readonly shot: string;
  readonly reference: string | undefined;
  readonly factor: number;
  readonly maxDifference: number;
}

/** Runs in the page. Reduces the picture, and counts the pixels that differ from the reference. */
const compare = async ({ shot, reference, factor, maxDifference }: Compared) => {
  const read = async (text: string): Promise<ImageData> => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (context === null) throw new Error("The page has no canvas.");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  /** Averages squares of pixels. Rounding makes the file small. */
  const reduce = (picture: ImageData): ImageData => {
    const small = new ImageData(Math.floor(picture.width / factor), Math.floor(picture.height / factor));
    for (let y = 0; y < small.height; y += 1)
      for (let x = 0; x < small.width; x += 1)
        for (let channel = 0; channel < 4; channel += 1) {
          let sum = 0;
          for (let dy = 0; dy < factor; dy += 1)
            for (let dx = 0; dx < factor; dx += 1)
              sum += picture.data[((y * factor + dy) * picture.width + x * factor + dx) * 4 + channel] ?? 0;
          const average = sum / (factor * factor);
          small.data[(y * small.width + x) * 4 + channel] =
            channel === 3 ? 255 : Math.min(255, Math.round(average / 16) * 16);
        }
    return small;
  };
  /** Writes a picture without loss: WebP of quality 1. */
  const write = async (picture: ImageData): Promise<string> => {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d")?.putImageData(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 1 })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };
  const small = reduce(await read(shot));
  const reduced = await write(small);
  if (reference === undefined) return { reduced, share: 0, top: 0, bottom: 0 };
  const known = await read(reference);
  if (known.width !== small.width || known.height !== small.height)
    return {
      reduced,
      share: 1,
      top: 0,
      bottom: 0,
      sizes: `${small.width}×${small.height} instead of ${known.width}×${known.height}, times ${factor}`,
    };
  const rows: number[] = [];
  let count = 0;
  for (let pixel = 0; pixel < small.width * small.height; pixel += 1) {
    const differs = [0, 1, 2].some(
      (channel) =>
        Math.abs((small.data[pixel * 4 + channel] ?? 0) - (known.data[pixel * 4 + channel] ?? 0)) > maxDifference,
    );
    if (!differs) continue;
    count += 1;
    rows.push(Math.floor(pixel / small.width) * factor);
  }
  return {
    reduced,
    share: count / (small.width * small.height),
    top: rows[0] ?? 0,
    bottom: (rows.at(-1) ?? 0) + factor,
  };
};
