import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { soundDuration } from "./sound-duration.ts";

type Part = string | Uint8Array | readonly number[];

const bytesOf = (...parts: readonly Part[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const big = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};
const little = (value: number): Uint8Array => big(value).toReversed();

const READ_MOST = 400_000;

/** Also checks that only a few parts of the file are read. */
const durationOf = async (type: string, bytes: Uint8Array): Promise<number | undefined> => {
  let readBytes = 0;
  const duration = await soundDuration({
    type,
    sizeBytes: bytes.length,
    async read(from, to) {
      readBytes += to - from;
      return bytes.subarray(from, to);
    },
  });
  expect(readBytes).toBeLessThan(READ_MOST);
  return duration;
};

describe("an Ogg file", () => {
  const page = (samples: number, content: Uint8Array, serial = 7): Uint8Array =>
    bytesOf("OggS", [0, 0], little(samples), [0, 0, 0, 0], little(serial), little(0), little(0), [1, 255], content);
  const opus = bytesOf("OpusHead", [1, 1], [0x38, 1], little(48_000), [0, 0, 0]);
  const vorbis = bytesOf("\x01vorbis", little(0), [1], little(44_100));

  test("has the duration of the samples of its last page", async () => {
    const filling = new Uint8Array(200_000);
    const file = bytesOf(page(0, opus), filling, page(48_000 * 3 + 312, new Uint8Array(50)));
    expect(await durationOf("audio/ogg; codecs=opus", file)).toBe(3000);
    const other = bytesOf(page(0, vorbis), filling, page(44_100 * 2, new Uint8Array(50)), page(99, opus, 8));
    expect(await durationOf("audio/ogg", other)).toBe(2000);
  });

  const end = (samples: number): Uint8Array => page(samples, new Uint8Array(50));
  test.each([
    ["FLAC", bytesOf("\x7fFLAC", new Uint8Array(22), big(44_100 << 12)), 44_100 * 2],
    ["Speex", bytesOf("Speex   ", new Uint8Array(28), little(16_000)), 16_000 * 2],
  ])("of %s has the rate of its header", async (_codec, head, samples) => {
    expect(await durationOf("audio/ogg", bytesOf(page(0, head), end(samples)))).toBe(2000);
  });

  test("has the samples of the last page on which a packet ends", async () => {
    const open = end(0);
    open.fill(0xff, 6, 14);
    expect(await durationOf("audio/ogg", bytesOf(page(0, vorbis), end(44_100), open))).toBe(1000);
    // The smallest page, at the very end.
    const empty = end(44_100 * 3).subarray(0, 27);
    expect(await durationOf("audio/ogg", bytesOf(page(0, vorbis), end(44_100), empty))).toBe(3000);
  });

  test("has none if its codec is unknown, its rate is 0 or it does not begin with a page", async () => {
    expect(await durationOf("audio/ogg", bytesOf(page(0, bytesOf("Unknown codec"))))).toBeUndefined();
    const noRate = bytesOf("\x01vorbis", little(0), [1], little(0));
    expect(await durationOf("audio/ogg", bytesOf(page(0, noRate), end(44_100)))).toBeUndefined();
    expect(await durationOf("audio/ogg", bytesOf("Oggs", page(0, vorbis), end(44_100)))).toBeUndefined();
  });
});

describe("an MP3 file", () => {
  // MPEG 1, layer III, 128 kbit/s, 44.1 kHz, stereo: 417 bytes.
  const frame = (content: Uint8Array | readonly number[] = []): Uint8Array => {
    const bytes = new Uint8Array(417);
    bytes.set([0xff, 0xfb, 0x90, 0]);
    bytes.set(content, 4);
    return bytes;
  };

  test("has the duration of the frames that its first frame announces", async () => {
    const xing = bytesOf(new Uint8Array(32), "Xing", big(1), big(1000));
    const tags = bytesOf("ID3", [4, 0, 0], [0, 0, 2, 0], new Uint8Array(256));
    expect(await durationOf("audio/mpeg", bytesOf(tags, frame(xing), frame()))).toBe(26_122);
    const vbri = bytesOf(new Uint8Array(32), "VBRI", new Uint8Array(10), big(500));
    expect(await durationOf("audio/mpeg", bytesOf(frame(vbri), frame()))).toBe(13_061);
  });

  const [MPEG_1, MPEG_2, MPEG_2_5] = [0xfb, 0xf3, 0xe3];
  const [STEREO, MONO] = [0, 0xc0];
  test.each([
    { kind: "MPEG 1, stereo", head: [MPEG_1, 0x90, STEREO], bytes: 417, markAt: 36, duration: 26_122 },
    { kind: "MPEG 1, mono", head: [MPEG_1, 0x90, MONO], bytes: 417, markAt: 21, duration: 26_122 },
    { kind: "MPEG 1, padded", head: [MPEG_1, 0x92, STEREO], bytes: 418, markAt: 36, duration: 26_122 },
    { kind: "MPEG 1, 48 kHz", head: [MPEG_1, 0x94, STEREO], bytes: 384, markAt: 36, duration: 24_000 },
    { kind: "MPEG 1, 32 kHz", head: [MPEG_1, 0x98, STEREO], bytes: 576, markAt: 36, duration: 36_000 },
    { kind: "MPEG 2, stereo", head: [MPEG_2, 0x80, STEREO], bytes: 208, markAt: 21, duration: 26_122 },
    { kind: "MPEG 2, mono", head: [MPEG_2, 0x80, MONO], bytes: 208, markAt: 13, duration: 26_122 },
    { kind: "MPEG 2.5, mono", head: [MPEG_2_5, 0x80, MONO], bytes: 417, markAt: 13, duration: 52_245 },
  ])("of $kind announces its frames at byte $markAt of the first", async ({ head, bytes, markAt, duration }) => {
    for (const mark of ["Xing", "Info"]) {
      const first = new Uint8Array(bytes);
      first.set([0xff, ...head]);
      const next = first.slice();
      first.set(bytesOf(mark, big(1), big(1000)), markAt);
      expect(await durationOf("audio/mpeg", bytesOf(first, next))).toBe(duration);
      // The mark without a number of frames: the size and the rate of 16 or 8 kilobytes per second decide.
      first.set(big(2), markAt + 4);
      const rate = head[0] === MPEG_1 ? 16 : 8;
      expect(await durationOf("audio/mpeg", bytesOf(first, next))).toBe(Math.round((bytes * 2) / rate));
    }
  });

  test.each([
    ["a reserved version", [0xeb, 0x90]],
    ["another layer", [0xfd, 0x90]],
    ["no rate", [0xfb, 0x00]],
    ["a rate that does not exist", [0xfb, 0xf0]],
    ["a sample rate that does not exist", [0xfb, 0x9c]],
    ["an incomplete mark", [0xdb, 0x90]],
  ])("with %s in each header has no duration", async (_what, head) => {
    const bytes = frame();
    bytes.set(head, 1);
    expect(await durationOf("audio/mpeg", bytesOf(bytes, bytes, bytes))).toBeUndefined();
  });

  test("has the duration of its size without such a frame", async () => {
    const file = Buffer.concat(Array.from({ length: 100 }, () => frame()));
    expect(await durationOf("audio/mpeg", bytesOf([1, 2, 0xff, 0xfb, 0x90, 0], file))).toBe(2606);
  });
});

describe("an MP4 file", () => {
  const box = (type: string, ...content: readonly Part[]): Uint8Array => {
    const body = bytesOf(...content);
    return bytesOf(big(body.length + 8), type, body);
  };
  const moov = box("moov", box("mvhd", new Uint8Array(12), big(1000), big(4500), new Uint8Array(80)));
  const ftyp = box("ftyp", "M4A ", big(0));

  test("has the duration of its header, before or after the data", async () => {
    expect(await durationOf("audio/x-m4a", bytesOf(ftyp, moov, box("mdat", new Uint8Array(99))))).toBe(4500);
    expect(await durationOf("audio/mp4", bytesOf(ftyp, box("mdat", new Uint8Array(500_000)), moov))).toBe(4500);
    const long = bytesOf([1, 0, 0, 0], new Uint8Array(16), big(1000), big(0), big(2500), new Uint8Array(80));
    expect(await durationOf("video/mp4", bytesOf(ftyp, box("moov", box("mvhd", long))))).toBe(2500);
  });

  test("has the duration of a header behind a box with a long size, and of a last box without a size", async () => {
    const mdat = bytesOf(big(1), "mdat", big(0), big(16 + 99), new Uint8Array(99));
    expect(await durationOf("audio/mp4", bytesOf(ftyp, mdat, moov))).toBe(4500);
    const longMoov = bytesOf(big(1), "moov", big(0), big(moov.length + 8), moov.subarray(8));
    expect(await durationOf("audio/mp4", bytesOf(ftyp, longMoov))).toBe(4500);
    expect(await durationOf("audio/mp4", bytesOf(ftyp, big(0), moov.subarray(4)))).toBe(4500);
  });

  test("may last a week and have 16 boxes, and not more", async () => {
    const lasting = (ms: number): Uint8Array => box("moov", box("mvhd", new Uint8Array(12), big(1000), big(ms)));
    const week = 7 * 24 * 3600 * 1000;
    const boxes = Array.from({ length: 15 }, () => box("free"));
    expect(await durationOf("audio/mp4", bytesOf(...boxes, lasting(week)))).toBe(week);
    expect(await durationOf("audio/mp4", bytesOf(...boxes, lasting(week + 1)))).toBeUndefined();
    expect(await durationOf("audio/mp4", bytesOf(...boxes, box("free"), moov))).toBeUndefined();
  });

  test("has none if its header is not the first box of the film, or has no scale", async () => {
    expect(
      await durationOf("audio/mp4", box("moov", box("free", moov.subarray(16)), moov.subarray(8))),
    ).toBeUndefined();
    const noScale = box("moov", box("mvhd", new Uint8Array(12), big(0), big(4500)));
    expect(await durationOf("audio/mp4", noScale)).toBeUndefined();
  });

  test("has none without the header, and with a header of a live recording", async () => {
    expect(await durationOf("audio/mp4", bytesOf(ftyp, box("mdat", "x")))).toBeUndefined();
    const live = box("moov", box("mvhd", new Uint8Array(12), big(1000), big(0), new Uint8Array(80)));
    expect(await durationOf("audio/mp4", bytesOf(ftyp, live))).toBeUndefined();
  });

  test("with a box of the size 1 or with too many boxes ends", async () => {
    expect(await durationOf("audio/mp4", bytesOf(big(1), "free", big(0), big(0)))).toBeUndefined();
    const boxes = Array.from({ length: 1000 }, () => box("free"));
    expect(await durationOf("audio/mp4", bytesOf(...boxes, moov))).toBeUndefined();
  });
});

test("whatever the bytes are, the duration is that of a recording of at most a week, or unknown", async () => {
  const beginnings = ["OggS", "OggS\0\x02", "ID3\x04\0\0", "\xff\xfb\x90\0", "\0\0\0\x10ftyp", "\0\0\0\0moov", ""];
  const types = ["audio/ogg", "audio/mpeg", "audio/mp4"];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.constantFrom(...beginnings),
      fc.uint8Array({ maxLength: 600 }),
      async (type, beginning, rest) => {
        const duration = await durationOf(type, bytesOf(beginning, rest));
        if (duration !== undefined) expect(duration > 0 && duration <= 7 * 24 * 3600 * 1000).toBe(true);
      },
    ),
  );
});

test("a type without a reader has no duration", async () => {
  expect(await durationOf("audio/midi", bytesOf("MThd"))).toBeUndefined();
});
