/**
 * Removes metadata from pictures: location, camera, owner, edits, thumbnails, and whatever follows
 * the picture. The pixels stay, byte for byte. Parts that are needed to show the picture are kept by
 * name; everything else is dropped. The orientation is written again, because without it many
 * photos would lie on their side.
 */

/** The picture without metadata. Undefined: it is not of this type, or it is damaged, and stays. */
export type StripMetadata = (picture: Uint8Array) => Uint8Array | undefined;

/** The types whose metadata is removed. */
export const strippers: Readonly<Record<string, StripMetadata>> = {
  "image/jpeg": (picture) => stripJpeg(picture),
  "image/png": (picture) => stripPng(picture),
  "image/apng": (picture) => stripPng(picture),
  "image/webp": (picture) => stripWebp(picture),
};

const [START, END, SCAN, EXIF, COLOR, ADOBE, JFIF] = [0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xee, 0xe0];
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

const stripJpeg = (picture: Uint8Array): Uint8Array | undefined => {
  if (picture[0] !== 0xff || picture[1] !== START) return undefined;
  const kept: Uint8Array[] = [picture.subarray(0, 2)];
  let orientation: number | undefined;
  for (let at = 2; ;) {
    // Any number of 0xFF may precede a marker.
    while (picture[at] === 0xff && picture[at + 1] === 0xff) at += 1;
    const marker = picture[at + 1];
    if (picture[at] !== 0xff || marker === undefined || marker === 0) return undefined;
    if (marker === END) {
      kept.push(picture.subarray(at, at + 2));
      return joinWith(kept, orientation === undefined ? undefined : [1, toJpegOrientation(orientation)]);
    }
    const end = at + 2 + readUint16(picture, at + 2);
    if (end > picture.length || end < at + 4) return undefined;
    const segment = picture.subarray(at, end);
    if (marker === EXIF && beginsWith(segment, 4, "Exif\0\0")) orientation ??= readOrientation(segment.subarray(10));
    if (keepsSegment(marker, segment)) kept.push(segment);
    at = end;
    if (marker === SCAN) {
      const next = endOfScan(picture, at);
      if (next === undefined) return undefined;
      kept.push(picture.subarray(at, next));
      at = next;
    }
  }
};

/** Keeps application segments only if they say how to show the pixels. Drops comments. */
const keepsSegment = (marker: number, segment: Uint8Array): boolean => {
  if (marker === JFIF) return beginsWith(segment, 4, "JFIF\0");
  if (marker === COLOR) return beginsWith(segment, 4, "ICC_PROFILE\0");
  if (marker === ADOBE) return beginsWith(segment, 4, "Adobe");
  return !(marker >= 0xe0 && marker <= 0xef) && marker !== 0xfe;
};

/** The place of the marker that follows compressed data. */
const endOfScan = (picture: Uint8Array, from: number): number | undefined => {
  for (let at = picture.indexOf(0xff, from); at >= 0; at = picture.indexOf(0xff, at + 1)) {
    const next = picture[at + 1];
    if (next === undefined) return undefined;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return undefined;
};

const PNG = "\x89PNG\r\n\x1a\n";
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI"],
  ...["bKGD", "pHYs", "hIST", "sPLT", "acTL", "fcTL", "fdAT"],
]);

const stripPng = (picture: Uint8Array): Uint8Array | undefined => {
  if (!beginsWith(picture, 0, PNG)) return undefined;
  const kept: Uint8Array[] = [picture.subarray(0, PNG.length)];
  for (let at = PNG.length; at + 12 <= picture.length;) {
    const end = at + 12 + readUint32(picture, at);
    if (end > picture.length) return undefined;
    const name = readName(picture, at + 4);
    if (PNG_CHUNKS.has(name)) kept.push(picture.subarray(at, end));
    if (name === "IEND") return joinWith(kept);
    at = end;
  }
  return undefined;
};

