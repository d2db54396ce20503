/** Replaces characters that are invisible, or that reorder or hide text, by their code points. Pure. */

/** Variation selectors: parts of scripts and emoji that change the character before them. */
const VARIANTS = String.raw`\u{34F}\u{180B}-\u{180D}\u{180F}\u{FE00}-\u{FE0F}`;
const JOINERS = String.raw`\u{200C}\u{200D}`;

/**
 * Matches controls, lone surrogates, ignorable characters (bidi controls, zero-width spaces, tags)
 * and line separators. Matches variation selectors and joiners only where they have no effect: at
 * the start, after plain ASCII, and after another of their kind. (The digits of keycap emoji are
 * ASCII.)
 */
const HIDDEN = [
  String.raw`[[\p{Cc}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u{FFF9}-\u{FFFB}]--[\t\n\r${VARIANTS}${JOINERS}]]`,
  String.raw`(?<![[^\0-\x7F]--[${VARIANTS}${JOINERS}]])[${VARIANTS}](?!\u{20E3})`,
  String.raw`(?<![[^\0-\x7F]--[${JOINERS}]])[${JOINERS}]`,
].join("|");
const RUNS = new RegExp(`((?:${HIDDEN})+)`, "gv");

/** Makes the invisible characters of a name, title or label visible. */
export const toVisible = (text: string): string => text.replace(RUNS, (run) => `‹${nameRun(run)}›`);

/** Splits a text. The parts alternate between normal text and runs of invisible characters. */
export const splitHidden = (text: string): readonly string[] => text.split(RUNS);

export const hasHidden = (text: string): boolean => text.search(RUNS) !== -1;

/** Returns a name such as `U+202E`, and `U+200B×12` for repetitions. */
export const nameRun = (run: string): string =>
  run
    .replace(/(.)\1*/gsu, (run, character: string) => {
      const count = run.length / character.length;
      return ` U+${hexOf(character)}${count > 1 ? `×${count}` : ""}`;
    })
    .trim();

const hexOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
