/**
 * The program that `hearth bench memory` runs. Usage: memory-scale.ts fill|ask COUNT FOLDER. Fills
 * an index with COUNT chunks, or opens it like the memory process and searches it. Prints `Filled`
 * or `QueryTimes` as a line of JSON.
 */
import { existsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChunkIndex, createRetriever, type Embedder, type ScoredChunk, toTerms } from "@hearth/memory";
import { createMiniLm, openSqliteIndex } from "@hearth/memory/bun";
import { createSyntheticBrain, createVectorSource, toVectors } from "./memory-text.ts";

export interface Filled {
  /** Chunks indexed by words, per second of CPU. */
  readonly chunksPerSecond: number;
  readonly textsPerSecond: number;
}

/** Durations in milliseconds. */
export interface QueryTimes {
  readonly open: number;
  readonly embed: readonly number[];
  readonly lexical: readonly number[];
  readonly nearest: readonly number[];
  /** Times from a question to ten texts: its vector, hits by words and by vectors, and their blend. */
  readonly hybrid: readonly number[];
  /** Times of a recall with all signals, as an agent makes it, and its CPU times. */
  readonly recall: readonly number[];
  readonly recallBusy: readonly number[];
  /** Percentage of the exact ten nearest that the index finds. */
  readonly foundPercent: number;
  /** Resident memory before the model and the index are loaded, and after the searches. */
  readonly emptyMiB: number;
  readonly fullMiB: number;
}

const QUESTIONS = 120;
const WARM_UP = 8;
const SHORT_TEXTS = 400;
const SHORT_WORDS = 12;
const VECTOR_BATCH = 2000;
const PROGRESS_EVERY = 100_000;
const HITS = 10;
const EXACT_QUESTIONS = 40;
/** Number of hits of each kind in the blend. */
const REACH = 100;
const LEXICAL = 0.55;

const rssMiB = (): number => process.memoryUsage.rss() / 2 ** 20;
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Reads sentences written by people: this repository's documentation. */
const readSentences = async (): Promise<readonly string[]> => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const names = ["README.md", "ARCHITECTURE.md", "STYLE.md", ...new Bun.Glob("docs/**/*.md").scanSync({ cwd: root })];
  const texts = await Promise.all(
    names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => readFile(join(root, name), "utf8")),
  );
  const sentences = texts.flatMap((text) => text.split(/[.|:\n]+\s/).map((sentence) => sentence.trim()));
  return [...new Set(sentences.filter((sentence) => sentence.split(/\s+/).length > 4))].slice(0, 1500);
};

/**
 * Returns the CPU seconds for the words. Chunk 0 gets the first vector of the source, and so on.
 */
const fill = (index: ChunkIndex, count: number, next: () => Float32Array): number => {
  let seconds = 0;
  let waiting: number[] = [];
  const flush = (): void => {
    index.setVectors("real-like", new Map(waiting.map((number) => [number, toVectors(next)])));
    waiting = [];
  };
  let done = 0;
  for (const file of createSyntheticBrain(1).files(count)) {
    done += file.chunks.length;
    if (done % PROGRESS_EVERY === 0) console.error(`memory: ${done} of ${count} chunks written`);
    const begin = cpuSeconds();
    index.put(file);
    seconds += cpuSeconds() - begin;
    const fresh = index.chunksWithoutVectors(file.chunks.length).map(({ number }) => number);
    waiting.push(...fresh.toReversed());
    if (waiting.length >= VECTOR_BATCH) flush();
  }
  flush();
  return seconds;
};

