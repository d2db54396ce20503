/**
 * Measures how often memory ranks the answer of a question among the first hits, on conversations
 * with known answers.
 */
import { type Embedder, weights } from "@hearth/memory";
import { createMiniLm } from "@hearth/memory/bun";
import type { Bench, Finding, Figure } from "./bench.ts";
import { compare, type Method, type Report, study, type ExaminedQuestion, unseenWeights } from "./retrieval-compare.ts";
import { type Conversation, readConversations } from "./retrieval-data.ts";
import { createStore, embedAll, type Say, textsOf, type Vectors } from "./retrieval-store.ts";

const FLOOR = 84;

export const retrieval: Bench = {
  name: "retrieval",
  about: "how often memory finds the answer, in the conversations of --data FOLDER",
  async run(site, { data }) {
    if (data === undefined) return [{ what: "answers found", skipped: "needs conversations: --data FOLDER" }];
    const conversations = await readConversations(data);
    await using embedder = createMiniLm();
    return report(await measure(conversations, embedder, (text) => site.say(text)));
  },
};

interface Measured {
  /** One store per conversation. */
  readonly apart: Readonly<Record<Method, Report>>;
  /** All conversations in one store. */
  readonly shared: Readonly<Record<Method, Report>>;
}

export const measure = async (
  conversations: readonly Conversation[],
  embedder: Embedder,
  say: Say,
): Promise<Measured> => {
  const apart = await studyApart(conversations, embedder, say);
  say("retrieval: all conversations in one store");
  const vectors = await embedAll(
    embedder,
    conversations.flatMap(({ files }) => textsOf(files)),
    say,
  );
  using index = createStore(new Map(conversations.flatMap(({ files }) => [...files])), embedder.name, vectors);
  const together = await study({ index, embedder }, conversations);
  say("retrieval: fitting weights for each conversation on the others");
  const unseen = unseenWeights(conversations, apart, weights);
  return { apart: compare(apart, unseen, weights), shared: compare(together, unseen, weights) };
};

export const studyApart = async (
  conversations: readonly Conversation[],
  embedder: Embedder,
  say: Say,
): Promise<readonly ExaminedQuestion[]> => {
  const vectors: Vectors = await embedAll(
    embedder,
    conversations.flatMap(({ files }) => textsOf(files)),
    say,
  );
  const studied: ExaminedQuestion[] = [];
  for (const conversation of conversations) {
    say(`retrieval: ${conversation.questions.length} questions about ${conversation.name}`);
    using index = createStore(conversation.files, embedder.name, vectors);
    studied.push(...(await study({ index, embedder }, [conversation])));
  }
  return studied;
};

const WORDS: Readonly<Record<Method, string>> = {
  lexical: "words alone",
  seeds: "0.7 meaning + 0.3 words",
  recipe: "fixed recipe",
  firstPass: "fitted, one pass",
  ours: "ours",
  shipped: "the shipped weights",
};

export const report = ({ apart, shared }: Measured): readonly Finding[] => {
  const methods = Object.keys(WORDS) as Method[];
  const figure = (what: string, { recallAt5, recallAt10, recallAt20, mrr, questions }: Report): Figure => ({
    what: `${what}: found among ten`,
    value: 100 * recallAt10,
    unit: "%",
    samples: questions,
    note: `${show(recallAt5)} among five, ${show(recallAt20)} among twenty, reciprocal rank ${show(mrr)}`,
  });
  const categories = Object.entries(apart.ours.categories).map(([name, { recallAt10, questions }]): Figure => ({
    what: `ours, ${name}`,
    value: 100 * recallAt10,
    unit: "%",
    samples: questions,
    note: `${show(apart.lexical.categories[name]?.recallAt10 ?? 0)} by words alone`,
  }));
  const all = methods.map((method) => figure(WORDS[method], apart[method]));
  return [
    ...all.map((result, at) => (methods[at] === "ours" ? { ...result, target: { atLeast: FLOOR } } : result)),
    ...categories,
    figure("ours, one shared store", shared.ours),
  ].map((result, at) => (at === 0 ? { ...result, record: { ...apart, shared } } : result));
};

const show = (share: number): string => (100 * share).toFixed(1);
