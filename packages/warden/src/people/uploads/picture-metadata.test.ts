import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { strippers } from "./picture-metadata.ts";

const SECRET = "52.5200 N, 13.4050 E";
const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("latin1");
const strip = async (type: string, bytes: readonly number[]): Promise<Uint8Array | undefined> => {
  const pieces = await strippers[type]?.(Uint8Array.from(bytes), async () => {});
  return pieces === undefined ? undefined : new Uint8Array(Buffer.concat([...pieces]));
};

/** TIFF data with an orientation and a text. */
const tiff = (orientation: number, isLittle = false): number[] => {
  const two = (value: number): number[] => (isLittle ? [value, 0] : [0, value]);
  const tag = isLittle ? [0x12, 0x01] : [0x01, 0x12];
  const head = isLittle ? [...ascii("II"), 42, 0, 8, 0, 0, 0] : [...ascii("MM"), 0, 42, 0, 0, 0, 8];
  const count = isLittle ? [1, 0, 0, 0] : [0, 0, 0, 1];
  return [...head, ...two(1), ...tag, ...two(3), ...count, ...two(orientation), 0, 0, 0, 0, 0, 0, ...ascii(SECRET)];
};

/** How often the stripper lets other work run, and its result. */
const countTurns = async (type: string, bytes: Uint8Array) => {
  let turns = 0;
  const pieces = await strippers[type]?.(bytes, async () => void (turns += 1));
  return { turns, sizeBytes: pieces?.reduce((sum, { length }) => sum + length, 0) };
};

