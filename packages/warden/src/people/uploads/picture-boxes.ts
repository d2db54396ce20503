/**
 * Removes metadata from pictures of other containers than `picture-metadata.ts`: HEIC and AVIF, GIF,
 * TIFF and JPEG XL. In HEIC, AVIF and TIFF, parts refer to others by their place, so these bytes become zero and all
 * others keep their place.
 */
import type { StripMetadata } from "./picture-metadata.ts";

/** Bytes from `start` up to, not including, `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of parts. No program writes so many. */
const MAX_PARTS = 100_000;
const MAX_DEPTH = 8;

/** Thrown for a file that is damaged, or has more parts than allowed. */
class DamagedPicture extends Error {}
const fail = (): never => {
  throw new DamagedPicture();
};

/** Returns undefined for a damaged file. */
const refusingDamage =
  (strip: (picture: Uint8Array) => readonly Uint8Array[]): StripMetadata =>
  async (picture, turn) => {
    await turn();
    try {
      return strip(picture);
    } catch (error) {
      if (error instanceof DamagedPicture || error instanceof RangeError) return undefined;
      throw error;
    }
  };

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const nameAt = (bytes: Uint8Array, offset: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));

interface Box extends Span {
  readonly type: string;
  /** Offset of its content. */
  readonly body: number;
}

/** Returns the boxes of a container, in order. */
const boxesIn = (bytes: Uint8Array, start: number, end: number): readonly Box[] => {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let offset = start; offset < end;) {
    if (offset + 8 > end || boxes.length > MAX_PARTS) fail();
    const shortSize = view.getUint32(offset);
    const isLong = shortSize === 1;
    const size = isLong ? Number(view.getBigUint64(offset + 8)) : shortSize === 0 ? end - offset : shortSize;
    if (size < (isLong ? 16 : 8) || offset + size > end) fail();
    boxes.push({
      type: nameAt(bytes, offset + 4),
      start: offset,
      body: offset + (isLong ? 16 : 8),
      end: offset + size,
    });
    offset += size;
  }
  return boxes;
};

/** Items with EXIF data, XMP data, and addresses. All other types are picture data. */
const METADATA_ITEMS: ReadonlySet<string> = new Set(["Exif", "mime", "uri "]);
/** Properties with text, times or the place of the camera. */
const METADATA_PROPERTIES: ReadonlySet<string> = new Set(["udes", "altt", "crtt", "mdft", "cmin", "cmex", "uuid"]);
const KEPT_BOXES: ReadonlySet<string> = new Set(["ftyp", "meta", "mdat", "moov", "moof", "styp", "sidx"]);
/** Containers of the tracks of a sequence. */
const TRACK_BOXES: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf"]);
const TRACK_METADATA: ReadonlySet<string> = new Set(["udta", "meta", "uuid", "free", "skip"]);

const stripBoxes = (picture: Uint8Array): readonly Uint8Array[] => {
  const changes = createChanges(picture);
  const top = boxesIn(picture, 0, picture.length);
  if (top[0]?.type !== "ftyp") fail();
  for (const box of top) if (!KEPT_BOXES.has(box.type)) changes.blank(box);
  const hasTracks = top.some(({ type }) => type === "moov" || type === "moof");
  for (const box of top) if (TRACK_BOXES.has(box.type)) stripTracks(picture, box, changes, 0);
  const keptSpans: Span[] = [];
  for (const meta of top.filter(({ type }) => type === "meta"))
    for (const span of stripItems(picture, meta, changes)) keptSpans.push(span);
  // Zeroes the data of no picture item. Skipped with tracks of a sequence, which also have data there.
  if (!hasTracks) for (const box of top) if (box.type === "mdat") changes.zeroExcept(box.body, box.end, keptSpans);
  return changes.list();
};

const stripTracks = (picture: Uint8Array, { body, end }: Box, changes: Changes, depth: number): void => {
  if (depth > MAX_DEPTH) fail();
  for (const box of boxesIn(picture, body, end)) {
    if (TRACK_METADATA.has(box.type)) changes.blank(box);
    else if (TRACK_BOXES.has(box.type)) stripTracks(picture, box, changes, depth + 1);
  }
};

