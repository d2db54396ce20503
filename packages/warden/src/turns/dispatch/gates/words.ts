/**
 * Decides by comparing words whether messages concern an agent. Used without a model and when the
 * model gives no answer. It is independent of language, so it has no stop words; it ignores every
 * word that is not at least four letters or digits.
 */
import type { AgentRecord } from "@hearth/protocol";

/** Instructions are long and full of everyday words, so one common word is chance. */
const ENOUGH_OF_PROMPT = 2;

/**
 * Whether one of these texts shares a word with the agent's name or description, or two words with
 * its instructions.
 */
export const concernsByWords = ({ content }: AgentRecord, texts: readonly string[]): boolean => {
  const wordsOfTexts = wordsOf(texts.join("\n"));
  const inCommon = (text = ""): number => [...wordsOf(text)].filter((word) => wordsOfTexts.has(word)).length;
  return inCommon(`${content.name} ${content.description ?? ""}`) > 0 || inCommon(content.prompt) >= ENOUGH_OF_PROMPT;
};

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{4,}/gu),
  );
