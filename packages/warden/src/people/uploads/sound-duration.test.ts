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

  test("has none if its codec is unknown", async () => {
    expect(await durationOf("audio/ogg", bytesOf(page(0, bytesOf("Unknown codec"))))).toBeUndefined();
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