/** Zeroes the metadata of a `meta` box. Returns the places of the picture items. */
const stripItems = (picture: Uint8Array, meta: Box, changes: Changes): readonly Span[] => {
  const boxes = boxesIn(picture, meta.body + 4, meta.end);
  const find = (type: string): Box | undefined => boxes.find((box) => box.type === type);
  const types = typesOfItems(picture, find("iinf"));
  const idat = find("idat");
  const items = placesOfItems(picture, find("iloc"), idat?.body);
  const isKept = (id: number): boolean => types.has(id) && !METADATA_ITEMS.has(types.get(id) ?? "");
  const keptSpans = items.filter(({ id }) => isKept(id)).flatMap(({ spans }) => spans);
  for (const { id, spans } of items) if (!isKept(id)) for (const span of spans) changes.zero(span);
  if (idat !== undefined) changes.zeroExcept(idat.body, idat.end, keptSpans);
  const properties = find("iprp");
  if (properties !== undefined)
    for (const container of boxesIn(picture, properties.body, properties.end))
      if (container.type === "ipco")
        for (const property of boxesIn(picture, container.body, container.end))
          if (METADATA_PROPERTIES.has(property.type)) changes.blank(property);
  for (const box of boxes) if (box.type === "uuid" || box.type === "free" || box.type === "skip") changes.blank(box);
  return keptSpans;
};

const typesOfItems = (picture: Uint8Array, iinf: Box | undefined): ReadonlyMap<number, string> => {
  const types = new Map<number, string>();
  if (iinf === undefined) return types;
  const view = viewOf(picture);
  const entriesStart = iinf.body + (picture[iinf.body] === 0 ? 6 : 8);
  for (const { type, body } of boxesIn(picture, entriesStart, iinf.end)) {
    if (type !== "infe") continue;
    const version = picture[body];
    if (version === 2) types.set(view.getUint16(body + 4), nameAt(picture, body + 8));
    else if (version === 3) types.set(view.getUint32(body + 4), nameAt(picture, body + 10));
    else fail();
  }
  return types;
};

interface PlacedItem {
  readonly id: number;
  readonly spans: readonly Span[];
}

const placesOfItems = (picture: Uint8Array, iloc: Box | undefined, idat: number | undefined): readonly PlacedItem[] => {
  if (iloc === undefined) return [];
  const view = viewOf(picture);
  const version = picture[iloc.body] ?? fail();
  let offset = iloc.body + 4;
  const readNumber = (bytes: number): number => {
    if (offset + bytes > iloc.end) fail();
    const start = offset;
    offset += bytes;
    if (bytes === 0) return 0;
    if (bytes === 2) return view.getUint16(start);
    if (bytes === 4) return view.getUint32(start);
    return bytes === 8 ? Number(view.getBigUint64(start)) : fail();
  };
  const [sizes, baseAndIndexSizes] = [picture[offset++] ?? fail(), picture[offset++] ?? fail()];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, baseAndIndexSizes >> 4];
  const indexBytes = version === 0 ? 0 : baseAndIndexSizes & 15;
  const count = readNumber(version < 2 ? 2 : 4);
  if (count > MAX_PARTS) fail();
  const items: PlacedItem[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = readNumber(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : readNumber(2) & 15;
    readNumber(2);
    const base = readNumber(baseBytes);
    const origin = method === 0 ? 0 : method === 1 ? (idat ?? fail()) : undefined;
    const spans: Span[] = [];
    for (let remaining = readNumber(2); remaining > 0; remaining -= 1) {
      readNumber(indexBytes);
      const start = base + readNumber(offsetBytes) + (origin ?? 0);
      const length = readNumber(lengthBytes);
      const end = length === 0 ? picture.length : start + length;
      if (end > picture.length) fail();
      // Data made of other items has no place.
      if (origin !== undefined) spans.push({ start, end });
    }
    items.push({ id, spans });
  }
  return items;
};

interface Changes {
  /** Makes the bytes zero. */
  zero(span: Span): void;
  /** Makes the bytes of a range zero, but not those of the spans. */
  zeroExcept(start: number, end: number, keptSpans: readonly Span[]): void;
  /** Turns a box into a free box without content, which readers skip. */
  blank(box: Box): void;
  set(offset: number, bytes: Uint8Array): void;
  /** Returns the pieces of the changed file. Without changes, this is the file itself. */
  list(): readonly Uint8Array[];
}

const FREE = Uint8Array.from("free", (char) => char.charCodeAt(0));

