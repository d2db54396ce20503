import { expect, test } from "bun:test";
import { splitVector, writeCoarseSignature } from "./coarse.ts";
import { createComparer } from "./comparer.ts";
import { createCoarseSearch } from "./coarse-search.ts";
import { quantize, quantizeQuestion, toWeights } from "./quantized.ts";

/** Returns pseudo-random numbers from -1 to 1, the same in every run. */
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
const SOME = 9000;
const TOPICS = 200;

/** Vectors are clustered around topics, like those of real texts. */
const dice = createDice();
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};
const topics = Array.from({ length: TOPICS }, () => Float32Array.from({ length: DIMENSIONS }, dice));
const anyVector = (which: number): Float32Array =>
  unit(Float32Array.from(topics[which % TOPICS] ?? [], (value) => value + 0.9 * dice()));

test("50 hits among many vectors contain at least 99% of the nearest ten, and no hidden or missing one", () => {
  const near = createCoarseSearch(DIMENSIONS, (one, other) => one - other);
  const vectors = Array.from({ length: MANY }, (_, at) => anyVector(at));
  const mask = new Uint8Array(MANY).fill(1);
  for (const [at, vector] of vectors.entries()) if (at % 11 !== 0) near.set(at, splitVector(vector).coarse);
  for (let at = 0; at < MANY; at += 13) mask[at] = 0;
  const visibleCount = mask.reduce((sum, each) => sum + each, 0);
  expect(visibleCount).toBeGreaterThan(20_000);
  let found = 0;
  for (let question = 0; question < 30; question += 1) {
    const query = anyVector(question * 7);
    const hits = near.search(query, 50, { mask, visibleCount, count: MANY }).map(({ chunk }) => chunk);
    const exact = vectors
      .map((vector, at) => ({ at, score: dot(vector, query) }))
      .filter(({ at }) => mask[at] === 1 && at % 11 !== 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, 10);
    expect(hits.every((at) => mask[at] === 1 && at % 11 !== 0)).toBe(true);
    found += exact.filter(({ at }) => hits.includes(at)).length;
  }
  expect(found).toBeGreaterThanOrEqual(297);
});

test("of few visible vectors, the nearest ten are among 50 hits, and no hidden or missing one is", () => {
  const near = createCoarseSearch(DIMENSIONS, (one, other) => one - other);
  const vectors = Array.from({ length: SOME }, (_, at) => anyVector(at));
  for (const [at, vector] of vectors.entries()) if (at % 11 !== 0) near.set(at, splitVector(vector).coarse);
  const mask = Uint8Array.from({ length: SOME }, (_, at) => Number(at % 10 === 3));
  const query = anyVector(7);
  const sight = { mask, visibleCount: SOME / 10, count: SOME };
  const hits = near.search(query, 50, sight).map(({ chunk }) => chunk);
  const exact = vectors
    .map((vector, at) => ({ at, score: dot(vector, query) }))
    .filter(({ at }) => at % 10 === 3 && at % 11 !== 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, 10);
  expect(hits.every((at) => at % 10 === 3 && at % 11 !== 0)).toBe(true);
  expect(exact.filter(({ at }) => !hits.includes(at))).toEqual([]);
});

/** Bytes before the vectors of each piece. */
const HEAD = 4;

test("vectors of any size are compared with every question", () => {
  for (const dimensions of [1, 7, 16, 100, 1536]) {
    const any = (): Float32Array => unit(Float32Array.from({ length: dimensions }, dice));
    const [questions, vectors] = [
      [any(), any()],
      [any(), any(), any()],
    ];
    const pack = (some: readonly Float32Array[]): Uint8Array => {
      const packed = new Uint8Array(HEAD + some.length * (4 + dimensions)).fill(99);
      for (const [at, vector] of some.entries()) {
        const { bytes, scale } = quantize(vector);
        new DataView(packed.buffer).setFloat32(HEAD + at * (4 + dimensions), scale, true);
        packed.set(new Uint8Array(bytes.buffer), HEAD + at * (4 + dimensions) + 4);
      }
      return packed;
    };
    const comparer = createComparer(dimensions);
    comparer.setQuestions(questions);
    const cosines = comparer.compare([pack(vectors.slice(0, 1)), pack([]), pack(vectors.slice(1))], HEAD);
    const expected = questions.flatMap((question) => vectors.map((vector) => dot(vector, question)));
    for (const [at, value] of expected.entries()) expect(cosines[at]).toBeCloseTo(value, 1.5);
  }
});

test("`weigh` adds or subtracts each number by its signature bit", () => {
  const { numbers } = quantizeQuestion(anyVector(3));
  const signature = new Uint8Array(DIMENSIONS / 8);
  const vector = anyVector(5);
  writeCoarseSignature(splitVector(vector).coarse.nibbles, signature, 0);
  const weights = new Int16Array(signature.length * 256);
  toWeights(numbers, weights);
  const weighed = signature.reduce((sum, byte, at) => sum + (weights[at * 256 + byte] ?? 0), 0);
  const expected = numbers.reduce((sum, number, at) => sum + ((vector[at] ?? 0) > 0 ? number : -number), 0) / 8;
  // Each byte's share is rounded down.
  expect(Math.abs(weighed - expected)).toBeLessThanOrEqual(signature.length);
});

/** For numbers up to 0.3. */
const HALF_STEP = 0.3 / 15;

test("`restore` returns the coarse vectors that were set", () => {
  const near = createCoarseSearch(DIMENSIONS, (one, other) => one - other);
  const [one, other] = [anyVector(1), anyVector(2)];
  near.set(7, splitVector(one).coarse);
  near.set(5000, splitVector(other).coarse);
  const [first = [], second = []] = near.restore([5000, 7]);
  for (let at = 0; at < DIMENSIONS; at += 1) {
    expect(Math.abs((first[at] ?? 0) - (other[at] ?? 0))).toBeLessThanOrEqual(HALF_STEP);
    expect(Math.abs((second[at] ?? 0) - (one[at] ?? 0))).toBeLessThanOrEqual(HALF_STEP);
  }
});
