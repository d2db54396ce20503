/**
 * Decides by comparing words whether messages concern an agent: for agents without a model for
 * relevance, and when that model gives no answer. It works in every language, so it has no list of
 * stop words and ignores words shorter than four characters instead.
 */
import type { AgentRecord } from "@hearth/protocol";

/** Instructions are long and full of everyday words, so one shared word may be chance. */
const MIN_PROMPT_WORDS = 2;

/**
 * Whether one of these texts shares a word with the agent's name or description, or two words with
 * its instructions.
 */
export const concernsByWords = ({ content }: AgentRecord, texts: readonly string[]): boolean => {
  const wordsOfTexts = wordsOf(texts.join("\n"));
  const countCommonWords = (text = ""): number => [...wordsOf(text)].filter((word) => wordsOfTexts.has(word)).length;
  return (
    countCommonWords(`${content.name} ${content.description ?? ""}`) > 0 ||
    countCommonWords(content.prompt) >= MIN_PROMPT_WORDS
  );
};

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{4,}/gu),
  );
