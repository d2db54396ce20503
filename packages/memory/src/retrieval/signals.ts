/** Signals of a single chunk: its words, vectors, speaker, date and kind of text. */
import type { Candidate, Candidates } from "./candidates.ts";
import type { Similarity } from "../index/chunk-index.ts";
import { scoreDate } from "./nearness.ts";
import type { Question } from "./question.ts";
import {
  countNames,
  hasQuotation,
  isReaction,
  usesFirstPerson,
  usesSecondPerson,
  mentionsNumber,
  mentionsTime,
} from "./reading.ts";
import { addWeighted, normOf, type Numbers, numbersOf, standardize } from "./scale.ts";

/** Computes one number for each candidate. */
export interface Signal<Name extends string = string> {
  readonly name: Name;
  /** "relative" is standardized among the question's candidates. "plain" is used unchanged. */
  readonly scale: "relative" | "plain";
  readonly compute: (question: Question, candidates: Candidates) => Numbers;
}

export const ownSignals = [
  { name: "lexical", scale: "relative", compute: perCandidate(({ lexical }) => lexical) },
  { name: "own words", scale: "relative", compute: rankOwnWords },
  { name: "coverage", scale: "plain", compute: (question, candidates) => coverage(question, candidates, ownTerms) },
  {
    name: "window coverage",
    scale: "plain",
    compute: (question, candidates) => coverage(question, candidates, windowTerms),
  },
  { name: "rarest word", scale: "relative", compute: rarestWeight },
  { name: "word pairs", scale: "plain", compute: countPairs },
  { name: "whole", scale: "relative", compute: fromSimilarity(({ whole }) => whole) },
  { name: "sentence", scale: "relative", compute: fromSimilarity(({ sentence }) => sentence) },
  { name: "with previous", scale: "relative", compute: fromSimilarity(({ withPrevious }) => withPrevious) },
  { name: "window", scale: "relative", compute: fromSimilarity(({ window }) => window) },
  { name: "wide window", scale: "relative", compute: (_question, candidates) => wideWindow(candidates) },
  { name: "topic", scale: "relative", compute: fromTopic(({ whole }) => whole) },
  { name: "topic in a sentence", scale: "relative", compute: fromTopic(({ sentence }) => sentence) },
  { name: "topic with previous", scale: "relative", compute: fromTopic(({ withPrevious }) => withPrevious) },
  { name: "topic in the window", scale: "relative", compute: fromTopic(({ window }) => window) },
  { name: "speaker", scale: "plain", compute: perCandidate(({ chunk }, question) => isNamed(chunk.speaker, question)) },
  {
    name: "speaks of self",
    scale: "plain",
    compute: perCandidate(({ chunk, features }, question) => {
      const named = isNamed(chunk.speaker, question);
      return named > 0 && usesFirstPerson(features) ? named : 0;
    }),
  },
  { name: "speaks to the one named", scale: "plain", compute: perCandidate(speaksToNamed) },
  {
    name: "date",
    scale: "plain",
    compute: perCandidate(({ chunk }, question) => scoreDate(chunk.date, question.time)),
  },
  { name: "length", scale: "relative", compute: perCandidate(({ chunk }) => Math.log(20 + chunk.text.length)) },
  { name: "is a question", scale: "plain", compute: perCandidate(({ features }) => Number(features.isQuestion)) },
  { name: "has a question", scale: "plain", compute: perCandidate(({ features }) => Number(features.hasQuestion)) },
  { name: "reaction", scale: "plain", compute: perCandidate(({ features }) => Number(isReaction(features))) },
  {
    name: "time for when",
    scale: "plain",
    compute: perCandidate(({ features }, question) => Number(question.kind === "when" && mentionsTime(features))),
  },
  {
    name: "number for how many",
    scale: "plain",
    compute: perCandidate(({ features }, question) => Number(question.kind === "how-many" && mentionsNumber(features))),
  },
  {
    name: "name for who or where",
    scale: "plain",
    compute: perCandidate(({ features }, question) =>
      question.kind === "who" || question.kind === "where" ? countNames(features) : 0,
    ),
  },
  {
    name: "name for what",
    scale: "plain",
    compute: perCandidate(({ features }, question) => (question.kind === "other" ? countNames(features) : 0)),
  },
  {
    name: "quote for a title",
    scale: "plain",
    compute: perCandidate(({ features }, question) => Number(question.asksTitle && hasQuotation(features))),
  },
  { name: "picture", scale: "plain", compute: perCandidate(({ features }) => Number(features.hasPicture)) },
  {
    name: "picture asked",
    scale: "plain",
    compute: perCandidate(({ features }, question) => Number(question.asksPicture && features.hasPicture)),
  },
  { name: "late", scale: "plain", compute: lateness },
] as const satisfies readonly Signal[];

export type OwnSignal = (typeof ownSignals)[number]["name"];

/** Computes a signal for each candidate separately. */
function perCandidate(compute: (candidate: Candidate, question: Question) => number): Signal["compute"] {
  return (question, { all }) => numbersOf(all, (candidate) => compute(candidate, question));
}

/** Computes a signal from the cosines with the question. The signal is NaN if the candidate has no vectors. */
function fromSimilarity(select: (similarity: Similarity) => number): Signal["compute"] {
  return (_question, { all }) =>
    numbersOf(all, ({ comparison }) => {
      const [whole] = comparison?.similarities ?? [];
      return whole === undefined ? Number.NaN : select(whole);
    });
}

/** Computes a signal as `fromSimilarity` does, for the question's topic if it differs from the question. */
function fromTopic(select: (similarity: Similarity) => number): Signal["compute"] {
  return (_question, { all }) =>
    numbersOf(all, ({ comparison }) => {
      const [whole, topic = whole] = comparison?.similarities ?? [];
      return topic === undefined ? Number.NaN : select(topic);
    });
}

