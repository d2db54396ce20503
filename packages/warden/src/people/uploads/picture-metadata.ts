/**
 * Removes metadata from pictures: location, camera, owner, edits, thumbnails, and all bytes after
 * the picture. The pixels stay, byte for byte. Only the parts on a list, which are needed to show
 * the picture, are kept. The orientation is written again, because without it many photos would lie
 * on their side.
 */

/** Resolves after other work has run. Called every few milliseconds, because pictures are large. */
export type Turn = () => Promise<void>;

/**
 * Returns the pieces of the picture without metadata, in order. Returns undefined if the file is
 * not of this type or is damaged. The file then stays as it is.
 */
export type StripMetadata = (picture: Uint8Array, turn: Turn) => Promise<readonly Uint8Array[] | undefined>;

/** The types whose metadata is removed. `picture-boxes.ts` has those of other containers. */
export const strippers: Readonly<Record<string, StripMetadata>> = {
  "image/jpeg": (picture, turn) => stripJpeg(picture, turn),
  "image/png": (picture, turn) => stripPng(picture, turn),
  "image/apng": (picture, turn) => stripPng(picture, turn),
  "image/webp": (picture, turn) => stripWebp(picture, turn),
};

/** Number of bytes, and of pieces, between two turns. */
const TURN_BYTES = 1024 * 1024;
const TURN_PIECES = 20_000;
/** Maximum number of pieces: more than any program writes. */
const MAX_PIECES = 100_000;

/** Collects pieces of a picture. Adjacent ones are joined without copying. */
const createPieces = (picture: Uint8Array) => {
  const pieces: Uint8Array[] = [];
  let from = 0;
  let to = 0;
  const close = (): void => {
    if (to > from) pieces.push(picture.subarray(from, to));
    from = to;
  };
  return {
    keep(start: number, end: number): void {
      if (start !== to) {
        close();
        from = start;
      }
      to = end;
    },
    add(bytes: Uint8Array): void {
      close();
      pieces.push(bytes);
    },
    isFull: () => pieces.length >= MAX_PIECES,
    list(): readonly Uint8Array[] {
      close();
      return pieces;
    },
  };
};

const [START, END, SCAN, EXIF, COLOR, ADOBE, JFIF] = [0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xee, 0xe0];
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

const stripJpeg: StripMetadata = async (picture, turn) => {
  if (picture[0] !== 0xff || picture[1] !== START) return undefined;
  const orientation = readJpegOrientation(picture);
  const pieces = createPieces(picture);
  pieces.keep(0, 2);
  if (orientation !== undefined) pieces.add(toJpegOrientation(orientation));
  for (let offset = 2, count = 1; !pieces.isFull(); count += 1) {
    if (count % TURN_PIECES === 0) await turn();
    const segment = readSegment(picture, offset);
    if (segment === undefined) return undefined;
    const { marker, start, end } = segment;
    if (marker === END) {
      pieces.keep(start, end);
      return pieces.list();
    }
    if (keepsSegment(marker, picture.subarray(start, end))) pieces.keep(start, end);
    offset = end;
    if (marker !== SCAN) continue;
    const scanEnd = await endOfScan(picture, offset, turn);
    if (scanEnd === undefined) {
      // The file is cut off: the rest is a part of the pixels.
      pieces.keep(offset, picture.length);
      return pieces.list();
    }
    pieces.keep(offset, scanEnd);
    offset = scanEnd;
  }
  return undefined;
};

/**
 * Returns the segment at this place, or undefined if no segment begins there or it reaches beyond
 * the picture.
 */
const readSegment = (
  picture: Uint8Array,
  from: number,
): { readonly marker: number; readonly start: number; readonly end: number } | undefined => {
  let start = from;
  // Any number of 0xFF may precede a marker.
  while (picture[start] === 0xff && picture[start + 1] === 0xff) start += 1;
  const marker = picture[start + 1];
  if (picture[start] !== 0xff || marker === undefined || marker === 0) return undefined;
  if (marker === END) return { marker, start, end: start + 2 };
  const end = start + 2 + readUint16(picture, start + 2);
  return end > picture.length || end < start + 4 ? undefined : { marker, start, end };
};

/** Returns the orientation from the first EXIF data before the pixels. */
const readJpegOrientation = (picture: Uint8Array): number | undefined => {
  for (let offset = 2; ;) {
    const segment = readSegment(picture, offset);
    if (segment === undefined || segment.marker === END || segment.marker === SCAN) return undefined;
    const { marker, start, end } = segment;
    if (marker === EXIF && beginsWith(picture, start + 4, "Exif\0\0"))
      return readOrientation(picture.subarray(start + 10, end));
    offset = end;
  }
};

/** Keeps application segments only if they say how to show the pixels. Drops comments. */
const keepsSegment = (marker: number, segment: Uint8Array): boolean => {
  if (marker === JFIF) return beginsWith(segment, 4, "JFIF\0");
  if (marker === COLOR) return beginsWith(segment, 4, "ICC_PROFILE\0");
  if (marker === ADOBE) return beginsWith(segment, 4, "Adobe");
  return !(marker >= 0xe0 && marker <= 0xef) && marker !== 0xfe;
};

