/**
 * Prints `weights.ts` of the memory package, fitted on all conversations of --data FOLDER. Run it
 * after changing a signal.
 */
import { parseArgs } from "node:util";
import { createExaminer } from "@hearth/memory";
import { createMiniLm } from "@hearth/memory/bun";
import { studyApart } from "./retrieval.ts";
import { toTrainingQuestion } from "./retrieval-compare.ts";
import { readConversations } from "./retrieval-data.ts";
import { learn, type TrainingQuestion } from "./retrieval-learn.ts";
import { createStore } from "./retrieval-store.ts";

const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) {
  console.error("No conversations given. Add --data FOLDER.");
  process.exit(2);
}

const say = (text: string): void => console.error(text);
const conversations = await readConversations(values.data);
await using embedder = createMiniLm();
const studied = await studyApart(conversations, embedder, say);

const wordsAlone: TrainingQuestion[] = [];
for (const { files, questions: labelled } of conversations) {
  using index = createStore(files, embedder.name, { of: () => undefined });
  const examiner = createExaminer({ index });
  for (const { question, gold } of labelled) {
    wordsAlone.push({ examined: await examiner.examine({ query: question, visible: {} }), gold });
  }
}

say("fitting");
const fitted = {
  fittedOn: conversations.map(({ hash }) => hash),
  hybrid: learn(studied.map(toTrainingQuestion)),
  lexical: learn(wordsAlone),
};
const questions = conversations.reduce((sum, { questions: labelled }) => sum + labelled.length, 0);
console.log(`/**
 * The learned weight of each signal: a conditional logit with a ridge penalty, fitted by
 * \`bench/src/retrieval-train.ts\` on ${questions} questions about ${conversations.length}
 * conversations of LoCoMo. \`hearth bench retrieval\` measures each conversation with weights
 * fitted on the others. Do not edit by hand.
 */

/** Signal name → weight. */
export interface Passes {
  readonly first: Readonly<Record<string, number>>;
  readonly second: Readonly<Record<string, number>>;
}

export interface Weights {
  /** SHA-256 of each conversation used for fitting. */
  readonly fittedOn: readonly string[];
  readonly hybrid: Passes;
  /** For searches without vectors. */
  readonly lexical: Passes;
}

export const weights: Weights = ${JSON.stringify(fitted, null, 2)};`);
process.exit(0);
