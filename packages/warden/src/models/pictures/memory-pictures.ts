/**
 * A picture provider without a model: PNG files of one colour, which derives from the prompt and the
 * picture to change. For tests and demonstrations.
 */
import { HearthError } from "@hearth/protocol";
import type { PictureSize } from "@hearth/protocol/tools";
import { checkPictures } from "./picture-bytes.ts";
import type { PictureProviderFactory } from "./picture-provider.ts";

const DIMENSIONS: Readonly<Record<PictureSize, readonly [width: number, height: number]>> = {
  square: [64, 64],
  wide: [96, 64],
  tall: [64, 96],
};

/** A prompt with this word is refused, as by a vendor's moderation. */
export const REFUSED_WORD = "forbidden";

export const createMemoryPictures: PictureProviderFactory = ({ clock }) => ({
  async make({ prompt, count, size = "square", source, mask }, signal) {
    if (signal.aborted) throw new HearthError("provider.aborted", "The call was stopped.");
    if (prompt.includes(REFUSED_WORD)) throw new HearthError("provider.refused", "The prompt was refused.");
    const [width, height] = DIMENSIONS[size];
    const seed = [new TextEncoder().encode(prompt), source?.bytes ?? [], mask?.bytes ?? []].flatMap((part) => [
      ...part,
    ]);
    const pictures = Array.from({ length: count }, (_, index) => drawPng(width, height, colourOf([...seed, index])));
    return checkPictures(pictures, count, clock);
  },
});

type Colour = readonly [red: number, green: number, blue: number];

const colourOf = (seed: readonly number[]): Colour => {
  const sum = computeCrc(Uint8Array.from(seed));
  return [sum & 0xff, (sum >>> 8) & 0xff, (sum >>> 16) & 0xff];
};

/** Draws a PNG of one colour, with less than 64 KiB of pixels, which are not compressed. */
export const drawPng = (width: number, height: number, colour: Colour): Uint8Array<ArrayBuffer> => {
  const row = [0, ...Array.from({ length: width }, () => colour).flat()];
  const pixels = Array.from({ length: height }, () => row).flat();
  const length = [pixels.length & 0xff, pixels.length >>> 8];
  const zlibBytes = [
    0x78,
    0x01,
    0x01,
    ...length,
    ...length.map((byte) => byte ^ 0xff),
    ...pixels,
    ...toBytes(computeAdlerChecksum(pixels)),
  ];
  const header = [...toBytes(width), ...toBytes(height), 8, 2, 0, 0, 0];
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...toChunk("IHDR", header),
    ...toChunk("IDAT", zlibBytes),
    ...toChunk("IEND", []),
  ]);
};

const toBytes = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

const toChunk = (name: string, content: readonly number[]): readonly number[] => {
  const seedBytes = [...new TextEncoder().encode(name), ...content];
  return [...toBytes(content.length), ...seedBytes, ...toBytes(computeCrc(Uint8Array.from(seedBytes)))];
};

/** Computes the CRC-32. */
const computeCrc = (bytes: Uint8Array): number => {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
};

const computeAdlerChecksum = (bytes: readonly number[]): number => {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
};
