/**
 * Lists the forms in which a secret value may appear in bytes: the plain value, and common
 * encodings and escapes.
 */

const encoder = new TextEncoder();

/**
 * Returns every form once. Base64 has three forms, by the position of the value in a group of three
 * bytes. Each form has only the characters that the value alone determines. The forms find
 * accidental copies of a secret. A deliberate encoding can evade them; only isolation prevents
 * that.
 */
export const formsOf = (value: string): readonly Uint8Array[] => {
  const { plain, wrapped, binary } = textsOf(value);
  const forms = new Map<string, Uint8Array>();
  for (const text of [value, ...plain, ...wrapped]) forms.set(text, encoder.encode(text));
  return [...forms.values(), ...binary];
};

/**
 * Returns the forms that programs break into lines: base64, base32 and hex. Such a form may contain
 * line breaks anywhere.
 */
export const wrappedFormsOf = (value: string): readonly Uint8Array[] =>
  [...new Set(textsOf(value).wrapped)]
    // A line may end within the first characters, so the form may also begin some characters later.
    .flatMap((text) => [0, 1, 2, 3].map((skippedLength) => text.slice(skippedLength)))
    .filter(({ length }) => length >= MIN_WRAPPED_LENGTH)
    .map((text) => encoder.encode(text));

/** Minimum length of a remainder of a form. Shorter ones would match by chance. */
const MIN_WRAPPED_LENGTH = 7;
/**
 * Maximum length of a value with all forms. A longer value has fewer, because all forms are kept in
 * memory.
 */
const MAX_EXTENDED_BYTES = 4096;

const textsOf = (value: string) => {
  const bytes = encoder.encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const isExtended = bytes.length <= MAX_EXTENDED_BYTES;
  const wrapped = [
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
    ...withCases(hex.join("")),
    ...(isExtended ? [0, 1, 2, 3, 4].flatMap((shift) => withCases(base32At(bytes, shift))) : []),
  ];
  const plain = [
    ...withCases(hex.map((pair) => `%${pair}`).join("")),
    ...withPercentEncoding(value),
    ...withJsonEscapes(value),
    ...withDisguises(value),
    ...(isExtended ? [...withHtmlEscapes(value), ...withUnitEscapes(value), ...withSeparators(hex)] : []),
  ];
  return { plain, wrapped, binary: isExtended ? toUtf16(value) : [] };
};

const withCases = (text: string): readonly string[] => [text, text.toUpperCase(), text.toLowerCase()];

/** Returns the value in UTF-16 with both byte orders. */
const toUtf16 = (value: string): readonly Uint8Array[] => {
  const little = new Uint8Array(value.length * 2);
  const big = new Uint8Array(value.length * 2);
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index);
    new DataView(little.buffer).setUint16(index * 2, unit, true);
    new DataView(big.buffer).setUint16(index * 2, unit, false);
  }
  return [little, big];
};

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Returns the base32 characters that follow from the value alone, at this offset in a group of five
 * bytes.
 */
const base32At = (bytes: Uint8Array, shift: number): string => {
  const bits = shift * 8;
  const firstDigit = Math.ceil(bits / 5);
  const lastDigit = Math.floor((bits + bytes.length * 8) / 5);
  let text = "";
  for (let index = firstDigit; index < lastDigit; index += 1) {
    let value = 0;
    for (let bit = index * 5; bit < index * 5 + 5; bit += 1) {
      const from = bit - bits;
      value = value * 2 + (((bytes[Math.floor(from / 8)] ?? 0) >> (7 - (from % 8))) & 1);
    }
    text += BASE32[value];
  }
  return text;
};

/**
 * Returns the value with HTML and XML escapes: of the required characters, of all but ASCII, or of
 * each character by number.
 */
const withHtmlEscapes = (value: string): readonly string[] => {
  const quotedForms = ["&#39;", "&#x27;", "&apos;", "'"].flatMap((quote) => {
    const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", quote);
    const quoted = ["&quot;", "&#34;"].map((double) => text.replaceAll('"', double));
    return [text, ...quoted, ...quoted.map((form) => form.replaceAll("/", "&#x2F;"))];
  });
  const numbered = [
    (point: number) => `&#${point};`,
    (point: number) => `&#x${point.toString(16)};`,
    (point: number) => `&#x${point.toString(16).toUpperCase()};`,
    (point: number) => `&#X${point.toString(16).toUpperCase()};`,
  ].map((toEntity) => [...value].map((character) => toEntity(character.codePointAt(0) ?? 0)).join(""));
  return [...quotedForms, ...numbered];
};

/** Returns the value with each code unit as an escape of a programming language. */
const withUnitEscapes = (value: string): readonly string[] => {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  const toHexDigits = (unit: number, length: number): string => unit.toString(16).padStart(length, "0");
  const bytes = [...encoder.encode(value)];
  const escapes = [
    units.map((unit) => `\\u${toHexDigits(unit, 4)}`),
    units.map((unit) => `\\u${toHexDigits(unit, 4).toUpperCase()}`),
    [...value].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`),
    bytes.map((byte) => `\\x${toHexDigits(byte, 2)}`),
    bytes.map((byte) => `\\x${toHexDigits(byte, 2).toUpperCase()}`),
    bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`),
  ].map((parts) => parts.join(""));
  // The same escapes inside a JSON string.
  return escapes.flatMap((text) => [text, text.replaceAll("\\", "\\\\")]);
};

/** Returns the bytes with separators between them. */
const withSeparators = (hex: readonly string[]): readonly string[] =>
  [" ", ":", "-", ", ", ","].flatMap((between) => {
    const text = hex.join(between);
    const prefixed = hex.map((pair) => `0x${pair}`).join(between);
    const decimal = hex.map((pair) => String(Number.parseInt(pair, 16))).join(between);
    return [text, text.toUpperCase(), prefixed, decimal];
  });

const base64At = (bytes: Uint8Array, shift: number): readonly string[] => {
  const shifted = new Uint8Array(shift + bytes.length);
  shifted.set(bytes, shift);
  const firstDigit = Math.ceil((shift * 8) / 6);
  const lastDigit = Math.floor((shifted.length * 8) / 6);
  let binary = "";
  for (const byte of shifted) binary += String.fromCharCode(byte);
  const text = btoa(binary).slice(firstDigit, lastDigit);
  return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
};

/**
 * Returns the value with URL encodings: as a component, as a form, and with more characters
 * escaped; with digits in either case.
 */
const withPercentEncoding = (value: string): readonly string[] => {
  const part = encodeURIComponent(value);
  const strictForm = part.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const asForm = new URLSearchParams({ v: value }).toString().slice("v=".length);
  const asPath = encodeURI(value);
  return [part, strictForm, asForm, asPath].flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ]);
};

/**
 * Returns the value with JSON string escapes: the required ones, with slashes, with characters that
 * HTML interprets, or of all but ASCII.
 */
const withJsonEscapes = (value: string): readonly string[] => {
  const text = JSON.stringify(value).slice(1, -1);
  const slashed = text.replaceAll("/", "\\/");
  const forHtml = text.replace(/[<>&]/g, toEscape);
  return [text, slashed, forHtml].flatMap((form) => [form, form.replace(/[^\0-\x7e]/g, toEscape)]);
};

/**
 * Returns the value in lower case, as in host names, and with simple disguises: reversed and ROT13.
 */
const withDisguises = (value: string): readonly string[] => [
  value.toLowerCase(),
  [...value].toReversed().join(""),
  value.replace(/[A-Za-z]/g, (letter) => {
    const alphabetStart = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - alphabetStart + 13) % 26) + alphabetStart);
  }),
];

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
