/** The tokenizer of uncased BERT models: splits words into the longest pieces in the vocabulary. */

export interface WordPiece {
  /**
   * Returns at most `maxTokens` token ids, including begin and end marks. A longer text is
   * truncated.
   */
  encode(text: string): readonly number[];
}

export interface WordPieceOptions {
  /** Token ids by piece. Pieces that continue a word begin with `##`. */
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly maxTokens: number;
}

/** Maximum length of a word. Longer words are unknown, as they were in the training of the model. */
const MAX_WORD_LENGTH = 100;
/**
 * Maximum length of a text in characters. The model does not reach text beyond it, because a token
 * has a few characters.
 */
const MAX_TEXT_LENGTH = 16 * 1024;
const MAX_CACHED_WORDS = 100_000;

const WORDS_AND_PUNCTUATION = /[!-/:-@[-`{-~]|\p{P}|[^\s\p{P}!-/:-@[-`{-~]+/gu;
const IDEOGRAPHS =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const INVISIBLE = /[\0\ufffd]|(?![\t\n\r])\p{C}/gu;

export const createWordPiece = ({ vocabulary, maxTokens }: WordPieceOptions): WordPiece => {
  const idOf = (piece: string): number => {
    const id = vocabulary.get(piece);
    if (id === undefined) throw new RangeError(`The vocabulary has no ${piece}.`);
    return id;
  };
  const [begin, end, unknown] = [idOf("[CLS]"), idOf("[SEP]"), idOf("[UNK]")];
  const cachedWords = new Map<string, readonly number[]>();

  const splitWord = (word: string): readonly number[] => {
    const letters = [...word];
    if (letters.length > MAX_WORD_LENGTH) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < letters.length;) {
      const [id, to] = longestPiece(vocabulary, letters, from);
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to;
    }
    return ids;
  };

  const idsOf = (word: string): readonly number[] => {
    const cached = cachedWords.get(word);
    if (cached !== undefined) return cached;
    const ids = splitWord(word);
    if (cachedWords.size < MAX_CACHED_WORDS) cachedWords.set(word, ids);
    return ids;
  };

  return {
    encode(text) {
      const ids = [begin];
      for (const [word] of normalize(text.slice(0, MAX_TEXT_LENGTH)).matchAll(WORDS_AND_PUNCTUATION)) {
        ids.push(...idsOf(word));
        if (ids.length >= maxTokens) break;
      }
      return [...ids.slice(0, maxTokens - 1), end];
    },
  };
};

const longestPiece = (
  vocabulary: ReadonlyMap<string, number>,
  letters: readonly string[],
  from: number,
): readonly [id: number | undefined, to: number] => {
  for (let to = letters.length; to > from; to -= 1) {
    const id = vocabulary.get(`${from === 0 ? "" : "##"}${letters.slice(from, to).join("")}`);
    if (id !== undefined) return [id, to];
  }
  return [undefined, from];
};

/** Removes case, accents and invisible characters, and makes each ideograph a word. */
const normalize = (text: string): string =>
  text
    .replace(INVISIBLE, "")
    .replace(IDEOGRAPHS, " $& ")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
