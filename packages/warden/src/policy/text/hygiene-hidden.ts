/**
 * Removes invisible characters, which can hide instructions, reorder text or control a terminal.
 * Emoji and scripts that need such characters keep them.
 */

/** Minimum length of a removed run that leaves a mark. */
const MIN_MARKED_LENGTH = 8;
const MARK = "[hidden text left out]";

/** Matches characters outside the common ranges. Texts without such a character hide nothing. */
const UNCOMMON_CHARACTER =
  /[^\n\r\t -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u2027\u202f-\u205e\u20a0-\u20c0\u2100-\u27ff\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;
/** Matches whole terminal escape sequences, including their letters. */
const TERMINAL_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufff9-\ufffb]/g;
/** Matches other line ends, which are converted so that line patterns match. */
const LINE_END = /[\v\f\u0085\u2028\u2029]/g;
/** An empty braille pattern looks like a space. */
const BLANK_BRAILLE = /\u2800/g;
const HIDDEN_RUN = /\p{Default_Ignorable_Code_Point}+/gu;
/** Matches more marks on one letter than any script uses. */
const PILED_MARKS = /(\p{Mn}{4})\p{Mn}+/gu;

/** Returns the text as a reader sees it. */
export const withoutHidden = (text: string): string =>
  replaceUntilStable(text, (run) => ([...run].length < MIN_MARKED_LENGTH ? "" : MARK));

/** Replaces each hidden character instead of removing it, so that positions stay the same. */
export const coverHidden = (text: string): string => replaceUntilStable(text, (run) => "\uFFFD".repeat(run.length));

/**
 * Repeats until the text no longer changes, because a removal may join two parts into another
 * match.
 */
const replaceUntilStable = (text: string, replacementOf: (run: string) => string): string => {
  if (!UNCOMMON_CHARACTER.test(text)) return text;
  const cleanedText = text
    .toWellFormed()
    .replace(TERMINAL_SEQUENCE, (run) => replacementOf(run).replace(MARK, ""))
    .replace(CONTROL_CHARACTER, replacementOf)
    .replace(LINE_END, "\n")
    .replace(BLANK_BRAILLE, " ")
    .replace(HIDDEN_RUN, (run: string, position: number, fullText: string) => {
      const before = fullText.slice(Math.max(0, position - MAX_CHARACTER_UNITS), position);
      const after = fullText.slice(position + run.length, position + run.length + MAX_CHARACTER_UNITS);
      return isLegitimate(run, before, after) ? run : replacementOf(run);
    })
    .replace(
      PILED_MARKS,
      (run: string, allowedMarks: string) =>
        allowedMarks + replacementOf(run.slice(allowedMarks.length)).replace(MARK, ""),
    );
  return cleanedText === text ? text : replaceUntilStable(cleanedText, replacementOf);
};

/** Maximum number of code units of one character. */
const MAX_CHARACTER_UNITS = 2;

const ANY_TEXT = /^/u;
/** Legitimate runs, by the text before and after them. */
const LEGITIMATE_RUNS: readonly (readonly [run: RegExp, before: RegExp, after: RegExp])[] = [
  // 🏴󠁧󠁢󠁷󠁬󠁳󠁿: the three flags written with tag letters.
  [
    /^\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}$/u,
    /\u{1F3F4}$/u,
    ANY_TEXT,
  ],
  // Emoji presentation selectors and joined emoji.
  [/^[\uFE0E\uFE0F]$/u, /\p{Extended_Pictographic}$/u, ANY_TEXT],
  [/^\uFE0F$/u, /[0-9#*]$/u, /^\u20E3/u],
  [/^\uFE0F?\u200D$/u, /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20E3)$/u, /^\p{Extended_Pictographic}/u],
  // Variants of the same character.
  [/^[\uFE00-\uFE02]$/u, /(?:\p{Script=Han}|\p{Script=Myanmar}|\p{Sm})$/u, ANY_TEXT],
  [/^[\u{E0100}-\u{E01EF}]$/u, /\p{Script=Han}$/u, ANY_TEXT],
  [/^[\u180B-\u180F]$/u, /\p{Script=Mongolian}$/u, ANY_TEXT],
  // Joiners between letters.
  [
    /^[\u200C\u200D]$/u,
    /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u,
    /^[\p{L}\p{M}]/u,
  ],
  // An archaic Hangul syllable without its first letter.
  [/^\u115F$/u, ANY_TEXT, /^[\u1161-\u11FF]/u],
];

const isLegitimate = (run: string, before: string, after: string): boolean =>
  LEGITIMATE_RUNS.some(
    ([shape, beforePattern, afterPattern]) => shape.test(run) && beforePattern.test(before) && afterPattern.test(after),
  );
