import { expect, test } from "bun:test";
import { createComparer } from "./comparer.ts";
import { createNear } from "./near.ts";
import { quantize } from "./quantized.ts";

/** Numbers from -1 to 1 that are the same every time. */
const createDice = (): (() => number) => {
  let state = 11;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
};

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

const DIMENSIONS = 96;
const MANY = 25_000;
const TOPICS = 200;

/** About topics, as texts are. */
const dice = createDice();
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};
const topics = Array.from({ length: TOPICS }, () => Float32Array.from({ length: DIMENSIONS }, dice));
const anyVector = (which: number): Float32Array =>
  unit(Float32Array.from(topics[which % TOPICS] ?? [], (value) => value + 0.9 * dice()));

test("of many vectors at least 99 of 100 of the nearest ten are found, and none that is hidden or not there", () => {
  const near = createNear(DIMENSIONS, (one, other) => one - other);
  const vectors = Array.from({ length: MANY }, (_, at) => anyVector(at));
  const mask = new Uint8Array(MANY).fill(1);
  for (const [at, vector] of vectors.entries()) if (at % 11 !== 0) near.set(at, quantize(vector));
  for (let at = 0; at < MANY; at += 13) mask[at] = 0;
  const visible = mask.reduce((sum, each) => sum + each, 0);
  expect(visible).toBeGreaterThan(20_000);
  let found = 0;
  for (let question = 0; question < 30; question += 1) {
    const asked = anyVector(question * 7);
    const hits = near.search(asked, 10, { mask, visible, count: MANY }).map(({ chunk }) => chunk);
    const exact = vectors
      .map((vector, at) => ({ at, score: dot(vector, asked) }))
      .filter(({ at }) => mask[at] === 1 && at % 11 !== 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, 10);
    expect(hits.every((at) => mask[at] === 1 && at % 11 !== 0)).toBe(true);
    found += exact.filter(({ at }) => hits.includes(at)).length;
  }
  expect(found).toBeGreaterThanOrEqual(297);
});

test("vectors of any length are compared with every question", () => {
  for (const dimensions of [1, 7, 16, 100, 1536]) {
    const any = (): Float32Array => unit(Float32Array.from({ length: dimensions }, dice));
    const [questions, vectors] = [
      [any(), any()],
      [any(), any(), any()],
    ];
    const packed = new Uint8Array(vectors.length * (4 + dimensions));
    for (const [at, vector] of vectors.entries()) {
      const { bytes, scale } = quantize(vector);
      new DataView(packed.buffer).setFloat32(at * (4 + dimensions), scale, true);
      packed.set(new Uint8Array(bytes.buffer), at * (4 + dimensions) + 4);
    }
    const comparer = createComparer(dimensions);
    comparer.ask(questions);
    const cosines = comparer.compare(packed, vectors.length);
    const right = questions.flatMap((question) => vectors.map((vector) => dot(vector, question)));
    for (const [at, value] of right.entries()) expect(cosines[at]).toBeCloseTo(value, 1.5);
  }
});
