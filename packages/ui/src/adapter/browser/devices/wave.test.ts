import { expect, test } from "bun:test";
import { toWave } from "./wave.ts";

test("a WAV has a header of 44 bytes, its rate, and clipped samples of 16 bits", () => {
  const bytes = toWave(Float32Array.of(0, 0.5, -2, 2), 16_000);
  const view = new DataView(bytes.buffer);
  const text = new TextDecoder("latin1").decode(bytes);
  expect([text.slice(0, 4), text.slice(8, 16), text.slice(36, 40)]).toEqual(["RIFF", "WAVEfmt ", "data"]);
  expect([view.getUint32(4, true), view.getUint32(40, true), bytes.length]).toEqual([44, 8, 52]);
  expect([view.getUint16(20, true), view.getUint16(22, true), view.getUint16(34, true)]).toEqual([1, 1, 16]);
  expect([view.getUint32(24, true), view.getUint32(28, true), view.getUint16(32, true)]).toEqual([16_000, 32_000, 2]);
  expect([...new Int16Array(bytes.buffer, 44)]).toEqual([0, 16_384, -32_767, 32_767]);
});
