import { expect, test } from "bun:test";
import { splitVector } from "../../index/coarse.ts";
import { dot } from "../../retrieval/scale.ts";
import { createVectorSearch, type VectorSearch } from "./vector-search.ts";
import { fineToBytes } from "./vector-bytes.ts";

const DIMENSIONS = 96;
const MANY = 3000;

/** Returns pseudo-random numbers from -1 to 1, the same in every run. */
const createDice = (): (() => number) => {
  let state = 7;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
};
const dice = createDice();
const anyVector = (near: Float32Array = new Float32Array(DIMENSIONS)): Float32Array => {
  const vector = near.map((value) => value + 0.1 * dice());
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};

interface Brain {
  readonly vectorSearch: VectorSearch;
  set(number: number, vector: Float32Array): void;
  remove(number: number): void;
}

/** Vectors as an index keeps them, without the disk. */
const openBrain = (): Brain => {
  const stored = new Map<number, Uint8Array>();
  const vectorSearch = createVectorSearch({
    dimensions: DIMENSIONS,
    order: (one, other) => one - other,
    rows: { fineVectors: (ids) => ids.map((id) => stored.get(id) ?? new Uint8Array(0)) },
    locate: (numbers) => numbers.flatMap((number) => (stored.has(number) ? [{ number, id: number }] : [])),
  });
  return {
    vectorSearch,
    set(number, whole) {
      const { coarse, residual } = splitVector(whole);
      stored.set(number, fineToBytes(residual, { whole, withPrevious: whole, window: whole, sentences: [] }));
      vectorSearch.set(number, coarse);
    },
    remove: (number) => void stored.delete(number),
  };
};
const sight = { mask: new Uint8Array(MANY).fill(1), visibleCount: MANY, count: MANY };

test("the nearest ten are ordered by the exact vectors, not by the coarse ones in memory", () => {
  const { vectorSearch, set } = openBrain();
  const topics = Array.from({ length: 30 }, () => anyVector());
  const vectors = Array.from({ length: MANY }, (_, at) => anyVector(topics[at % topics.length]));
  for (const [at, vector] of vectors.entries()) set(at, vector);
  for (let question = 0; question < 20; question += 1) {
    const query = anyVector(topics[question]);
    const exact = vectors
      .map((vector, chunk) => ({ chunk, score: dot(vector, query) }))
      .sort((one, other) => other.score - one.score);
    const hits = vectorSearch.nearest(query, 10, sight);
    expect(hits).toHaveLength(10);
    for (const [at, { score }] of hits.entries()) expect(Math.abs(score - (exact[at]?.score ?? 0))).toBeLessThan(5e-4);
  }
});

test("a chunk whose vector changed or was removed after the last search is compared as it is now", () => {
  const { vectorSearch, set, remove } = openBrain();
  const [first, second, third] = [anyVector(), anyVector(), anyVector()];
  set(0, first);
  set(1, second);
  const likeOf = (number: number): number | undefined =>
    vectorSearch.compare([0, 1], [first]).get(number)?.similarities[0]?.whole;
  vectorSearch.nearest(first, 2, sight);
  expect(likeOf(0)).toBeCloseTo(1, 3);
  vectorSearch.nearest(first, 2, sight);
  set(0, third);
  expect(likeOf(0)).toBeCloseTo(dot(third, first), 3);
  vectorSearch.nearest(first, 2, sight);
  remove(0);
  expect([likeOf(0), likeOf(1)]).toEqual([undefined, expect.closeTo(dot(second, first), 3)]);
});
