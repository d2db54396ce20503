/**
 * A call as a person is shown it: two calls that differ never read the same, nothing is left out, and no character hides, moves or
 * disguises another. What a reader could not see, or could take for something else, stands as `\u{…}`.
 */

export interface DisplayedCall {
  readonly name: string;
  /** By field. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Takes secrets out of a text, and puts `[secret NAME]` in their place. */
export type Redact = (text: string) => string;

const NAME = /^[A-Za-z_][\w.-]*$/;

/** The name on a line, and each field on one of its own. */
export const displayCall = ({ name, input }: DisplayedCall, redact: Redact = (text) => text): string =>
  [
    displayName(name, redact),
    ...sorted(input).map(([field, value]) => `  ${displayName(field, redact)}: ${displayValue(value, redact)}`),
  ].join("\n");

/** A value as JSON has it, on one line. */
export const displayValue = (value: unknown, redact: Redact = (text) => text): string => {
  if (typeof value === "string") return displayText(value, redact);
  if (Array.isArray(value)) return `[${value.map((one) => displayValue(one, redact)).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${sorted(value)
      .map(([name, inner]) => `${displayName(name, redact)}: ${displayValue(inner, redact)}`)
      .join(", ")}}`;
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
};

/** What is not plainly a name is quoted, so that no name reads like the text around it. */
const displayName = (name: string, redact: Redact): string =>
  NAME.test(name) && redact(name) === name ? name : displayText(name, redact);

/** How a secret that was left out begins. Whoever writes the same by hand is shown with a `\` before it. */
const MARK = "[secret ";

const displayText = (text: string, redact: Redact): string => {
  const clean = redact(text);
  if (!text.includes(MARK)) return `"${escape(clean)}"`;
  const pieces = text.split(MARK).map(redact);
  // A secret that has the mark in itself is left out of the whole.
  return pieces.join(MARK) === clean ? `"${pieces.map(escape).join(`\\${MARK}`)}"` : `"${escape(clean)}"`;
};

const escape = (text: string): string => {
  let shown = "";
  let before = "";
  for (const character of text) {
    shown += isPlain(character, before) ? character : escaped(character);
    before = character;
  }
  return shown;
};

const SHORT: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

const escaped = (character: string): string =>
  SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;

/** Nothing to see, in one font or another: fillers, blanks, joiners, selectors, tags. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;
/** Text of these runs the other way, and takes what stands beside it along. */
const TURNING =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\u{590}-\u{8FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFF}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const isPlain = (character: string, before: string): boolean => {
  if (character >= " " && character <= "~") return character !== '"' && character !== "\\";
  if (INVISIBLE.test(character) || TURNING.test(character)) return false;
  // A wide or a ringed letter, or several in one: they read like others.
  if (character.normalize("NFKC") !== character) return false;
  // A mark belongs to the letter before it. With one that makes another letter of both, that letter would read the same.
  return (
    !/\p{M}/u.test(character) || (/\p{L}/u.test(before) && (before + character).normalize("NFC") === before + character)
  );
};

/** By code point, whatever order they were written in. */
const sorted = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