const WEBP_CHUNKS: ReadonlySet<string> = new Set(["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** The flags of `VP8X` that announce metadata. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

const stripWebp = (picture: Uint8Array): Uint8Array | undefined => {
  if (!beginsWith(picture, 0, "RIFF") || !beginsWith(picture, 8, "WEBP")) return undefined;
  const size = readUint32(picture, 4, true) + 8;
  if (size > picture.length) return undefined;
  const header = picture.slice(0, 12);
  const kept: Uint8Array[] = [header];
  let orientation: number | undefined;
  for (let at = 12; at + 8 <= size;) {
    const length = readUint32(picture, at + 4, true);
    // Chunks have an even length; the added byte does not count.
    const end = at + 8 + length + (length & 1);
    if (at + 8 + length > size) return undefined;
    const name = readName(picture, at);
    const chunk = picture.slice(at, end);
    if (name === "EXIF") orientation ??= readOrientation(chunk.subarray(beginsWith(chunk, 8, "Exif\0\0") ? 14 : 8));
    if (name === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~HAS_EXIF & ~HAS_XMP;
    if (WEBP_CHUNKS.has(name)) kept.push(chunk);
    at = end;
  }
  const flags = kept.find((chunk) => beginsWith(chunk, 0, "VP8X"));
  if (orientation !== undefined && flags !== undefined) {
    flags[8] = (flags[8] ?? 0) | HAS_EXIF;
    kept.push(toWebpOrientation(orientation));
  }
  const joined = joinWith(kept);
  new DataView(joined.buffer).setUint32(4, joined.length - 8, true);
  return joined;
};

/** The tag of the orientation in TIFF data. Undefined: absent, or the usual one. */
const readOrientation = (tiff: Uint8Array): number | undefined => {
  const isLittle = beginsWith(tiff, 0, "II*\0");
  if (!isLittle && !beginsWith(tiff, 0, "MM\0*")) return undefined;
  const directory = readUint32(tiff, 4, isLittle);
  const count = readUint16(tiff, directory, isLittle);
  for (let nth = 0; nth < Math.min(count, 512); nth += 1) {
    const entry = directory + 2 + nth * 12;
    if (readUint16(tiff, entry, isLittle) !== ORIENTATION) continue;
    const value = readUint16(tiff, entry + 8, isLittle);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
};

const ORIENTATION = 0x0112;

/** TIFF data with nothing but the orientation. */
const toTiff = (orientation: number): readonly number[] => [
  ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
  // One entry: the tag, a 16-bit number, one of them, the value. No further directory.
  ...[0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
  ...[0, 0, 0, 0],
];

const EXIF_HEADER = [0x45, 0x78, 0x69, 0x66, 0, 0] as const;

const toJpegOrientation = (orientation: number): Uint8Array => {
  const content = [...EXIF_HEADER, ...toTiff(orientation)];
  return Uint8Array.of(0xff, EXIF, 0, content.length + 2, ...content);
};

const toWebpOrientation = (orientation: number): Uint8Array => {
  const content = toTiff(orientation);
  return Uint8Array.of(0x45, 0x58, 0x49, 0x46, content.length, 0, 0, 0, ...content);
};

/** Joins the parts, with another one inserted at a place among them. */
const joinWith = (
  parts: readonly Uint8Array[],
  inserted?: readonly [place: number, part: Uint8Array],
): Uint8Array<ArrayBuffer> => {
  const all = inserted === undefined ? parts : parts.toSpliced(inserted[0], 0, inserted[1]);
  const whole = new Uint8Array(all.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const beginsWith = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
};

const readName = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** Bytes beyond the end count as 0. */
const readUint16 = (bytes: Uint8Array, at: number, isLittle = false): number => {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  return isLittle ? first | (second << 8) : (first << 8) | second;
};

const readUint32 = (bytes: Uint8Array, at: number, isLittle = false): number => {
  const [first, second] = [readUint16(bytes, at, isLittle), readUint16(bytes, at + 2, isLittle)];
  return isLittle ? second * 0x10000 + first : first * 0x10000 + second;
};
