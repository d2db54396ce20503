/**
 * A deterministic synthetic brain: realistic word frequencies, files with topics, and vectors
 * distributed like those of real sentences.
 */
import type { ChunkVectors, IndexedFile } from "@hearth/memory";

const WORDS = 60_000;
/**
 * Flattens the distribution as if stop words were removed: the most frequent word is in every sixth
 * chunk.
 */
const FLATTEN = 30;
const TOPICS = 400;
const TOPIC_WORDS = 60;
const FILE_CHUNKS = 50;

/** Pseudo-random numbers from 0 to 1: mulberry32. */
export const createDice = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export interface SyntheticBrain {
  /** Yields files of 50 chunks, `count` chunks in total. */
  files(count: number): Iterable<IndexedFile>;
  /** Returns words that a person might search for. */
  question(): readonly string[];
}

export const createSyntheticBrain = (seed: number): SyntheticBrain => {
  const dice = createDice(seed);
  const pick = (below: number): number => Math.floor(dice() * below);
  const words = Array.from({ length: WORDS }, (_, rank) => toWord(rank));
  const sums = new Float64Array(WORDS);
  for (let rank = 0; rank < WORDS; rank += 1) sums[rank] = (sums[rank - 1] ?? 0) + 1 / (rank + FLATTEN);
  const most = sums[WORDS - 1] ?? 0;
  const pickWord = (): string => words[lowerBound(sums, dice() * most)] ?? "";
  const topics = Array.from({ length: TOPICS }, () => Array.from({ length: TOPIC_WORDS }, pickWord));
  const sentence = (topic: readonly string[], length: number): readonly string[] =>
    Array.from({ length }, () => (dice() < 0.25 ? (topic[pick(topic.length)] ?? "") : pickWord()));
  const topicOf = (): readonly string[] => topics[pick(TOPICS)] ?? [];

  return {
    *files(count) {
      for (let file = 0; file * FILE_CHUNKS < count; file += 1) {
        const path = `memory/${String(file).padStart(6, "0")}.md`;
        const topic = topicOf();
        const date = new Date(Date.UTC(2010, 0, 1) + file * 86_400_000).toISOString().slice(0, 10);
        const chunks = Array.from({ length: Math.min(FILE_CHUNKS, count - file * FILE_CHUNKS) }, (_, ordinal) => ({
          id: `${path}#${ordinal}`.padEnd(64, "0"),
          path,
          ordinal,
          headings: [date],
          date,
          ...{
            lines: [ordinal * 3 + 1, ordinal * 3 + 2] as const,
            text: `${sentence(topic, 15 + pick(40)).join(" ")}.`,
          },
          speaker: ordinal % 2 === 0 ? "Anna" : "Ben",
          audience: "private",
          integrity: "owner" as const,
        }));
        yield { path, hash: String(file), chunks };
      }
    },
    question: () => sentence(topicOf(), 4 + pick(4)),
  };
};

/** Makes a pronounceable word, some with endings that the stemmer removes. */
const toWord = (rank: number): string => {
  const syllables = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "zi", "ko", "chu", "sha"];
  let word = "";
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16] ?? "";
  return `${word}${["", "n", "ting", "s", "ly"][rank % 5] ?? ""}`;
};

const lowerBound = (sums: Float64Array, wanted: number): number => {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Mixes vectors of real sentences: mostly one, some of two others, and a little noise. */
export const createVectorSource = (real: readonly Float32Array[], seed: number): (() => Float32Array) => {
  const dice = createDice(seed);
  const [first = new Float32Array(1)] = real;
  const pick = (): Float32Array => real[Math.floor(dice() * real.length)] ?? first;
  return () => {
    const [one, two, three] = [pick(), pick(), pick()];
    const mixed = one.map((value, at) => value + 0.6 * (two[at] ?? 0) + 0.3 * (three[at] ?? 0) + (dice() - 0.5) * 0.06);
    const length = Math.sqrt(mixed.reduce((sum, value) => sum + value * value, 0));
    return mixed.map((value) => value / length);
  };
};

export const toVectors = (next: () => Float32Array): ChunkVectors => {
  const whole = next();
  return { whole, withPrevious: whole, window: whole, sentences: [whole] };
};
