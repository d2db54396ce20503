/**
 * Formats a call for a person. Two different calls never look the same, no part is left out, and no
 * character hides, moves or disguises another one. Invisible and confusable characters are written
 * as `\u{…}`.
 */

export interface DisplayedCall {
  readonly name: string;
  /** The input by field. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Replaces secrets in a text by `[secret NAME]`. */
export type Redact = (text: string) => string;

const NAME = /^[A-Za-z_][\w.-]*$/;

/** Returns the name on one line, and each field on its own line. */
export const displayCall = ({ name, input }: DisplayedCall, redact: Redact = (text) => text): string =>
  [
    displayName(name, redact),
    ...sortFields(input).map(([field, value]) => `  ${displayName(field, redact)}: ${displayValue(value, redact)}`),
  ].join("\n");

/** Returns a value as JSON on one line. */
export const displayValue = (value: unknown, redact: Redact = (text) => text): string => {
  if (typeof value === "string") return displayText(value, redact);
  if (Array.isArray(value)) return `[${value.map((item) => displayValue(item, redact)).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${sortFields(value)
      .map(([name, inner]) => `${displayName(name, redact)}: ${displayValue(inner, redact)}`)
      .join(", ")}}`;
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
};

/** Quotes unusual names, so that no name looks like the surrounding text. */
const displayName = (name: string, redact: Redact): string =>
  NAME.test(name) && redact(name) === name ? name : displayText(name, redact);

/**
 * The start of the mark for a redacted secret. If a person wrote this text, it is shown with a
 * preceding `\`.
 */
const SECRET_MARK = "[secret ";

const displayText = (text: string, redact: Redact): string => {
  const redacted = redact(text);
  if (!text.includes(SECRET_MARK)) return `"${escapeText(redacted)}"`;
  const pieces = text.split(SECRET_MARK).map(redact);
  // If the mark itself contains a secret, the whole text is redacted at once.
  return pieces.join(SECRET_MARK) === redacted
    ? `"${pieces.map(escapeText).join(`\\${SECRET_MARK}`)}"`
    : `"${escapeText(redacted)}"`;
};

const escapeText = (text: string): string => {
  let escapedText = "";
  let previous = "";
  for (const character of text) {
    escapedText += isPlain(character, previous) ? character : escapeCharacter(character);
    previous = character;
  }
  return escapedText;
};

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
};

const escapeCharacter = (character: string): string =>
  SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;

/** Characters without a visible shape: fillers, blanks, joiners, selectors, tags. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{1D159}]/u;
/** Matches right-to-left scripts, which reorder the text beside them. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\u{590}-\u{8FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFF}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const isPlain = (character: string, previous: string): boolean => {
  if (character >= " " && character <= "~") return character !== '"' && character !== "\\";
  if (INVISIBLE.test(character) || RIGHT_TO_LEFT.test(character)) return false;
  // Compatibility characters, such as wide letters, look like other characters.
  if (character.normalize("NFKC") !== character) return false;
  // A combining mark may follow a letter, unless both compose to another letter that looks the
  // same.
  return (
    !/\p{M}/u.test(character) ||
    (/\p{L}/u.test(previous) && (previous + character).normalize("NFC") === previous + character)
  );
};

/** Returns the fields sorted by code point. */
const sortFields = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
