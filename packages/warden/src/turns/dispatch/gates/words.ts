/**
 * Decides by comparing words whether messages concern an agent. Used for agents that have no relevance
 * model, and when an agent's relevance model gives no answer. Words shorter than four characters are
 * ignored instead of a list of stop words, which would depend on the language.
 */
import type { AgentRecord } from "@hearth/protocol";

/** A prompt is long and full of everyday words, so one shared word may be a coincidence. */
const MIN_PROMPT_WORDS = 2;

/**
 * Whether these texts together share a word with the agent's name or description, or two words with
 * its prompt.
 */
export const sharesWords = ({ content }: AgentRecord, texts: readonly string[]): boolean => {
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
