import { expect, test } from "bun:test";
import { splitVector, readCoarse } from "./coarse.ts";

/** Adds both parts. */
const join = (vector: Float32Array): Float32Array => {
  const { coarse, residual } = splitVector(vector);
  const joined = new Float32Array(vector.length);
  readCoarse({ bytes: coarse.nibbles, from: 0, scale: coarse.scale }, joined, 0, vector.length);
  return joined.map((value, at) => value + (residual.bytes[at] ?? 0) * residual.scale);
};

const LENGTHS = [1, 7, 16, 31, 32, 33, 96, 384];
const waveOf = (length: number): Float32Array => Float32Array.from({ length }, (_, at) => Math.sin(at * at + 1));

test("both parts of a vector add up to it, for any size", () => {
  for (const length of LENGTHS) {
    const vector = waveOf(length);
    for (const [at, value] of join(vector).entries()) expect(Math.abs(value - (vector[at] ?? 0))).toBeLessThan(3e-4);
  }
});

test("the coarse part alone is at most half a step off", () => {
  for (const length of LENGTHS) {
    const vector = waveOf(length);
    const { coarse } = splitVector(vector);
    const read = new Float32Array(length);
    readCoarse({ bytes: coarse.nibbles, from: 0, scale: coarse.scale }, read, 0, length);
    for (const [at, value] of read.entries()) {
      expect(Math.abs(value - (vector[at] ?? 0))).toBeLessThanOrEqual(coarse.scale / 2 + 1e-6);
    }
  }
});

test("a zero vector has two zero parts", () => {
  expect([...join(new Float32Array(40))].every((value) => value === 0)).toBe(true);
});
