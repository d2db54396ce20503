/** Signals of a single chunk: its words, vectors, speaker, date and kind of text. */
import type { Candidate, Candidates } from "./candidates.ts";
import type { Likeness } from "../index/chunk-index.ts";
import { nearness } from "./nearness.ts";
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
import { addTo, lengthOf, type Numbers, numbersOf, standardize } from "./scale.ts";

/** Computes one number for each candidate. */
export interface Signal<Name extends string = string> {
  readonly name: Name;
  /** "relative" is standardized among the question's candidates. "plain" is used unchanged. */
  readonly scale: "relative" | "plain";
  readonly of: (question: Question, candidates: Candidates) => Numbers;
}

export const ownSignals = [
  { name: "lexical", scale: "relative", of: each(({ lexical }) => lexical) },
  { name: "own words", scale: "relative", of: rankOwnWords },
  { name: "coverage", scale: "plain", of: (question, candidates) => cover(question, candidates, ownTerms) },
  {
    name: "window coverage",
    scale: "plain",
    of: (question, candidates) => cover(question, candidates, windowTerms),
  },
  { name: "rarest word", scale: "relative", of: rarest },
  { name: "word pairs", scale: "plain", of: countPairs },
  { name: "whole", scale: "relative", of: meaning(({ whole }) => whole) },
  { name: "sentence", scale: "relative", of: meaning(({ sentence }) => sentence) },
  { name: "with previous", scale: "relative", of: meaning(({ withPrevious }) => withPrevious) },
  { name: "window", scale: "relative", of: meaning(({ window }) => window) },
  { name: "wide window", scale: "relative", of: (_question, candidates) => wideWindow(candidates) },
  { name: "statement", scale: "relative", of: stated(({ whole }) => whole) },
  { name: "stated sentence", scale: "relative", of: stated(({ sentence }) => sentence) },
  { name: "speaker", scale: "plain", of: each(({ chunk }, question) => isNamed(chunk.speaker, question)) },
  {
    name: "speaks of self",
    scale: "plain",
    of: each(({ chunk, reading }, question) => {
      const named = isNamed(chunk.speaker, question);
      return named > 0 && usesFirstPerson(reading) ? named : 0;
    }),
  },
  { name: "speaks to the one named", scale: "plain", of: each(speaksToNamed) },
  { name: "date", scale: "plain", of: each(({ chunk }, question) => nearness(chunk.date, question.time)) },
  { name: "length", scale: "relative", of: each(({ chunk }) => Math.log(20 + chunk.text.length)) },
  { name: "is a question", scale: "plain", of: each(({ reading }) => Number(reading.isQuestion)) },
  { name: "has a question", scale: "plain", of: each(({ reading }) => Number(reading.hasQuestion)) },
  { name: "reaction", scale: "plain", of: each(({ reading }) => Number(isReaction(reading))) },
  {
    name: "time for when",
    scale: "plain",
    of: each(({ reading }, question) => Number(question.asks === "when" && mentionsTime(reading))),
  },
  {
    name: "number for how many",
    scale: "plain",
    of: each(({ reading }, question) => Number(question.asks === "how-many" && mentionsNumber(reading))),
  },
  {
    name: "name for who or where",
    scale: "plain",
    of: each(({ reading }, question) =>
      question.asks === "who" || question.asks === "where" ? countNames(reading) : 0,
    ),
  },
  {
    name: "name for what",
    scale: "plain",
    of: each(({ reading }, question) => (question.asks === "other" ? countNames(reading) : 0)),
  },
  {
    name: "quote for a title",
    scale: "plain",
    of: each(({ reading }, question) => Number(question.asksTitle && hasQuotation(reading))),
  },
  { name: "picture", scale: "plain", of: each(({ reading }) => Number(reading.hasPicture)) },
  {
    name: "picture asked",
    scale: "plain",
    of: each(({ reading }, question) => Number(question.asksPicture && reading.hasPicture)),
  },
  { name: "late", scale: "plain", of: late },
] as const satisfies readonly Signal[];

export type OwnSignal = (typeof ownSignals)[number]["name"];

/** Computes a signal for each candidate separately. */
function each(of: (candidate: Candidate, question: Question) => number): Signal["of"] {
  return (question, { all }) => numbersOf(all, (candidate) => of(candidate, question));
}

/** Computes a signal from the cosines with the question. NaN if the candidate has no vectors. */
function meaning(of: (likeness: Likeness) => number): Signal["of"] {
  return (_question, { all }) =>
    numbersOf(all, ({ compared }) => {
      const [whole] = compared?.likenesses ?? [];
      return whole === undefined ? Number.NaN : of(whole);
    });
}

/** Computes a signal as `meaning` does, for the question's statement form if it differs from the question. */
function stated(of: (likeness: Likeness) => number): Signal["of"] {
  return (_question, { all }) =>
    numbersOf(all, ({ compared }) => {
      const [whole, statement = whole] = compared?.likenesses ?? [];
      return statement === undefined ? Number.NaN : of(statement);
    });
}

