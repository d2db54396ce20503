/** Finds the numbers and words of a text in any language, so that two texts can be compared. Pure. */

export interface Term {
  /** Equal for two forms of the same number, and for words that differ in case or in their ending. */
  readonly key: string;
  /** How strongly a shared term suggests that two texts are related. A long number is the strongest sign. */
  readonly weight: number;
  readonly from: number;
  readonly to: number;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Alphabets with long words, in which short words are mostly articles and prepositions. */
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}'’]+$/u;
const NUMBER = /\p{Nd}+(?:[.,'’]\p{Nd}+)*/gu;
/** Signs of amounts, which support the number beside them. */
const UNIT = /^[\p{Sc}%]$/u;
const MIN_ALPHABETIC_LENGTH = 4;
const MIN_OTHER_LENGTH = 2;
/** Longer alphabetic words are compared by their beginning, because their endings are inflected. */
const MAX_STEM_LENGTH = 6;

export const termsOf = (text: string): readonly Term[] => {
  const terms: Term[] = [];
  let isFirst = true;
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (UNIT.test(segment)) terms.push({ key: segment, weight: 0.5, from: index, to: index + segment.length });
    if (isWordLike !== true) continue;
    for (const match of segment.matchAll(NUMBER)) {
      const from = index + match.index;
      terms.push({ ...weighNumber(match[0]), from, to: from + match[0].length });
    }
    const word = weighWord(segment, isFirst);
    if (word !== undefined) terms.push({ ...word, from: index, to: index + segment.length });
    isFirst = false;
  }
  return terms;
};

type TermWeight = Pick<Term, "key" | "weight">;

const weighNumber = (text: string): TermWeight => {
  const value = normalizeNumber(text);
  const digits = value.replace(".", "").length;
  const isYear = /^(?:19|20)\d\d$/.test(value);
  const weight = isYear || digits === 2 ? 1.5 : digits > 3 || value.includes(".") ? 3.5 : digits === 3 ? 2.5 : 0.25;
  return { key: `#${value}`, weight };
};

/** Returns the number with ASCII digits, a decimal point, and no group separators: "1.234,50" is "1234.5". */
export const normalizeNumber = (text: string): string => {
  const ascii = text.normalize("NFKC").replace(/\p{Nd}/gu, toAsciiDigit);
  const [, integerPart = "", fraction] = /^(.*?)(?:[.,](\d+))?$/.exec(ascii) ?? [];
  const separators = new Set(ascii.replace(/\d/g, ""));
  // Three digits after the only kind of separator are a group, as in "1.234" and "1,234,567".
  const isGroup = fraction?.length === 3 && separators.size === 1 && !/^0+$/.test(integerPart);
  const digits = (isGroup ? ascii : integerPart).replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const decimals = isGroup ? "" : (fraction ?? "").replace(/0+$/, "");
  // "12.3.2026" is a date or a version and stays as it is.
  if (!isGroup && /[.,]\d{1,2}[.,]/.test(ascii)) return ascii;
  return decimals === "" ? digits : `${digits}.${decimals}`;
};

/** The digits of a script are ten adjacent code points, so the distance from the zero is the value. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
};

const weighWord = (word: string, isFirst: boolean): TermWeight | undefined => {
  const key = word.normalize("NFKC").toLowerCase();
  if (/\p{Nd}/u.test(word)) return /\p{L}/u.test(word) ? { key, weight: 2 } : undefined;
  if (!ALPHABETIC.test(word)) return key.length < MIN_OTHER_LENGTH ? undefined : { key, weight: 1 };
  // In most languages with capital letters, a capital letter inside of a sentence begins a name.
  const isName = !isFirst && /^\p{Lu}/u.test(word);
  if (key.length < MIN_ALPHABETIC_LENGTH && !isName) return undefined;
  const weight = key.length < 5 ? 0.5 : key.length < MAX_STEM_LENGTH ? 0.75 : 1;
  return { key: key.slice(0, MAX_STEM_LENGTH), weight: isName ? weight + 0.5 : weight };
};
