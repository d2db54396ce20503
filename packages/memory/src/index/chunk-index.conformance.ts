/** Conformance tests of `ChunkIndex`. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toTerms } from "../chunks/terms.ts";
import {
  anyFile,
  anyText,
  anyVisible,
  setMissingVectors,
  dump,
  makeFile,
  identifyHits,
  vectorOf,
  vectorsOf,
} from "./brains.conformance.ts";
import type { ChunkIndex, IndexedFile, Similarity, VisibilityFilter } from "./chunk-index.ts";
import { createMemoryIndex } from "./memory-index.ts";
import { isVisible } from "./visibility.ts";

export interface ChunkIndexHarness extends Disposable {
  readonly index: ChunkIndex;
  /** Closes and reopens the index, if it is persistent. */
  reopen?(): ChunkIndex;
}

const RUN_COUNT = 40;

/** Returns by chunk id all numbers that the index gives for a question. */
const read = (
  index: ChunkIndex,
  question: string,
  visible: VisibilityFilter,
): ReadonlyMap<string, readonly number[]> => {
  const numbers = index.nearest(vectorOf(question), 100, visible).map(({ chunk }) => chunk);
  const chunks = index.chunks(numbers, visible).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const sortedNumbers = chunks.map(({ number }) => number);
  const terms = toTerms(question);
  const { counts, lengths } = index.occurrences(terms, sortedNumbers);
  const comparisons = index.compare(sortedNumbers, [vectorOf(question), vectorOf("")]);
  return new Map(
    chunks.map(({ number, id }, chunkIndex) => [
      id,
      [
        ...counts.subarray(chunkIndex * terms.length, (chunkIndex + 1) * terms.length),
        lengths[chunkIndex] ?? 0,
        ...(comparisons.get(number)?.similarities ?? []).flatMap(({ whole, sentence, withPrevious, window }) => [
          ...[whole, sentence, withPrevious, window],
        ]),
      ],
    ]),
  );
};

