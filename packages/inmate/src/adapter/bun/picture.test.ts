import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { scalePicture } from "./picture.ts";

const LIMITS = { edge: 32, sizeBytes: 100_000 };

/** A picture of 64 by 48 pixels whose left half is red and whose right half is blue. */
const bitmap = (width = 64, height = 48): Uint8Array => {
  const row = width * 3;
  const bytes = new Uint8Array(54 + row * height);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let at = 0; at < width * height; at += 1)
    bytes.set(at % width < width / 2 ? [0, 0, 255] : [255, 0, 0], 54 + at * 3);
  return bytes;
};

/** Adds EXIF data with this orientation and with a position. */
const withExif = (jpeg: Uint8Array, orientation: number): Uint8Array => {
  const entries = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2, ...entries, 0, 0, 0, 0, ...Buffer.from("Berlin")];
  const exif = [...Buffer.from("Exif\0\0"), ...tiff];
  return Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...jpeg.subarray(2));
};

const jpegOf = (bytes: Uint8Array): Promise<Uint8Array> => new Bun.Image(bytes).jpeg().bytes();

const scaled = async (bytes: Uint8Array, limits = LIMITS, maxPixels?: number) => {
  const result = await scalePicture(bytes, limits, maxPixels);
  if (result.kind === "refused") throw new Error(result.why);
  return result;
};

describe("a scaled picture", () => {
  test("fits the edge and keeps its proportions", async () => {
    const { type, width, height, bytes } = await scaled(await jpegOf(bitmap()));
    expect([type, width, height]).toEqual(["image/jpeg", 32, 24]);
    expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 32, height: 24, format: "jpeg" });
  });

  test("is not larger than the picture", async () => {
    const { width, height } = await scaled(await jpegOf(bitmap()), { edge: 500, sizeBytes: 100_000 });
    expect([width, height]).toEqual([64, 48]);
  });

  test("is turned as its EXIF data says, and has no EXIF data", async () => {
    const { width, height, bytes } = await scaled(withExif(await jpegOf(bitmap()), 6));
    expect([width, height]).toEqual([24, 32]);
    const text = new TextDecoder("latin1").decode(bytes);
    expect([text.includes("Exif"), text.includes("Berlin")]).toEqual([false, false]);
  });

  test("of a PNG is a WebP, which keeps transparency", async () => {
    expect((await scaled(await new Bun.Image(bitmap()).png().bytes())).type).toBe("image/webp");
  });

  test("loses quality and pixels until it has the size", async () => {
    const noise = bitmap(256, 256);
    for (let at = 54; at < noise.length; at += 1) noise[at] = (at * 7919 + ((at * at) >> 3)) & 255;
    const { bytes, width } = await scaled(await jpegOf(noise), { edge: 256, sizeBytes: 5000 });
    expect(bytes.length).toBeLessThanOrEqual(5000);
    expect(width).toBeLessThan(256);
  });
});

describe("a hostile picture is refused", () => {
  const chunk = (name: string, content: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(12 + content.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, content.length);
    bytes.set(Buffer.from(name), 4);
    bytes.set(content, 8);
    view.setUint32(8 + content.length, Bun.hash.crc32(bytes.subarray(4, 8 + content.length)));
    return bytes;
  };
  /** A PNG of this size whose rows are zero. */
  const png = (width: number, height: number, rows: Uint8Array): Uint8Array => {
    const header = new Uint8Array(13);
    new DataView(header.buffer).setUint32(0, width);
    new DataView(header.buffer).setUint32(4, height);
    header.set([8, 0, 0, 0, 0], 8);
    const start = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
    return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", new Uint8Array())]);
  };

  test.each([
    ["a canvas beyond the limit", png(60_000, 60_000, deflateSync(new Uint8Array(100))), /million pixels/],
    ["a PNG without pixels", png(64, 64, deflateSync(new Uint8Array(3))), /damaged/],
    ["no picture", new Uint8Array(Buffer.from("not a picture")), /cannot decode/],
    ["an empty file", new Uint8Array(), /./],
    ["a WebP that is cut off", new Uint8Array(Buffer.from("RIFF\x10\0\0\0WEBPVP8 ")), /./],
  ])("%s", async (_what, bytes, why) => {
    const result = await scalePicture(bytes, LIMITS);
    expect(result.kind === "refused" && result.why).toMatch(why);
  });

  test("a picture with more pixels than allowed", async () => {
    const result = await scalePicture(await jpegOf(bitmap()), LIMITS, 1000);
    expect(result.kind).toBe("refused");
  });
});
