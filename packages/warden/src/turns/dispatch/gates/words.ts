/**
 * Whether talk concerns an agent, by words alone: for agents without a model to ask, and where that model does not answer. It knows no
 * language, so it has no list of words that say nothing. What is no word here, letters and digits of at least four, says nothing.
 */
import type { AgentRecord } from "@hearth/protocol";

/** Of instructions, which are long and full of everyday words, one in common is chance. */
const ENOUGH_OF_PROMPT = 2;

/** One word of its name or description, or two of its instructions, in any of these texts. */
export const concernsByWords = ({ content }: AgentRecord, texts: readonly string[]): boolean => {
  const said = wordsOf(texts.join("\n"));
  const inCommon = (text = ""): number => [...wordsOf(text)].filter((word) => said.has(word)).length;
  return inCommon(`${content.name} ${content.description ?? ""}`) > 0 || inCommon(content.prompt) >= ENOUGH_OF_PROMPT;
};

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{4,}/gu),
  );
