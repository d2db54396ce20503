import { expect, test } from "bun:test";
import fc from "fast-check";
import { detectMedia } from "./media-type.ts";
import { waveDuration } from "./wave-duration.ts";

interface Wave {
  readonly format?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  readonly block?: number;
  readonly bytesPerSecond?: number;
  /** The size that the header claims. */
  readonly dataSize?: number;
  readonly soundBytes?: number;
  /** A chunk before the format. */
  readonly extra?: Uint8Array;
  readonly formatSize?: number;
}

const letters = (text: string): Uint8Array => new TextEncoder().encode(text);
const numbers = (size: 2 | 4, ...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) {
    if (size === 2) view.setUint16(at * 2, value, true);
    else view.setUint32(at * 4, value, true);
  }
  return bytes;
};

const toWave = (wave: Wave): Uint8Array => {
  const { format = 1, channels = 1, rate = 16_000, bits = 16, soundBytes = 32_000, extra, formatSize = 16 } = wave;
  const { block = (channels * bits) / 8 } = wave;
  const { bytesPerSecond = rate * block, dataSize = soundBytes } = wave;
  const chunks = [
    ...[letters("RIFF"), numbers(4, 0), letters("WAVE")],
    ...(extra === undefined
      ? []
      : [letters("LIST"), numbers(4, extra.length), extra, new Uint8Array(extra.length % 2)]),
    ...[letters("fmt "), numbers(4, formatSize), numbers(2, format, channels), numbers(4, rate, bytesPerSecond)],
    ...[numbers(2, block, bits), letters("data"), numbers(4, dataSize), new Uint8Array(soundBytes)],
  ];
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
};

const durationOf = (wave: Wave): number | undefined => {
  const bytes = toWave(wave);
  return waveDuration(bytes, bytes.length);
};

test("the duration follows from the size of the sound and its rate", async () => {
  expect(durationOf({})).toBe(1000);
  expect(durationOf({ channels: 2, rate: 44_100, soundBytes: 44_100 })).toBe(250);
  expect(durationOf({ format: 7, bits: 8, rate: 8000, soundBytes: 12_000 })).toBe(1500);
  expect(durationOf({ format: 2, block: 256, bits: 4, bytesPerSecond: 4055, soundBytes: 4055 })).toBe(1000);
  expect(durationOf({ extra: letters("by me") })).toBe(1000);
  expect(await detectMedia(toWave({}))).toEqual({ type: "audio/wav", durationMs: 1000 });
});

test("only the beginning is read, and the size of the file limits what the header claims", () => {
  const bytes = toWave({ dataSize: 320_000 });
  expect(waveDuration(bytes.subarray(0, 60), 44 + 320_000)).toBe(10_000);
  // A recorder that was stopped, or that wrote to a pipe, leaves any size.
  expect(durationOf({ dataSize: 0xffff_ffff })).toBe(1000);
  expect(durationOf({ dataSize: 0x7fff_ffff })).toBe(1000);
  expect(durationOf({ dataSize: 0 })).toBe(0);
});

test.each<readonly [string, Wave]>([
  ["no channels", { channels: 0 }],
  ["thousands of channels", { channels: 65_535, block: 131_070 }],
  ["a rate of 0 bytes", { bytesPerSecond: 0 }],
  ["a rate of 1 byte, which would last for hours", { bytesPerSecond: 1 }],
  ["a rate that its samples contradict", { bytesPerSecond: 1000 }],
  ["a block that its channels contradict", { block: 7 }],
  ["a codec with an impossible rate", { format: 85, bytesPerSecond: 0xffff_ffff }],
  ["a format that is too short", { formatSize: 4 }],
])("a header with %s has no duration", async (_what, wave) => {
  expect(durationOf(wave)).toBeUndefined();
  expect(await detectMedia(toWave(wave))).toEqual({ type: "audio/wav" });
});

test("a duration of more than a week is not believed", () => {
  const bytes = toWave({ dataSize: 0xffff_fff0, rate: 4000, bits: 8, format: 7 });
  expect(waveDuration(bytes, 2 ** 40)).toBeUndefined();
});

test("a file that ends anywhere in its header has no duration, and no bytes make the reader fail", () => {
  const whole = toWave({ soundBytes: 0, extra: letters("odd") });
  for (let length = 0; length < whole.length; length += 1)
    expect(waveDuration(whole.subarray(0, length), length)).toBeUndefined();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(), (bytes, sizeBytes) => {
      const durationMs = waveDuration(Uint8Array.from([...letters("RIFF0000WAVE"), ...bytes]), sizeBytes);
      expect(durationMs === undefined || (Number.isInteger(durationMs) && durationMs >= 0)).toBe(true);
    }),
  );
});

test("a chunk whose size leads past the end ends the search", () => {
  const bytes = Uint8Array.from([...letters("RIFF0000WAVEjunk"), ...numbers(4, 0xffff_ffff), ...letters("fmt ")]);
  expect(waveDuration(bytes, bytes.length)).toBeUndefined();
});

const WEEK_MS = 7 * 24 * 3600 * 1000;
const weekBytes = 300 * (WEEK_MS / 1000);
test.each<readonly [string, Wave, Wave]>([
  ["300 bytes per second", { format: 7, bytesPerSecond: 300 }, { format: 7, bytesPerSecond: 299 }],
  ["64 channels", { format: 7, channels: 64 }, { format: 7, channels: 65 }],
  [
    "the rate of 64 channels of the best sound",
    { format: 85, bytesPerSecond: 64 * 768_000 * 8 },
    { format: 85, bytesPerSecond: 64 * 768_000 * 8 + 1 },
  ],
  ["a format of 16 bytes", { formatSize: 16 }, { formatSize: 15 }],
])("%s is the limit", (_what, accepted, refused) => {
  expect([typeof durationOf(accepted), durationOf(refused)]).toEqual(["number", undefined]);
});

test("a week is the longest duration", () => {
  const bytes = toWave({ format: 7, bytesPerSecond: 300, dataSize: 0xffff_ffff, soundBytes: 0 });
  expect(waveDuration(bytes, 44 + weekBytes)).toBe(WEEK_MS);
  expect(waveDuration(bytes, 44 + weekBytes + 1)).toBeUndefined();
});