interface Patch extends Span {
  /** Absent: zeros. */
  readonly bytes?: Uint8Array;
}

/** Collects changes of a file that keep its size. The file itself is not changed. */
const createChanges = (picture: Uint8Array): Changes => {
  const patches: Patch[] = [];
  const add = (patch: Patch): void => {
    if (patches.length > MAX_PARTS) fail();
    if (patch.end > patch.start) patches.push(patch);
  };
  const set = (offset: number, bytes: Uint8Array): void => add({ start: offset, end: offset + bytes.length, bytes });
  return {
    set,
    zero: ({ start, end }) => add({ start, end }),
    zeroExcept(start, end, keptSpans) {
      let from = start;
      for (const span of keptSpans.toSorted((a, b) => a.start - b.start)) {
        if (span.end <= from || span.start >= end) continue;
        add({ start: from, end: Math.max(from, span.start) });
        from = span.end;
      }
      if (from < end) add({ start: from, end });
    },
    blank(box) {
      set(box.start + 4, FREE);
      add({ start: box.body, end: box.end });
    },
    list() {
      const pieces: Uint8Array[] = [];
      let offset = 0;
      for (const { start, end, bytes } of patches.toSorted((a, b) => a.start - b.start)) {
        // A patch inside an earlier one: the earlier one is a part of metadata and wins.
        const from = Math.max(start, offset);
        if (end <= from) continue;
        if (from > offset) pieces.push(picture.subarray(offset, from));
        pieces.push(bytes === undefined ? new Uint8Array(end - from) : bytes.subarray(from - start));
        offset = end;
      }
      if (offset < picture.length) pieces.push(picture.subarray(offset));
      return pieces;
    },
  };
};

const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;
const GIF_END = 0x3b;
/** Graphics control. */
const GIF_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;
/** Repetitions of an animation, and colours. All other extensions are text. */
const GIF_APPLICATIONS: ReadonlySet<string> = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

const stripGif = (picture: Uint8Array): readonly Uint8Array[] => {
  if (nameAt(picture, 0) !== "GIF8" || picture.length < 14) fail();
  const pieces: Uint8Array[] = [];
  let from = 0;
  let to = 13 + sizeOfTable(picture[10] ?? 0);
  const keep = (start: number, end: number): void => {
    if (pieces.length > MAX_PARTS) fail();
    if (start !== to) {
      pieces.push(picture.subarray(from, to));
      from = start;
    }
    to = end;
  };
  for (let offset = to; ;) {
    const kind = picture[offset] ?? fail();
    if (kind === GIF_END) {
      keep(offset, offset + 1);
      pieces.push(picture.subarray(from, to));
      return pieces;
    }
    if (kind === GIF_IMAGE) {
      // The descriptor, its colours, and the smallest size of a code.
      const end = endOfBlocks(picture, offset + 11 + sizeOfTable(picture[offset + 9] ?? 0));
      keep(offset, end);
      offset = end;
    } else if (kind === GIF_EXTENSION) {
      const end = endOfBlocks(picture, offset + 2);
      if (keepsExtension(picture, offset)) keep(offset, end);
      offset = end;
    } else fail();
  }
};

/** Returns the size of the table of colours that these flags announce. */
const sizeOfTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

const endOfBlocks = (picture: Uint8Array, from: number): number => {
  for (let offset = from; ;) {
    const size = picture[offset] ?? fail();
    offset += size + 1;
    if (size === 0) return offset;
  }
};

const keepsExtension = (picture: Uint8Array, offset: number): boolean => {
  const label = picture[offset + 1];
  if (label !== GIF_APPLICATION) return label === GIF_CONTROL;
  return GIF_APPLICATIONS.has(String.fromCharCode(...picture.subarray(offset + 3, offset + 14)));
};

/** The boxes of JPEG XL that hold the picture. A picture without a container has no metadata. */
const JXL_BOXES: ReadonlySet<string> = new Set(["JXL ", "ftyp", "jxll", "jxlc", "jxlp"]);

const stripJxl = (picture: Uint8Array): readonly Uint8Array[] =>
  picture[0] === 0xff
    ? [picture]
    : boxesIn(picture, 0, picture.length)
        .filter(({ type }) => JXL_BOXES.has(type))
        .map(({ start, end }) => picture.subarray(start, end));

