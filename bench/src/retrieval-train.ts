/** Prints `weights.ts` of the memory package, fitted on all conversations of --data FOLDER. Run by whoever changes a signal. */
import { parseArgs } from "node:util";
import { createExaminer } from "@hearth/memory";
import { createMiniLm } from "@hearth/memory/bun";
import { studyApart } from "./retrieval.ts";
import { toLesson } from "./retrieval-compare.ts";
import { readConversations } from "./retrieval-data.ts";
import { learn, type Lesson } from "./retrieval-learn.ts";
import { createStore } from "./retrieval-store.ts";

const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) {
  console.error("Needs conversations: --data FOLDER");
  process.exit(2);
}

const say = (text: string): void => console.error(text);
const conversations = await readConversations(values.data);
await using embedder = createMiniLm();
const studied = await studyApart(conversations, embedder, say);

const wordsAlone: Lesson[] = [];
for (const { files, asked } of conversations) {
  using index = createStore(files, embedder.name, { of: () => undefined });
  const examiner = createExaminer({ index });
  for (const { question, gold } of asked) {
    wordsAlone.push({ examined: await examiner.examine({ query: question, visible: {} }), gold });
  }
}

say("fitting");
const fitted = {
  fittedOn: conversations.map(({ hash }) => hash),
  hybrid: learn(studied.map(toLesson)),
  lexical: learn(wordsAlone),
};
const questions = conversations.reduce((sum, { asked }) => sum + asked.length, 0);
console.log(`/**
 * What each signal is worth. Fitted on ${conversations.length} conversations of LoCoMo with ${questions} questions by \`bench/src/retrieval-train.ts\`, a conditional logit with a
 * ridge; \`hearth bench retrieval\` measures with weights that have not seen the conversation. Never edited by hand.
 */

/** Signal → what a unit of it adds. */
export interface Passes {
  readonly first: Readonly<Record<string, number>>;
  readonly second: Readonly<Record<string, number>>;
}

export interface Weights {
  /** SHA-256 of each conversation that they were fitted on. */
  readonly fittedOn: readonly string[];
  readonly hybrid: Passes;
  /** Where nothing can be compared by meaning. */
  readonly lexical: Passes;
}

export const weights: Weights = ${JSON.stringify(fitted, null, 2)};`);
process.exit(0);