const timesOf = async <Item>(
  items: readonly Item[],
  ask: (item: Item) => unknown,
  clock: () => number = () => performance.now(),
): Promise<readonly number[]> => {
  for (const item of items.slice(0, WARM_UP)) await ask(item);
  const times: number[] = [];
  for (const item of items.slice(WARM_UP)) {
    const begin = clock();
    await ask(item);
    times.push(clock() - begin);
  }
  return times;
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

/** Compares exact vectors, generated again, with the hits of the index. */
const recallOf = (index: ChunkIndex, count: number, next: () => Float32Array, questions: readonly Float32Array[]) => {
  const best = questions.map(() => [] as { chunk: number; score: number }[]);
  for (let chunk = 0; chunk < count; chunk += 1) {
    const vector = next();
    for (const [at, question] of questions.entries()) {
      const hits = best[at] ?? [];
      const score = dot(vector, question);
      if (hits.length === HITS && score <= (hits.at(-1)?.score ?? 0)) continue;
      hits.push({ chunk, score });
      hits.sort((a, b) => b.score - a.score);
      if (hits.length > HITS) hits.pop();
    }
  }
  const found = questions.map((question, at) => {
    const hits = new Set(index.nearest(question, HITS, {}).map(({ chunk }) => chunk));
    return (best[at] ?? []).filter(({ chunk }) => hits.has(chunk)).length;
  });
  return (100 * found.reduce((sum, hits) => sum + hits, 0)) / (questions.length * HITS);
};

/**
 * Embeds real sentences. They are stored next to the index, so that both runs use the same ones
 * even if the documentation changed.
 */
const seed = async (embedder: Embedder, path: string): Promise<readonly Float32Array[]> => {
  const kept = `${path}.sentences`;
  if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(await readSentences()));
  return embedder.embed(JSON.parse(await readFile(kept, "utf8")) as readonly string[]);
};
const sourceOf = (real: readonly Float32Array[]): (() => Float32Array) => createVectorSource(real.slice(QUESTIONS), 2);

const fillIndex = async (count: number, path: string): Promise<Filled> => {
  await using embedder = createMiniLm();
  const sentences = await readSentences();
  const short = sentences.slice(0, SHORT_TEXTS).map((text) => text.split(/\s+/).slice(0, SHORT_WORDS).join(" "));
  await embedder.embed(short.slice(0, WARM_UP));
  const begin = cpuSeconds();
  await embedder.embed(short);
  const textsPerSecond = short.length / (cpuSeconds() - begin);
  using index = openSqliteIndex({ path });
  return { chunksPerSecond: count / fill(index, count, sourceOf(await seed(embedder, path))), textsPerSecond };
};

/** Blends both kinds of hits, each scaled from its worst to its best. */
const blend = (index: ChunkIndex, terms: readonly string[], vector: Float32Array): readonly unknown[] => {
  const scores = new Map<number, number>();
  const add = (hits: readonly ScoredChunk[], weight: number): void => {
    const [most, least] = [hits[0]?.score ?? 0, hits.at(-1)?.score ?? 0];
    for (const { chunk, score } of hits) {
      scores.set(chunk, (scores.get(chunk) ?? 0) + (weight * (score - least)) / (most - least || 1));
    }
  };
  add(index.lexical(terms, REACH, {}), LEXICAL);
  add(index.nearest(vector, REACH, {}), 1 - LEXICAL);
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, HITS);
  return index.chunks(
    best.map(([chunk]) => chunk),
    {},
  );
};

const askIndex = async (count: number, path: string): Promise<QueryTimes> => {
  const emptyMiB = rssMiB();
  await using embedder = createMiniLm();
  const opening = performance.now();
  using index = openSqliteIndex({ path });
  const open = performance.now() - opening;
  const brain = createSyntheticBrain(1);
  const questions = Array.from({ length: QUESTIONS }, () => brain.question().join(" "));
  const embed = await timesOf(questions, (question) => embedder.embed([question]));
  const vectors = await embedder.embed(questions);
  const lexical = await timesOf(questions, (question) => index.lexical(toTerms(question), REACH, {}));
  const nearest = await timesOf(vectors, (vector) => index.nearest(vector, REACH, {}));
  const hybrid = await timesOf(questions, async (question) => {
    const [vector = new Float32Array(0)] = await embedder.embed([question]);
    return blend(index, toTerms(question), vector);
  });
  const retriever = createRetriever({ index, embedder });
  const ask = (query: string) => retriever.search({ query, limit: HITS, visible: {} });
  const recall = await timesOf(questions, ask);
  const recallBusy = await timesOf(questions, ask, () => 1000 * cpuSeconds());
  const fullMiB = rssMiB();
  const real = await seed(embedder, path);
  const foundPercent = recallOf(index, count, sourceOf(real), real.slice(0, EXACT_QUESTIONS));
  return { open, embed, lexical, nearest, hybrid, recall, recallBusy, foundPercent, emptyMiB, fullMiB };
};

const [mode, count, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: memory-scale.ts fill|ask COUNT FOLDER");
const run = mode === "fill" ? fillIndex : askIndex;
console.log(JSON.stringify(await run(Number(count), join(folder, "index.db"))));
process.exit(0);