/** Returns the place of the marker that follows compressed data. */
const endOfScan = async (picture: Uint8Array, from: number, turn: Turn): Promise<number | undefined> => {
  let lastTurn = from;
  for (let offset = picture.indexOf(0xff, from); offset >= 0; offset = picture.indexOf(0xff, offset + 1)) {
    const nextByte = picture[offset + 1];
    if (nextByte === undefined) return undefined;
    if (nextByte !== 0 && nextByte !== 0xff && !isRestart(nextByte)) return offset;
    if (offset - lastTurn < TURN_BYTES) continue;
    lastTurn = offset;
    await turn();
  }
  return undefined;
};

const PNG = "\x89PNG\r\n\x1a\n";
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI"],
  ...["bKGD", "pHYs", "hIST", "sPLT", "acTL", "fcTL", "fdAT"],
]);

const stripPng: StripMetadata = async (picture, turn) => {
  if (!beginsWith(picture, 0, PNG)) return undefined;
  const pieces = createPieces(picture);
  pieces.keep(0, PNG.length);
  for (let offset = PNG.length, count = 1; offset + 12 <= picture.length && !pieces.isFull(); count += 1) {
    if (count % TURN_PIECES === 0) await turn();
    const end = offset + 12 + readUint32(picture, offset);
    if (end > picture.length) return undefined;
    const name = readName(picture, offset + 4);
    if (PNG_CHUNKS.has(name)) pieces.keep(offset, end);
    if (name === "IEND") return pieces.list();
    offset = end;
  }
  return undefined;
};

const WEBP_CHUNKS: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** The flags of `VP8X` that announce metadata. */
const [EXIF_FLAG, XMP_FLAG] = [0x08, 0x04];

const stripWebp: StripMetadata = async (picture, turn) => {
  if (!beginsWith(picture, 0, "RIFF") || !beginsWith(picture, 8, "WEBP")) return undefined;
  const size = readUint32(picture, 4, true) + 8;
  if (size > picture.length) return undefined;
  const header = picture.slice(0, 12);
  const pieces = createPieces(picture);
  pieces.add(header);
  let flags: Uint8Array | undefined;
  let orientation: number | undefined;
  for (let offset = 12, count = 1; offset + 8 <= size; count += 1) {
    if (count % TURN_PIECES === 0) await turn();
    const length = readUint32(picture, offset + 4, true);
    if (offset + 8 + length > size || pieces.isFull()) return undefined;
    // Chunks have an even length; the added byte does not count.
    const end = Math.min(offset + 8 + length + (length & 1), size);
    const name = readName(picture, offset);
    if (name === "EXIF")
      orientation ??= readOrientation(
        picture.subarray(offset + (beginsWith(picture, offset + 8, "Exif\0\0") ? 14 : 8), end),
      );
    if (name === "VP8X") {
      flags = picture.slice(offset, end);
      flags[8] = (flags[8] ?? 0) & ~EXIF_FLAG & ~XMP_FLAG;
      pieces.add(flags);
    } else if (WEBP_CHUNKS.has(name)) pieces.keep(offset, end);
    offset = end;
  }
  if (orientation !== undefined && flags !== undefined) {
    flags[8] = (flags[8] ?? 0) | EXIF_FLAG;
    pieces.add(toWebpOrientation(orientation));
  }
  const strippedPieces = pieces.list();
  const totalBytes = strippedPieces.reduce((sum, piece) => sum + piece.length, 0);
  new DataView(header.buffer).setUint32(4, totalBytes - 8, true);
  return strippedPieces;
};

/** Returns the orientation from TIFF data, or undefined if it is absent or the usual one. */
const readOrientation = (tiff: Uint8Array): number | undefined => {
  const isLittle = beginsWith(tiff, 0, "II*\0");
  if (!isLittle && !beginsWith(tiff, 0, "MM\0*")) return undefined;
  const directory = readUint32(tiff, 4, isLittle);
  const count = readUint16(tiff, directory, isLittle);
  for (let entryIndex = 0; entryIndex < Math.min(count, 512); entryIndex += 1) {
    const entry = directory + 2 + entryIndex * 12;
    if (readUint16(tiff, entry, isLittle) !== ORIENTATION) continue;
    const value = readUint16(tiff, entry + 8, isLittle);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
};

const ORIENTATION = 0x0112;

/** Returns TIFF data that contains only the orientation. */
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

const beginsWith = (bytes: Uint8Array, offset: number, text: string): boolean => {
  for (let index = 0; index < text.length; index += 1)
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  return true;
};

const readName = (bytes: Uint8Array, offset: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));

/** Bytes beyond the end count as 0. */
const readUint16 = (bytes: Uint8Array, offset: number, isLittle = false): number => {
  const [firstByte = 0, secondByte = 0] = [bytes[offset], bytes[offset + 1]];
  return isLittle ? firstByte | (secondByte << 8) : (firstByte << 8) | secondByte;
};

const readUint32 = (bytes: Uint8Array, offset: number, isLittle = false): number => {
  const [firstHalf, secondHalf] = [readUint16(bytes, offset, isLittle), readUint16(bytes, offset + 2, isLittle)];
  return isLittle ? secondHalf * 0x10000 + firstHalf : firstHalf * 0x10000 + secondHalf;
};