const BEFORE = [1, 0.8, 0.6, 0.5] as const;

/**
 * Computes the cosine with the recent conversation: the chunk and the three before it, with
 * decreasing weights.
 */
function wideWindow({ all }: Candidates): Numbers {
  const sum = new Float64Array(all.find(({ compared }) => compared !== undefined)?.compared?.whole.length ?? 0);
  return numbersOf(all, (candidate) => {
    let at: Candidate | undefined = candidate;
    let like = candidate.compared === undefined ? Number.NaN : 0;
    sum.fill(0);
    for (const weight of BEFORE) {
      const [whole] = at?.compared?.likenesses ?? [];
      if (at?.compared === undefined || whole === undefined) break;
      like += weight * whole.whole;
      addTo(sum, at.compared.whole, weight);
      at = all[at.previous];
    }
    return like / (lengthOf(sum) || 1);
  });
}

const isNamed = (speaker: string | undefined, { named }: Question): number =>
  Number(speaker !== undefined && named.has(speaker));

function speaksToNamed({ chunk: { speaker }, reading }: Candidate, { named }: Question): number {
  return Number(named.size === 1 && speaker !== undefined && !named.has(speaker) && usesSecondPerson(reading));
}

/** Counts the question's term pairs that are adjacent in the text. */
function countPairs({ pairs, terms }: Question, { all }: Candidates): Numbers {
  const placed = pairs.map(([one, next]) => ({ one, next, at: terms.indexOf(one), nextAt: terms.indexOf(next) }));
  return numbersOf(all, ({ counts, reading }) =>
    placed.reduce(
      (sum, { one, next, at, nextAt }) =>
        stands(counts, at) && stands(counts, nextAt) && follows(reading.terms(), one, next) ? sum + 1 : sum,
      0,
    ),
  );
}

const stands = (counts: Uint8Array, at: number): boolean => (counts[at] ?? 0) > 0;

const follows = (terms: readonly string[], one: string, next: string): boolean =>
  terms.some((term, at) => term === next && terms[at - 1] === one);

/** Returns the weight of a term, which is higher for rarer terms. */
const weigh = ({ frequency, total }: Candidates, term: string): number =>
  Math.log((total + 1) / (frequency(term) + 0.5));

/** Returns for each `about` term its position among the question's terms, and its weight. */
const weighAll = ({ about, terms }: Question, candidates: Candidates) =>
  about.map((term) => ({ at: terms.indexOf(term), weight: weigh(candidates, term) }));

type Stands = (candidate: Candidate, all: readonly Candidate[], at: number) => boolean;

const ownTerms: Stands = ({ counts }, _all, at) => stands(counts, at);

const windowTerms: Stands = ({ counts, previous, next }, all, at) =>
  stands(counts, at) || standsIn(all[previous], at) || standsIn(all[next], at);

const standsIn = (candidate: Candidate | undefined, at: number): boolean =>
  candidate !== undefined && stands(candidate.counts, at);

/** Computes the weighted share of the question's terms that occur. */
const cover = (question: Question, candidates: Candidates, has: Stands): Numbers => {
  const weights = weighAll(question, candidates);
  const sum = weights.reduce((total, { weight }) => total + weight, 0) || 1;
  const { all } = candidates;
  return numbersOf(
    all,
    (candidate) =>
      weights.reduce((found, { at, weight }) => (has(candidate, all, at) ? found + weight : found), 0) / sum,
  );
};

function rarest(question: Question, candidates: Candidates): Numbers {
  const weights = weighAll(question, candidates);
  return numbersOf(candidates.all, ({ counts }) =>
    weights.reduce((most, { at, weight }) => (stands(counts, at) ? Math.max(most, weight) : most), 0),
  );
}

const K1 = 1.2;
const B = 0.75;

/** Computes BM25 of the chunk's own text, without speakers' names. */
function rankOwnWords({ about, terms }: Question, { all, frequency, total }: Candidates): Numbers {
  const mean = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length) || 1;
  const weights = about.map((term) => ({
    at: terms.indexOf(term),
    weight: Math.log(1 + (total - frequency(term) + 0.5) / (frequency(term) + 0.5)),
  }));
  return numbersOf(all, ({ counts, length }) =>
    weights.reduce((sum, { at, weight }) => {
      const times = counts[at] ?? 0;
      return sum + (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / mean));
    }, 0),
  );
}

/**
 * Computes a signal that is higher for later chunks if the question asks for the latest, and higher
 * for earlier ones if it asks for the first.
 */
function late({ asksLast, asksFirst }: Question, { all }: Candidates): Numbers {
  if (asksLast === asksFirst) return new Float64Array(all.length);
  const days = numbersOf(all, ({ chunk }) => (chunk.date === undefined ? Number.NaN : Date.parse(chunk.date)));
  return standardize(days).map((value) => (asksLast ? value : -value));
}
