/** Small pictures of each container, made here, with a place in every part that can hold one. */
import { describe, expect, test } from "bun:test";
import { containerStrippers, isUnstrippable } from "./picture-boxes.ts";

const PLACE = "52.5200N 13.4050E";
const PIXELS = "the pixels of it";
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const join = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? bytes(part) : part)));
const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 255);
const u32 = (value: number): Uint8Array => join(u16(value >>> 16), u16(value & 0xffff));
const textOf = (given: Uint8Array): string => Buffer.from(given).toString("latin1");

const strip = async (type: string, picture: Uint8Array): Promise<string | undefined> => {
  const before = picture.slice();
  const pieces = await containerStrippers[type]?.(picture, async () => {});
  // The pieces may be parts of the given bytes.
  expect(Buffer.compare(before, picture)).toBe(0);
  return pieces === undefined ? undefined : textOf(join(...pieces));
};

const box = (type: string, ...content: readonly (Uint8Array | string)[]): Uint8Array => {
  const body = join(...content);
  return join(u32(body.length + 8), type, body);
};
const fullBox = (type: string, version: number, ...content: readonly (Uint8Array | string)[]): Uint8Array =>
  box(type, u32(version << 24), ...content);

const item = (id: number, type: string): Uint8Array => fullBox("infe", 2, u16(id), u16(0), type, Uint8Array.of(0));

/** A HEIF file with a picture, EXIF data, XMP data and a gap between them in `mdat`. */
const heif = (brand: string, version = 0): Uint8Array => {
  const contents = [PIXELS, `Exif ${PLACE}`, `xmp ${PLACE}`];
  const build = (start: number): Uint8Array => {
    let at = start;
    const places = contents.flatMap((content, nth) => {
      const place = join(
        u16(nth + 1),
        ...(version === 0 ? [] : [u16(0)]),
        u16(0),
        u16(1),
        u32(at),
        u32(content.length),
      );
      at += content.length;
      return place;
    });
    const iloc = fullBox("iloc", version, Uint8Array.of(0x44, 0), u16(3), ...places);
    const iinf = fullBox("iinf", 0, u16(3), item(1, "hvc1"), item(2, "Exif"), item(3, "mime"));
    const iprp = box("iprp", box("ipco", fullBox("irot", 0), fullBox("udes", 0, `taken at ${PLACE}`)));
    const meta = fullBox("meta", 0, iinf, iloc, iprp, box("uuid", PLACE));
    return join(box("ftyp", brand, u32(0)), meta, box("uuid", PLACE), box("mdat", ...contents, `gap ${PLACE}`));
  };
  const start = build(0).length - contents.join("").length - `gap ${PLACE}`.length;
  return build(start);
};

describe.each(["image/heic", "image/avif", "image/heif", "image/heic-sequence", "image/heif-sequence"])(
  "%s",
  (type) => {
    test.each([0, 1])(
      "loses EXIF data, XMP data and unused bytes, and keeps the place of every other byte",
      async (version) => {
        const picture = heif(type === "image/avif" ? "avif" : "heic", version);
        const stripped = await strip(type, picture);
        expect(stripped).not.toContain(PLACE);
        expect(stripped?.length).toBe(picture.length);
        expect(stripped?.indexOf(PIXELS)).toBe(textOf(picture).indexOf(PIXELS));
        expect(stripped).toContain("irot");
        expect(await strip(type, bytes(stripped ?? ""))).toBe(stripped ?? "");
      },
    );

    test("that is damaged is not understood, at whatever byte it is cut", async () => {
      const picture = heif("heic");
      for (let length = 0; length < picture.length; length += 1)
        expect((await strip(type, picture.subarray(0, length))) ?? "").not.toContain(PLACE);
    });
  },
);

test("a file that ends before the long size of a box is not understood", async () => {
  expect(await strip("image/heic", join(box("ftyp", "heic", u32(0)), u32(1), "mdat"))).toBeUndefined();
});

test("the metadata of a picture is removed from data that it shares with tracks", async () => {
  const stripped = await strip(
    "image/heic-sequence",
    join(heif("heic"), box("moov", box("trak", box("tkhd", "track")))),
  );
  for (const kind of ["Exif", "xmp"]) expect(stripped).not.toContain(`${kind} ${PLACE}`);
  expect(stripped).toContain(PIXELS);
});

test("each of two data boxes keeps the picture in it, and loses the rest", async () => {
  const build = (first: number, second: number): Uint8Array => {
    const place = (id: number, at: number): Uint8Array => join(u16(id), u16(0), u16(1), u32(at), u32(PIXELS.length));
    const iloc = fullBox("iloc", 0, Uint8Array.of(0x44, 0), u16(2), place(1, first), place(2, second));
    const meta = fullBox("meta", 0, fullBox("iinf", 0, u16(2), item(1, "hvc1"), item(2, "hvc1")), iloc);
    return join(box("ftyp", "heic", u32(0)), meta, box("mdat", PIXELS, PLACE), box("mdat", PLACE, PIXELS));
  };
  const draft = textOf(build(0, 0));
  const picture = build(draft.indexOf(PIXELS), draft.lastIndexOf(PIXELS));
  expect(await strip("image/heic", picture)).toBe(textOf(picture).replaceAll(PLACE, "\0".repeat(PLACE.length)));
});