const WINDOW_WEIGHTS = [1, 0.8, 0.6, 0.5] as const;

/**
 * Computes the cosine with the recent conversation: the chunk and the three before it, with
 * decreasing weights.
 */
function wideWindow({ all }: Candidates): Numbers {
  const sum = new Float64Array(all.find(({ comparison }) => comparison !== undefined)?.comparison?.whole.length ?? 0);
  return numbersOf(all, (candidate) => {
    let current: Candidate | undefined = candidate;
    let similarity = candidate.comparison === undefined ? Number.NaN : 0;
    sum.fill(0);
    for (const weight of WINDOW_WEIGHTS) {
      const [whole] = current?.comparison?.similarities ?? [];
      if (current?.comparison === undefined || whole === undefined) break;
      similarity += weight * whole.whole;
      addWeighted(sum, current.comparison.whole, weight);
      current = all[current.previous];
    }
    return similarity / (normOf(sum) || 1);
  });
}

const isNamed = (speaker: string | undefined, { namedSpeakers }: Question): number =>
  Number(speaker !== undefined && namedSpeakers.has(speaker));

function speaksToNamed({ chunk: { speaker }, features }: Candidate, { namedSpeakers }: Question): number {
  return Number(
    namedSpeakers.size === 1 && speaker !== undefined && !namedSpeakers.has(speaker) && usesSecondPerson(features),
  );
}

/** Counts the question's term pairs that are adjacent in the text. */
function countPairs({ pairs, terms }: Question, { all }: Candidates): Numbers {
  const pairPositions = pairs.map(([first, second]) => ({
    first,
    second,
    firstIndex: terms.indexOf(first),
    secondIndex: terms.indexOf(second),
  }));
  return numbersOf(all, ({ counts, features }) =>
    pairPositions.reduce(
      (sum, { first, second, firstIndex, secondIndex }) =>
        occurs(counts, firstIndex) && occurs(counts, secondIndex) && isAdjacent(features.terms(), first, second)
          ? sum + 1
          : sum,
      0,
    ),
  );
}

const occurs = (counts: Uint8Array, index: number): boolean => (counts[index] ?? 0) > 0;

const isAdjacent = (terms: readonly string[], first: string, second: string): boolean =>
  terms.some((term, index) => term === second && terms[index - 1] === first);

/** Returns the weight of a term, which is higher for rarer terms. */
const termWeight = ({ frequency, total }: Candidates, term: string): number =>
  Math.log((total + 1) / (frequency(term) + 0.5));

/** Returns for each topic term its position among the question's terms, and its weight. */
const termWeights = ({ topicTerms, terms }: Question, candidates: Candidates) =>
  topicTerms.map((term) => ({ index: terms.indexOf(term), weight: termWeight(candidates, term) }));

type TermPredicate = (candidate: Candidate, all: readonly Candidate[], index: number) => boolean;

const ownTerms: TermPredicate = ({ counts }, _all, index) => occurs(counts, index);

const windowTerms: TermPredicate = ({ counts, previous, next }, all, index) =>
  occurs(counts, index) || occursInCandidate(all[previous], index) || occursInCandidate(all[next], index);

const occursInCandidate = (candidate: Candidate | undefined, index: number): boolean =>
  candidate !== undefined && occurs(candidate.counts, index);

/** Computes the weighted share of the question's terms that occur. */
const coverage = (question: Question, candidates: Candidates, has: TermPredicate): Numbers => {
  const weights = termWeights(question, candidates);
  const sum = weights.reduce((total, { weight }) => total + weight, 0) || 1;
  const { all } = candidates;
  return numbersOf(
    all,
    (candidate) =>
      weights.reduce((found, { index, weight }) => (has(candidate, all, index) ? found + weight : found), 0) / sum,
  );
};

function rarestWeight(question: Question, candidates: Candidates): Numbers {
  const weights = termWeights(question, candidates);
  return numbersOf(candidates.all, ({ counts }) =>
    weights.reduce((highest, { index, weight }) => (occurs(counts, index) ? Math.max(highest, weight) : highest), 0),
  );
}

const BM25_SATURATION = 1.2;
const BM25_LENGTH_WEIGHT = 0.75;

/** Computes BM25 of the chunk's own text, without speakers' names. */
function rankOwnWords({ topicTerms, terms }: Question, { all, frequency, total }: Candidates): Numbers {
  const mean = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length) || 1;
  const weights = topicTerms.map((term) => ({
    index: terms.indexOf(term),
    weight: Math.log(1 + (total - frequency(term) + 0.5) / (frequency(term) + 0.5)),
  }));
  return numbersOf(all, ({ counts, length }) =>
    weights.reduce((sum, { index, weight }) => {
      const count = counts[index] ?? 0;
      const lengthFactor = 1 - BM25_LENGTH_WEIGHT + (BM25_LENGTH_WEIGHT * length) / mean;
      return sum + (weight * count * (BM25_SATURATION + 1)) / (count + BM25_SATURATION * lengthFactor);
    }, 0),
  );
}

/**
 * Computes a signal that is higher for later chunks if the question asks for the latest, and higher
 * for earlier ones if it asks for the first.
 */
function lateness({ asksLast, asksFirst }: Question, { all }: Candidates): Numbers {
  if (asksLast === asksFirst) return new Float64Array(all.length);
  const days = numbersOf(all, ({ chunk }) => (chunk.date === undefined ? Number.NaN : Date.parse(chunk.date)));
  return standardize(days).map((value) => (asksLast ? value : -value));
}
