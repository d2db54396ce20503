/** Compares all rankings of candidates on the same questions. */
import {
  blendScores,
  type ChunkIndex,
  COMMON_BLEND,
  createExaminer,
  type Embedder,
  type Examination,
  fuse,
  withContextSignals,
  type Passes,
  rank,
  baselineScores,
  toTerms,
  type Weights,
} from "@hearth/memory";
import type { LabelledQuestion, Conversation } from "./retrieval-data.ts";
import { learn, type TrainingQuestion } from "./retrieval-learn.ts";
import { meanQuality, measureOrder, type Quality } from "./retrieval-measure.ts";

export interface ExaminedQuestion {
  readonly conversation: string;
  readonly question: LabelledQuestion;
  /** Chunk ids, best first. */
  readonly lexicalOrder: readonly string[];
  readonly examined: Examination;
}

/** Number of ranked chunks, enough for every measure. */
const DEPTH = 20;

export interface Store {
  readonly index: ChunkIndex;
  readonly embedder: Embedder;
}

export const study = async (
  { index, embedder }: Store,
  conversations: readonly Conversation[],
): Promise<readonly ExaminedQuestion[]> => {
  const examiner = createExaminer({ index, embedder });
  const studied: ExaminedQuestion[] = [];
  for (const { name, questions } of conversations) {
    for (const question of questions) {
      const hits = index.lexical([...new Set(toTerms(question.question))], DEPTH, {});
      const ids = new Map(
        index
          .chunks(
            hits.map(({ chunk }) => chunk),
            {},
          )
          .map(({ number, id }) => [number, id]),
      );
      const examined = await examiner.examine({ query: question.question, visible: {} });
      studied.push({
        conversation: name,
        question,
        examined,
        lexicalOrder: hits.flatMap(({ chunk }) => ids.get(chunk) ?? []),
      });
    }
  }
  return studied;
};

export const toTrainingQuestion = ({ examined, question }: ExaminedQuestion): TrainingQuestion => ({
  examined,
  gold: question.gold,
});

/**
 * Returns weights that were not fitted on the conversation: the shipped ones if possible, else
 * weights fitted on the others.
 */
export const unseenWeights = (
  conversations: readonly Conversation[],
  studied: readonly ExaminedQuestion[],
  { fittedOn, hybrid }: Weights,
): ReadonlyMap<string, Passes> =>
  new Map(
    conversations.map(({ name, hash }) => {
      const others = studied.filter(({ conversation }) => conversation !== name);
      const isNew = !fittedOn.includes(hash);
      return [name, isNew || others.length === 0 ? hybrid : learn(others.map(toTrainingQuestion))] as const;
    }),
  );

const METHODS = ["lexical", "seeds", "recipe", "firstPass", "ours", "shipped"] as const;
export type Method = (typeof METHODS)[number];

/** The quality over all questions, and for each category and conversation. */
export interface Report extends Quality {
  readonly categories: Readonly<Record<string, Quality>>;
  readonly conversations: Readonly<Record<string, Quality>>;
}

export const compare = (
  studied: readonly ExaminedQuestion[],
  unseen: ReadonlyMap<string, Passes>,
  { hybrid }: Weights,
): Readonly<Record<Method, Report>> => {
  const orders: Readonly<Record<Method, (question: ExaminedQuestion) => readonly string[]>> = {
    lexical: ({ lexicalOrder }) => lexicalOrder,
    seeds: ({ examined }) => idsBy(examined, blendScores(examined, COMMON_BLEND, "own words")),
    recipe: ({ examined }) => idsBy(examined, baselineScores(examined)),
    firstPass: ({ examined, conversation }) =>
      idsBy(examined, firstScores(examined, unseen.get(conversation) ?? hybrid)),
    ours: ({ examined, conversation }) => idsBy(examined, bothScores(examined, unseen.get(conversation) ?? hybrid)),
    shipped: ({ examined }) => idsBy(examined, bothScores(examined, hybrid)),
  };
  const reports = METHODS.map((method) => [method, toReport(studied, orders[method])] as const);
  return Object.fromEntries(reports) as Record<Method, Report>;
};

const firstScores = (examined: Examination, { first }: Passes): Float64Array =>
  fuse(examined.ownSignals, first, examined.candidates.all.length);

const bothScores = (examined: Examination, passes: Passes): Float64Array =>
  fuse(withContextSignals(examined, firstScores(examined, passes)), passes.second, examined.candidates.all.length);

const idsBy = ({ candidates }: Examination, scores: Float64Array): readonly string[] =>
  rank(scores)
    .slice(0, DEPTH)
    .flatMap((at) => candidates.all[at]?.chunk.id ?? []);

const toReport = (
  studied: readonly ExaminedQuestion[],
  order: (question: ExaminedQuestion) => readonly string[],
): Report => {
  const rows = studied.map((question) => ({
    category: question.question.category,
    conversation: question.conversation,
    quality: measureOrder(order(question), question.question.gold),
  }));
  const by = (key: "category" | "conversation"): Readonly<Record<string, Quality>> =>
    Object.fromEntries(
      [...new Set(rows.map((row) => row[key]))]
        .sort()
        .map((name) => [name, meanQuality(rows.filter((row) => row[key] === name).map(({ quality }) => quality))]),
    );
  return {
    ...meanQuality(rows.map(({ quality }) => quality)),
    categories: by("category"),
    conversations: by("conversation"),
  };
};
