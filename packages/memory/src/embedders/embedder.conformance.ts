/** Conformance tests of `Embedder`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import type { Embedder } from "./embedder.ts";

export interface EmbedderHarness extends AsyncDisposable {
  readonly embedder: Embedder;
}

export const embedderConformance = (name: string, open: () => EmbedderHarness): void => {
  describe(`${name}: the contract of an embedder`, () => {
    let harness: EmbedderHarness;
    let embedder: Embedder;
    beforeAll(() => {
      harness = open();
      embedder = harness.embedder;
    });
    afterAll(async () => {
      await harness[Symbol.asyncDispose]();
    });

    test("returns one unit vector per text, in order", async () => {
      const texts = ["The cat sleeps on the stove.", "Invoices are due on Friday.", "The cat sleeps on the stove."];
      const vectors = await embedder.embed(texts);
      expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => embedder.dimensions));
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(vectors[2]).toEqual(vectors[0]);
      expect(vectors[1]).not.toEqual(vectors[0]);
    });

    test("the same text has the same vector, regardless of the rest of the batch", async () => {
      const text = "Anna's bike is in the shed.";
      const [vectorAlone] = await embedder.embed([text]);
      const long = "A much longer text about something else entirely, with numbers such as 3,141.5. ".repeat(12);
      const [, vectorInBatch] = await embedder.embed([long, text, "x", "!!! ??? ZZZZ"]);
      expect(vectorInBatch).toEqual(vectorAlone);
    });

    test("no texts give no vectors", async () => {
      expect(await embedder.embed([])).toEqual([]);
    });

    test("an empty, malformed or very long text has a vector", async () => {
      const texts = [
        "",
        " \n",
        "\ud800 and \udc00",
        "\0\x07\u200b",
        "x".repeat(200_000),
        "word ".repeat(50_000),
        "猫は寝る",
      ];
      const vectors = await embedder.embed(texts);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    });

    test("a question is nearer to its answer than to an unrelated text", async () => {
      const [question, answer, unrelated] = (await embedder.embed([
        "Where is the bike of Anna?",
        "The bike of Anna is in the shed.",
        "Quarterly taxes: pay before noon.",
      ])) as [Float32Array, Float32Array, Float32Array];
      expect(cosine(question, answer)).toBeGreaterThan(cosine(question, unrelated) + 0.1);
    });

    test("`embed` rejects after an abort, or finishes if the abort comes during the call", async () => {
      const abortedEmbedding = embedder.embed(["a"], AbortSignal.abort());
      expect(isHearthError(await abortedEmbedding.catch(asValue), "memory.aborted")).toBe(true);
      const texts = Array.from({ length: 5000 }, (_, index) => `text ${index}`);
      const controller = new AbortController();
      const embedding = embedder.embed(texts, controller.signal).then(() => undefined, asValue);
      controller.abort();
      const error = await embedding;
      // An embedder may finish before it sees the abort.
      if (error !== undefined) expect(isHearthError(error, "memory.aborted")).toBe(true);
    });
  });
};

const asValue = (error: unknown): unknown => error;

const cosine = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
