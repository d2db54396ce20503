/** Converts a message to the words that a person would read aloud. */

/** Maximum length of a text in a speaker's call, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/**
 * Returns the words, without code blocks, addresses and the signs of Markdown. Cuts a long text at
 * a sentence or a word.
 */
export const toSpoken = (markdown: string): string => {
  const words = markdown
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gm, "\n")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, "")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\|)\s+/gm, "")
    .replace(/^\s*[|:\s-]+$/gm, "")
    .replace(/(\*\*|__|~~|`)/g, "")
    .replace(/(^|\s)[*_](\S[^*_\n]*)[*_]/g, "$1$2")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
  const text = /[\p{L}\p{N}]/u.test(words) ? words : "";
  if (text.length <= MAX_LENGTH) return text.toWellFormed();
  const cut = text.slice(0, MAX_LENGTH);
  const end = Math.max(cut.lastIndexOf(". ") + 1, cut.lastIndexOf("\n"));
  return cut
    .slice(0, end > MAX_LENGTH / 2 ? end : Math.max(cut.lastIndexOf(" "), 1))
    .toWellFormed()
    .trim();
};
