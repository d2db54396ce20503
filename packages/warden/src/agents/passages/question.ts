/** The search terms of an agent's question. Unlike typed words, not all of them have to match. */
import { readSearchTerms } from "../../kernel/lazy.ts";
import { contentWordsIn } from "../memory/distinctive-words.ts";

interface Term {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Number of equal first letters by which two words count as forms of one word. */
const STEM_LENGTH = 5;
/** Minimum share of the terms that a passage contains. */
const MIN_SHARE = 0.5;

/** Returns the words of the question without function words. Long words are cut to their beginning. */
export const termsOfQuestion = (query: string): readonly Term[] =>
  readSearchTerms(`${query} `).flatMap(({ text }) => {
    if (contentWordsIn(text).length === 0) return [];
    const [word = ""] = /^[\p{L}\p{M}]+/u.exec(text.replace(/^[^\p{L}\p{N}]+/u, "")) ?? [];
    const isPlain = word.length > STEM_LENGTH && !/[\p{L}\p{N}]/u.test(text.slice(text.indexOf(word) + word.length));
    return [isPlain ? { text: word.slice(0, STEM_LENGTH), isPrefix: true } : { text, isPrefix: false }];
  });

/** Whether the passage contains enough of the terms to be about the question. */
export const fitsQuestion = (text: string, terms: readonly Term[]): boolean => {
  const words = ` ${wordsOf(text)} `;
  const count = terms.filter((term) => words.includes(` ${wordsOf(term.text)}${term.isPrefix ? "" : " "}`)).length;
  return count >= terms.length * MIN_SHARE;
};

/** Returns the words with one space between them, without case and diacritics. */
const wordsOf = (text: string): string =>
  (
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");