describe("a JPEG", () => {
  const segment = (marker: number, content: readonly number[]): number[] => [
    ...[0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255],
    ...content,
  ];
  const exif = (orientation: number, isLittle = false): number[] =>
    segment(0xe1, [...ascii("Exif\0\0"), ...tiff(orientation, isLittle)]);
  const picture = [
    ...segment(0xe2, [...ascii("ICC_PROFILE\0"), 1, 2, 3]),
    ...segment(0xee, ascii("Adobe\0")),
    ...segment(0xdb, [0, 1, 2, 3]),
    ...segment(0xc2, [8, 0, 1, 0, 1]),
    // Two scans with a stuffed byte, a restart marker and fill bytes.
    ...segment(0xda, [1]),
    ...[1, 0xff, 0, 2, 0xff, 0xd0, 3],
    ...segment(0xc4, [9]),
    ...segment(0xda, [2]),
    ...[4, 0xff, 0xff, 0xd9],
  ];
  const secrets = [
    ...segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0${SECRET}`)),
    ...segment(0xe2, ascii(`MPF\0${SECRET}`)),
    ...segment(0xed, ascii(`Photoshop 3.0\0${SECRET}`)),
    ...segment(0xef, ascii(SECRET)),
    ...segment(0xfe, ascii(SECRET)),
  ];
  const clean = [0xff, 0xd8, ...picture];

  test("keeps its pixels and colours, and loses everything else, also what follows it", async () => {
    const jpeg = [0xff, 0xd8, ...exif(1), ...secrets, ...picture, ...ascii(SECRET)];
    expect([...((await strip("image/jpeg", jpeg)) ?? [])]).toEqual(clean);
    expect([...((await strip("image/jpeg", clean)) ?? [])]).toEqual(clean);
  });

  test.each([false, true])(
    "keeps its orientation (little endian: %p) and nothing else of its EXIF data",
    async (isLittle) => {
      for (const orientation of [2, 6, 8]) {
        const bytes = await strip("image/jpeg", [0xff, 0xd8, ...exif(orientation, isLittle), ...picture]);
        expect(textOf(bytes)).not.toContain(SECRET);
        const [, added] = /^\xff\xd8\xff\xe1\0\x22Exif\0\0(.{26})/s.exec(textOf(bytes)) ?? [];
        expect(added?.charCodeAt(19)).toBe(orientation);
        expect([...((await strip("image/jpeg", [...(bytes ?? [])])) ?? [])]).toEqual([...(bytes ?? [])]);
      }
    },
  );

  test("keeps its orientation behind XMP data and behind a comment that looks like EXIF data", async () => {
    const comment = segment(0xfe, [...ascii("Exif\0\0"), ...tiff(3)]);
    const bytes = await strip("image/jpeg", [0xff, 0xd8, ...secrets, ...comment, ...exif(6), ...exif(8), ...picture]);
    expect(bytes).toEqual(await strip("image/jpeg", [0xff, 0xd8, ...exif(6), ...picture]));
  });

  test("keeps its JFIF header, but not the thumbnail in the extension of that header", async () => {
    const jfif = segment(0xe0, ascii("JFIF\0"));
    const extension = segment(0xe0, ascii(`JFXX\0${SECRET}`));
    const bytes = await strip("image/jpeg", [0xff, 0xd8, ...jfif, ...extension, ...picture]);
    expect([...(bytes ?? [])]).toEqual([0xff, 0xd8, ...jfif, ...picture]);
  });

  test.each([
    ["fill bytes before a segment", [0xff, 0xff, ...segment(0xfe, [1])], true],
    ["an empty segment", [0xff, 0xfe, 0, 2], true],
    ["a segment that is shorter than its length", [0xff, 0xfe, 0, 1], false],
    ["a byte that begins no segment", [0, 0xfe, 0, 2], false],
    ["a segment without a marker", [0xff, 0, 0, 2], false],
  ])("with %s: %p", async (_what, before, isUnderstood) => {
    const bytes = await strip("image/jpeg", [0xff, 0xd8, ...before, ...picture]);
    expect(bytes === undefined ? undefined : [...bytes]).toEqual(isUnderstood ? clean : undefined);
  });

  test.each([
    ["the header of the scan", [0xff, 0xd8, ...segment(0xda, [1])]],
    ["the first byte of a marker", [0xff, 0xd8, ...segment(0xda, [1]), 1, 0xff]],
    ["a restart marker", [0xff, 0xd8, ...segment(0xda, [1]), 1, 0xff, 0xd0, 2, 0xff, 0xd7, 3]],
  ])("that ends with %s keeps all of its pixels", async (_what, bytes) => {
    expect([...((await strip("image/jpeg", bytes)) ?? [])]).toEqual(bytes);
  });

  test("without its first two bytes is not understood", async () => {
    expect(await strip("image/jpeg", [0xfe, 0xd8, ...picture])).toBeUndefined();
    expect(await strip("image/jpeg", [0xff, 0xd7, ...picture])).toBeUndefined();
  });

  test("lets other work run after each mebibyte of pixels", async () => {
    const pixels = new Uint8Array(2 * 1024 * 1024 + 2).map((_, at) => (at % 2 === 0 ? 0xff : 0));
    const bytes = Uint8Array.from([0xff, 0xd8, ...segment(0xda, [1]), ...pixels, 0xff, 0xd9]);
    expect(await countTurns("image/jpeg", bytes)).toEqual({ turns: 2, sizeBytes: bytes.length });
  });

  test("lets other work run after each 20,000 segments", async () => {
    const comments = Array.from({ length: 40_000 }, () => [0xff, 0xfe, 0, 2]).flat();
    const bytes = Uint8Array.from([0xff, 0xd8, ...comments, ...picture]);
    expect(await countTurns("image/jpeg", bytes)).toEqual({ turns: 2, sizeBytes: clean.length });
  });

  test("that is cut before its pixels is left to the caller, and one that is cut later loses its metadata", async () => {
    const before = [0xff, 0xd8, ...exif(6), ...secrets];
    const jpeg = [...before, ...picture];
    for (let length = 0; length < jpeg.length; length += 1) {
      const stripped = await strip("image/jpeg", jpeg.slice(0, length));
      if (length <= before.length) expect([length, stripped]).toEqual([length, undefined]);
      else expect(textOf(stripped)).not.toContain(SECRET);
    }
  });
});

describe("a PNG", () => {
  const chunk = (name: string, content: readonly number[]): number[] => [
    ...[0, 0, content.length >> 8, content.length & 255],
    ...[...ascii(name), ...content, 1, 2, 3, 4],
  ];
  const head = [...ascii("\x89PNG\r\n\x1a\n"), ...chunk("IHDR", [1, 2, 3])];
  const rest = [...chunk("gAMA", [1]), ...chunk("IDAT", [4, 5]), ...chunk("IDAT", [6]), ...chunk("IEND", [])];
  const secrets = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "caBX"].flatMap((name) => chunk(name, ascii(SECRET)));

  test("keeps its pixels and colours, and loses texts, EXIF data, and what follows it", async () => {
    const bytes = await strip("image/png", [...head, ...secrets, ...rest, ...ascii(SECRET)]);
    expect([...(bytes ?? [])]).toEqual([...head, ...rest]);
  });

  test("without metadata stays as it is, and one with another signature is not understood", async () => {
    expect([...((await strip("image/png", [...head, ...rest])) ?? [])]).toEqual([...head, ...rest]);
    expect(await strip("image/png", [0x88, ...head.slice(1), ...rest])).toBeUndefined();
    const cut = chunk("IEND", [1, 2, 3, 4, 5]).slice(0, -1);
    expect(await strip("image/png", [...head, ...cut])).toBeUndefined();
  });

  test("of many parts lets other work run, and one of too many parts is not understood", async () => {
    const many = (count: number, names: readonly string[]): Uint8Array =>
      Uint8Array.from([
        ...head,
        ...Array.from({ length: count }, () => names.flatMap((name) => chunk(name, []))).flat(),
        ...rest,
      ]);
    expect(await countTurns("image/png", many(40_000, ["tEXt"]))).toEqual({
      turns: 2,
      sizeBytes: head.length + rest.length,
    });
    expect(await strippers["image/png"]?.(many(100_001, ["tEXt", "sBIT"]), async () => {})).toBeUndefined();
  });

  test("that is cut anywhere is left to the caller", async () => {
    const png = [...head, ...secrets, ...rest];
    for (let length = 0; length < png.length; length += 1)
      expect([length, await strip("image/png", png.slice(0, length))]).toEqual([length, undefined]);
  });
});

describe("a WebP", () => {
  const chunk = (name: string, content: readonly number[]): number[] => [
    ...[...ascii(name), content.length & 255, content.length >> 8, 0, 0],
    ...[...content, ...(content.length % 2 === 1 ? [0] : [])],
  ];
  const file = (...chunks: readonly (readonly number[])[]): number[] => {
    const content = chunks.flat();
    const size = content.length + 4;
    return [...ascii("RIFF"), size & 255, size >> 8, 0, 0, ...ascii("WEBP"), ...content];
  };
  const extended = (flags: number): number[] => chunk("VP8X", [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
  const pixels = chunk("VP8 ", [1, 2, 3]);

  test("keeps its pixels, and loses EXIF data, XMP data, and what follows it", async () => {
    const webp = file(extended(0x3c), pixels, chunk("EXIF", tiff(1)), chunk("XMP ", ascii(SECRET)));
    const bytes = await strip("image/webp", [...webp, ...ascii(SECRET)]);
    expect([...(bytes ?? [])]).toEqual(file(extended(0x30), pixels));
    expect([...((await strip("image/webp", file(pixels))) ?? [])]).toEqual(file(pixels));
  });

  test("keeps its orientation", async () => {
    const webp = file(extended(0x08), pixels, chunk("EXIF", [...ascii("Exif\0\0"), ...tiff(6)]));
    const text = textOf(await strip("image/webp", webp));
    expect(text).not.toContain(SECRET);
    expect(text).toContain("EXIF\x1a\0\0\0MM\0\x2a");
    expect([...((await strip("image/webp", ascii(text))) ?? [])]).toEqual(ascii(text));
  });
});

describe("a WebP whose parts", () => {
  const webp = (content: readonly number[], size = content.length + 4): number[] => [
    ...[...ascii("RIFF"), size & 255, (size >> 8) & 255, size >> 16, 0, ...ascii("WEBP")],
    ...content,
  ];
  const chunk = (name: string, length: number, content: readonly number[] = []): number[] => [
    ...[...ascii(name), length, 0, 0, 0],
    ...content,
  ];
  const pixels = chunk("VP8 ", 2, [1, 2]);
  const extended = (flags: number): number[] => chunk("VP8X", 10, [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
  const exif = (content: readonly number[]): number[] => chunk("EXIF", content.length, content);
  const turned = (orientation: number): number[] => [
    ...[...ascii("EXIF"), 26, 0, 0, 0, ...ascii("MM"), 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0],
    ...[orientation, 0, 0, 0, 0, 0, 0],
  ];

  test.each([
    ["end with an empty part", webp([...pixels, ...chunk("ALPH", 0)])],
    ["end with an odd part without its added byte", webp([...pixels, ...chunk("ALPH", 1, [7])])],
  ])("%s stays as it is", async (_what, bytes) => {
    expect([...((await strip("image/webp", bytes)) ?? [])]).toEqual(bytes);
  });

  test.each([
    ["belong to a sound", [...ascii("RIFF"), 14, 0, 0, 0, ...ascii("WAVE"), ...pixels]],
    ["belong to another container", [...ascii("RIFX"), 14, 0, 0, 0, ...ascii("WEBP"), ...pixels]],
    ["reach beyond the end of the file", webp(pixels, pixels.length + 5)],
    ["reach beyond the size in the header", webp(chunk("VP8 ", 3, [1, 2]))],
  ])("%s is not understood", async (_what, bytes) => {
    expect(await strip("image/webp", bytes)).toBeUndefined();
  });

  /** TIFF data with the width of the picture before the orientation. */
  const twoEntries = [...[...tiff(6).slice(0, 8), 0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0], ...tiff(6).slice(10)];

  test("are many lets other work run", async () => {
    const bytes = webp([...pixels, ...Array.from({ length: 40_000 }, () => chunk("XMP ", 0)).flat()]);
    expect(await countTurns("image/webp", Uint8Array.from(bytes))).toEqual({
      turns: 2,
      sizeBytes: webp(pixels).length,
    });
  });

  test.each([
    ["the first of two orientations", [exif(tiff(6)), exif(tiff(3))], 6],
    ["the orientation 8", [exif(tiff(8, true))], 8],
    ["no orientation 9, which does not exist", [exif(tiff(9))], undefined],
    ["no usual orientation", [exif(tiff(1))], undefined],
    ["the orientation behind another entry", [exif(twoEntries)], 6],
    ["nothing that is no TIFF data", [exif([...ascii("MN"), ...tiff(6).slice(2)])], undefined],
  ])("have EXIF data keeps %s", async (_what, parts, kept) => {
    const bytes = await strip("image/webp", webp([...extended(0x3c), ...pixels, ...parts.flat()]));
    const [flags, added] = kept === undefined ? [0x30, []] : [0x38, turned(kept)];
    const expected = [...extended(flags), ...pixels, ...added];
    expect([...(bytes ?? [])]).toEqual(webp(expected));
  });

  test("have EXIF data but no flags for it loses the data", async () => {
    expect([...((await strip("image/webp", webp([...pixels, ...exif(tiff(6))]))) ?? [])]).toEqual(webp(pixels));
  });
});

test("any bytes are handled without a failure, and never grow by more than an orientation", async () => {
  const beginnings = [[0xff, 0xd8, 0xff], ascii("\x89PNG\r\n\x1a\n"), ascii("RIFF\x40\0\0\0WEBP"), []];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...beginnings),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(...Object.keys(strippers)),
      async (beginning, bytes, type) => {
        const stripped = await strip(type, [...beginning, ...bytes]);
        expect(stripped?.length ?? 0).toBeLessThanOrEqual(beginning.length + bytes.length + 36);
      },
    ),
    { numRuns: 2000 },
  );
});