test("the metadata of the tracks of a sequence is removed, and their data stays", async () => {
  const moov = box("moov", box("udta", PLACE), box("trak", box("tkhd", "track"), box("udta", PLACE)));
  const moof = box("moof", box("traf", box("tfhd", "head"), box("udta", PLACE)), box("udta", PLACE));
  const picture = join(box("ftyp", "avis", u32(0)), moov, moof, box("mdat", PIXELS), box("free", PLACE));
  const stripped = await strip("image/avif", picture);
  expect(stripped).not.toContain(PLACE);
  expect(stripped).toContain(PIXELS);
  expect(stripped).toContain("tkhdtrack");
  expect(stripped).toContain("tfhdhead");
});

describe("image/gif", () => {
  const header = join("GIF89a", Uint8Array.of(1, 0, 1, 0, 0x80, 0, 0), Uint8Array.of(0, 0, 0, 255, 255, 255));
  const block = (text: string): Uint8Array => join(Uint8Array.of(text.length), text);
  const extension = (label: number, ...blocks: readonly string[]): Uint8Array =>
    join(Uint8Array.of(0x21, label), ...blocks.map(block), Uint8Array.of(0));
  const frame = join(Uint8Array.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2), block("D\x01"), Uint8Array.of(0));
  const control = extension(0xf9, "\x04\x05\x00\x00");
  const repeats = extension(0xff, "NETSCAPE2.0", "\x01\x00\x00");
  const END = Uint8Array.of(0x3b);

  test("keeps its frames and their times, and loses comments, XMP data and what follows it", async () => {
    const secrets = [extension(0xfe, PLACE), extension(0xff, "XMP DataXMP", PLACE), extension(0x01, PLACE)];
    const gif = join(header, repeats, ...secrets, control, frame, secrets[0] ?? "", control, frame, END, PLACE);
    expect(await strip("image/gif", gif)).toBe(textOf(join(header, repeats, control, frame, control, frame, END)));
  });

  test("without metadata stays as it is, in one piece", async () => {
    const gif = join(header, control, frame, END);
    expect(await containerStrippers["image/gif"]?.(gif, async () => {})).toEqual([gif]);
  });

  test("that is cut off is not understood", async () => {
    expect(await strip("image/gif", join(header, frame))).toBeUndefined();
    expect(await strip("image/gif", join(header, Uint8Array.of(0x55)))).toBeUndefined();
  });
});

describe("image/tiff", () => {
  const entry = (tag: number, type: number, count: number, value: number): Uint8Array =>
    join(u16(tag), u16(type), u32(count), u32(value));
  test("keeps its pixels, and loses its place, its camera and its thumbnail", async () => {
    // Header, 4 entries, the pixels, then a maker and a directory with the place.
    const pixels = 8 + 2 + 48 + 4;
    const maker = pixels + PIXELS.length;
    const entries = [entry(271, 2, PLACE.length, maker), entry(273, 4, 1, pixels), entry(279, 4, 1, PIXELS.length)];
    const directory = join(u16(4), ...entries, entry(0x8825, 4, 1, maker), u32(0));
    const stripped = await strip("image/tiff", join("MM\0*", u32(8), directory, PIXELS, PLACE));
    expect(stripped).not.toContain(PLACE);
    expect(stripped?.indexOf(PIXELS)).toBe(pixels);
    const left = join(u16(2), entries[1] ?? "", entries[2] ?? "", u32(0));
    expect(stripped?.slice(8, 8 + left.length)).toBe(textOf(left));
  });

  test("whose directories form a circle is not understood", async () => {
    expect(await strip("image/tiff", join("MM\0*", u32(8), u16(0), u32(8)))).toBeUndefined();
  });
});

test("JPEG XL loses the boxes that are no picture", async () => {
  const start = join(box("JXL ", "\r\n\x87\n"), box("ftyp", "jxl "));
  const picture = join(start, box("Exif", PLACE), box("xml ", PLACE), box("jxlc", PIXELS), box("jbrd", PLACE));
  expect(await strip("image/jxl", picture)).toBe(textOf(join(start, box("jxlc", PIXELS))));
  expect(await strip("image/jxl", join(Uint8Array.of(0xff, 0x0a), PIXELS))).toContain(PIXELS);
});

test("types of cameras and of programs with metadata are known as such", () => {
  expect(["image/x-canon-cr2", "image/jp2", "image/vnd.adobe.photoshop"].every(isUnstrippable)).toBe(true);
  expect(["image/bmp", "image/png", "image/vnd.dwg"].some(isUnstrippable)).toBe(false);
});