export const chunkIndexConformance = (name: string, open: () => ChunkIndexHarness): void => {
  const find = (index: ChunkIndex, question: string, visible: VisibilityFilter = {}): readonly string[] => {
    const hits = index.lexical(toTerms(question), 10, visible).map(({ chunk }) => chunk);
    return index.chunks(hits, visible).map(({ text }) => text);
  };

  describe(`${name}: the contract of an index`, () => {
    test("a file is found by its words right after `put`, best hit first", () => {
      using harness = open();
      const { index } = harness;
      index.put(
        makeFile("a.md", [{ text: "The bike is in the shed." }, { text: "Bread for Anna." }, { text: "A lamp." }]),
      );
      index.put(makeFile("b.md", [{ text: "Bikes, bikes and a bike shed." }]));
      expect(find(index, "where is the bike?")).toEqual([
        "Bikes, bikes and a bike shed.",
        "The bike is in the shed.",
        "Bread for Anna.",
      ]);
      expect(find(index, "submarine")).toEqual([]);
      expect(find(index, "")).toEqual([]);
      expect(index.lexical(["bike"], 0, {})).toEqual([]);
    });

    test("a chunk is also found by its speaker and its date", () => {
      using harness = open();
      const { index } = harness;
      index.put(
        makeFile("a.md", [
          { text: "I sold it.", speaker: "Anna", date: "2026-05-01" },
          { text: "Fine.", speaker: "Ben" },
        ]),
      );
      expect(find(index, "Anna")[0]).toBe("I sold it.");
      expect(find(index, "2026")).toEqual(["I sold it."]);
      expect(index.speakers({})).toEqual(["Anna", "Ben"]);
    });

    test("a file that is put again replaces the earlier one and its vectors", () => {
      using harness = open();
      const { index } = harness;
      index.put(makeFile("a.md", [{ text: "bike" }, { text: "shed" }]));
      setMissingVectors(index);
      index.put(makeFile("a.md", [{ text: "lamp" }]));
      expect(find(index, "bike shed lamp")).toEqual(["lamp"]);
      expect(index.nearest(vectorOf("bike"), 10, {})).toEqual([]);
      expect(index.chunksWithoutVectors(10).map(({ text }) => text)).toEqual(["lamp"]);
      expect(index.files().size).toBe(1);
    });

    test("a removed file leaves no chunk, vector, speaker or count", () => {
      using harness = open();
      const { index } = harness;
      index.put(makeFile("a.md", [{ text: "bike", speaker: "Anna" }]));
      const [number = -1] = index.chunksWithoutVectors(1).map((chunk) => chunk.number);
      setMissingVectors(index);
      index.remove("a.md");
      index.remove("never-there.md");
      expect([find(index, "bike"), index.nearest(vectorOf("bike"), 9, {}), index.speakers({})]).toEqual([[], [], []]);
      expect([
        index.files().size,
        index.chunks([number], {}).length,
        index.compare([number], [vectorOf("bike")]).size,
      ]).toEqual([0, 0, 0]);
      expect(index.frequencies(["bike"], {})).toEqual({ counts: [0], total: 0 });
      index.setVectors("hash", new Map([[number, vectorsOf("bike")]]));
      expect(index.nearest(vectorOf("bike"), 9, {})).toEqual([]);
    });

    test("a chunk has all fields that were put, and its neighbours", () => {
      using harness = open();
      const { index } = harness;
      const file = makeFile("a.md", [
        { text: "one", speaker: "Anna", date: "2026-05-01", supersededBy: "b".repeat(64) },
        { text: "two", audience: "room:a", integrity: "untrusted" },
        { text: "three" },
      ]);
      index.put(file);
      const chunks = index.chunksWithoutVectors(9).toReversed();
      const numbers = chunks.map(({ number }) => number);
      const [firstNumber, secondNumber, thirdNumber] = numbers;
      const foundChunks = index.chunks(numbers, {});
      expect(foundChunks.map(({ number: _, previous: _previous, next: _next, ...chunk }) => chunk)).toEqual([
        ...file.chunks,
      ]);
      expect(foundChunks.map(({ previous, next }) => [previous, next])).toEqual([
        [undefined, secondNumber],
        [firstNumber, thirdNumber],
        [secondNumber, undefined],
      ]);
      const trustedChunks = index.chunks(numbers, { integrity: "trusted" });
      expect(trustedChunks.map(({ text, previous, next }) => [text, previous, next])).toEqual([
        ["one", undefined, undefined],
        ["three", undefined, undefined],
      ]);
    });

    test("the newest chunk waits first, and is compared by its vectors once they are set", () => {
      using harness = open();
      const { index } = harness;
      index.put(makeFile("a.md", [{ text: "one" }]));
      index.put(makeFile("b.md", [{ text: "two" }]));
      expect(index.chunksWithoutVectors(9).map(({ text }) => text)).toEqual(["two", "one"]);
      setMissingVectors(index, 1);
      expect(index.chunksWithoutVectors(9).map(({ text }) => text)).toEqual(["one"]);
      const [hit] = index.nearest(vectorOf("two"), 9, {});
      expect(hit?.score).toBeCloseTo(1, 1);
      const number = hit?.chunk ?? -1;
      const similarityTo = (text: string): Similarity | undefined =>
        index.compare([number], [vectorOf("?"), vectorOf(text)]).get(number)?.similarities[1];
      expect(similarityTo("two")?.whole).toBeCloseTo(1, 2);
      expect(similarityTo("two")?.sentence).toBeCloseTo(1, 2);
      expect(similarityTo("previous two")?.withPrevious).toBeCloseTo(1, 2);
      expect(similarityTo("window two")?.window).toBeCloseTo(1, 2);
      const whole = index.compare([number], [vectorOf("?")]).get(number)?.whole;
      for (const [dimension, value] of vectorOf("two").entries()) expect(whole?.[dimension]).toBeCloseTo(value, 1);
      expect([index.compare([number], []).size, index.compare([number], [new Float32Array(7)]).size]).toEqual([0, 0]);
    });

    test("`occurrences` counts a word in the text up to fifteen times, and not in other columns", () => {
      using harness = open();
      const { index } = harness;
      index.put(makeFile("a.md", [{ text: "bike ".repeat(40), speaker: "Lamp" }, { text: "lamp, shed, lamp" }]));
      const numbers = index.chunksWithoutVectors(2).map(({ number }) => number);
      const { counts, lengths } = index.occurrences(["bike", "lamp", "river"], numbers);
      expect([...counts]).toEqual([0, 2, 0, 15, 0, 0]);
      expect([...lengths]).toEqual([3, 40]);
    });

    test("vectors of another embedder replace all earlier vectors", () => {
      using harness = open();
      const { index } = harness;
      index.put(makeFile("a.md", [{ text: "one" }, { text: "two" }]));
      setMissingVectors(index);
      const [number = -1] = index
        .chunks(
          index.nearest(vectorOf("one"), 1, {}).map(({ chunk }) => chunk),
          {},
        )
        .map((chunk) => chunk.number);
      index.setVectors("another", new Map([[number, vectorsOf("three")]]));
      expect(index.nearest(vectorOf("three"), 9, {}).map(({ chunk }) => chunk)).toEqual([number]);
      expect(index.chunksWithoutVectors(9)).toHaveLength(1);
    });

    test("after any operations, the index answers like the reference index", () => {
      const anyStep = fc.oneof(
        { weight: 5, arbitrary: anyFile.map((file) => ({ kind: "put" as const, file })) },
        { weight: 2, arbitrary: anyFile.map((file) => ({ kind: "remove" as const, path: file.path })) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((limit) => ({ kind: "vectors" as const, limit })) },
        { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
      );
      fc.assert(
        fc.property(fc.array(anyStep, { maxLength: 12 }), anyText, anyVisible, (steps, question, visible) => {
          using harness = open();
          let { index } = harness;
          const reference = createMemoryIndex();
          for (const step of steps) {
            for (const changedIndex of [index, reference]) {
              if (step.kind === "put") changedIndex.put(step.file);
              else if (step.kind === "remove") changedIndex.remove(step.path);
              else if (step.kind === "vectors") setMissingVectors(changedIndex, step.limit);
            }
            if (step.kind === "reopen") index = harness.reopen?.() ?? index;
            for (const filter of [visible, {}]) {
              expect(index.speakers(filter)).toEqual(reference.speakers(filter));
              expect(index.frequencies(toTerms(question), filter)).toEqual(
                reference.frequencies(toTerms(question), filter),
              );
              for (const limit of [3, 100]) {
                const [actualHits, expectedHits] = [index, reference].map((searched) =>
                  identifyHits(searched, searched.lexical(toTerms(question), limit, filter)),
                );
                expect(actualHits).toEqual(expectedHits ?? []);
              }
              const [nearHits, exactHits] = [index, reference].map((searched) =>
                identifyHits(searched, searched.nearest(vectorOf(question), 100, filter)),
              );
              expect(nearHits?.map(([id]) => id).sort()).toEqual(exactHits?.map(([id]) => id).sort());
              const scores = new Map(exactHits);
              for (const [id, score] of nearHits ?? [])
                expect(Math.abs(score - (scores.get(id) ?? 9))).toBeLessThan(0.02);
              const [actual, expected] = [index, reference].map((searched) => read(searched, question, filter));
              expect([...(actual?.keys() ?? [])]).toEqual([...(expected?.keys() ?? [])]);
              for (const [id, values] of actual ?? []) {
                for (const [position, value] of values.entries())
                  expect(value).toBeCloseTo(expected?.get(id)?.[position] ?? 9, 1);
              }
            }
          }
          expect(new Map(index.files())).toEqual(new Map(reference.files()));
        }),
        { numRuns: RUN_COUNT },
      );
    });

    test("the same files make the same index, in any order and put any number of times", () => {
      const anyFiles = fc.uniqueArray(anyFile, { selector: ({ path }) => path, maxLength: 5 });
      fc.assert(
        fc.property(anyFiles, fc.array(anyFile, { maxLength: 4 }), (files, earlierFiles) => {
          const build = (order: readonly IndexedFile[]): object => {
            using harness = open();
            let { index } = harness;
            for (const file of order) index.put(file);
            for (const path of index.files().keys()) if (!files.some((file) => file.path === path)) index.remove(path);
            setMissingVectors(index);
            const dumpBefore = dump(index);
            index = harness.reopen?.() ?? index;
            expect(dump(index)).toEqual(dumpBefore);
            return dumpBefore;
          };
          expect(build([...earlierFiles, ...files])).toEqual(build(files.toReversed()));
        }),
        { numRuns: RUN_COUNT },
      );
    });

    test("an invisible chunk is not among the hits, changes no score and is not counted", () => {
      const anyChange = fc.record({ text: anyText, speaker: fc.constantFrom("Anna", "Carl") });
      fc.assert(
        fc.property(
          fc.array(anyFile, { maxLength: 4 }),
          anyVisible,
          anyText,
          anyChange,
          (files, visible, question, change) => {
            const ask = (brain: readonly IndexedFile[]): object => {
              using harness = open();
              const { index } = harness;
              for (const file of brain) index.put(file);
              setMissingVectors(index);
              const terms = toTerms(`${question} ${change.text} Anna Carl`);
              const hits = index.lexical(terms, 100, visible);
              const nearHits = index.nearest(vectorOf(question), 100, visible);
              for (const { text, ...chunk } of index.chunks(
                [...hits, ...nearHits].map((hit) => hit.chunk),
                {},
              )) {
                expect([text, isVisible(chunk, visible)]).toEqual([text, true]);
              }
              return [
                ...[
                  identifyHits(index, hits),
                  identifyHits(index, nearHits),
                  index.frequencies(terms, visible),
                  index.speakers(visible),
                ],
                index
                  .chunks(
                    [...hits, ...nearHits].map((hit) => hit.chunk),
                    visible,
                  )
                  .map(({ number: _, previous, next, ...chunk }) => ({
                    ...chunk,
                    beside: [previous === undefined, next === undefined],
                  })),
              ];
            };
            const hide = (chunk: IndexedFile["chunks"][number]) =>
              isVisible(chunk, visible) ? chunk : { ...chunk, ...change };
            const changedFiles = files.map((file) => ({ ...file, chunks: file.chunks.map(hide) }));
            expect(ask(changedFiles)).toEqual(ask(files));
          },
        ),
        { numRuns: RUN_COUNT },
      );
    });
  });
};