/** Tags of TIFF that describe the pixels and their colours. */
const TIFF_TAGS: ReadonlySet<number> = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 290, 291, 292],
  ...[293, 296, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 347, 529, 530],
  ...[531, 532, 34675],
]);
/** Tags with the places and the sizes of the pixels. */
const TIFF_DATA = [
  [273, 279],
  [324, 325],
] as const;
const TIFF_TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const MAX_DIRECTORIES = 1000;

const stripTiff = (picture: Uint8Array): readonly Uint8Array[] => {
  const isLittle = nameAt(picture, 0) === "II*\0";
  if (!isLittle && nameAt(picture, 0) !== "MM\0*") fail();
  const view = viewOf(picture);
  const readShort = (offset: number): number => view.getUint16(offset, isLittle);
  const readLong = (offset: number): number => view.getUint32(offset, isLittle);
  const changes = createChanges(picture);
  const keptSpans: Span[] = [{ start: 0, end: 8 }];
  const keep = (start: number, length: number): void => {
    if (start + length > picture.length || keptSpans.length > MAX_PARTS) fail();
    keptSpans.push({ start, end: start + length });
  };
  let count = 0;
  for (let directory = readLong(4); directory !== 0; count += 1) {
    if (count > MAX_DIRECTORIES) fail();
    const entries = readShort(directory);
    const end = directory + 2 + entries * 12;
    const keptEntries: Uint8Array[] = [];
    const values = new Map<number, readonly number[]>();
    for (let offset = directory + 2; offset < end; offset += 12) {
      const [tag, type, length] = [readShort(offset), readShort(offset + 2), readLong(offset + 4)];
      if (!TIFF_TAGS.has(tag)) continue;
      const bytes = length * (TIFF_TYPE_BYTES[type] ?? fail());
      const valueStart = bytes <= 4 ? offset + 8 : readLong(offset + 8);
      if (bytes > 4) keep(valueStart, bytes);
      if (TIFF_DATA.some((pair) => pair.some((dataTag) => dataTag === tag)))
        values.set(
          tag,
          Array.from({ length: Math.min(length, MAX_PARTS) }, (_, index) =>
            type === 3 ? readShort(valueStart + index * 2) : readLong(valueStart + index * 4),
          ),
        );
      keptEntries.push(picture.subarray(offset, offset + 12));
    }
    for (const [starts, lengths] of TIFF_DATA)
      for (const [index, start] of (values.get(starts) ?? []).entries())
        keep(start, values.get(lengths)?.[index] ?? fail());
    changes.set(directory, joinDirectory(keptEntries, entries, picture.subarray(end, end + 4), isLittle));
    keep(directory, end + 4 - directory);
    directory = readLong(end);
  }
  if (count === 0) fail();
  changes.zeroExcept(0, picture.length, keptSpans);
  return changes.list();
};

/** Returns a directory with these entries, as long as the old one, which had `oldCount` entries. */
const joinDirectory = (
  entries: readonly Uint8Array[],
  oldCount: number,
  nextOffset: Uint8Array,
  isLittle: boolean,
): Uint8Array => {
  const bytes = new Uint8Array(2 + oldCount * 12 + 4);
  new DataView(bytes.buffer).setUint16(0, entries.length, isLittle);
  for (const [index, entry] of entries.entries()) bytes.set(entry, 2 + index * 12);
  bytes.set(nextOffset, 2 + entries.length * 12);
  return bytes;
};

const stripContainer = refusingDamage(stripBoxes);

export const containerStrippers: Readonly<Record<string, StripMetadata>> = {
  "image/avif": stripContainer,
  "image/heic": stripContainer,
  "image/heic-sequence": stripContainer,
  "image/heif": stripContainer,
  "image/heif-sequence": stripContainer,
  "image/gif": refusingDamage(stripGif),
  "image/jxl": refusingDamage(stripJxl),
  "image/tiff": refusingDamage(stripTiff),
};

/** Types of pictures that may contain a place or a camera, which the house cannot remove. */
const UNSTRIPPABLE =
  /^image\/(?:x-(?:canon|nikon|sony|adobe|panasonic|fujifilm|olympus)-.*|vnd\.adobe\.photoshop|jp2|jpx|jpm|jxr|vnd\.ms-photo|bpg)$/;

export const isUnstrippable = (type: string): boolean => UNSTRIPPABLE.test(type);
