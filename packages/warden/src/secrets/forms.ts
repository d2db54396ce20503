/** How a value may stand in bytes that somebody sends back: as it is, and as programs write it into texts of other kinds. */

const encoder = new TextEncoder();

/**
 * Every form, once. Base64 has three, by where in a group of three bytes the value begins: of each, what follows from the value alone.
 * Whoever wants a value out may write it in a way that nobody thinks of: this is against echoes, and the walls are against them.
 */
export const formsOf = (value: string): readonly Uint8Array[] => {
  const bytes = encoder.encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const texts = [
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
    ...cases(hex.join("")),
    ...cases(hex.map((pair) => `%${pair}`).join("")),
    ...percentEncoded(value),
    ...jsonEscaped(value),
    ...disguised(value),
  ];
  const forms = new Map<string, Uint8Array>();
  for (const text of [value, ...texts]) forms.set(text, encoder.encode(text));
  return [...forms.values()];
};

const cases = (text: string): readonly string[] => [text, text.toUpperCase()];

const base64At = (bytes: Uint8Array, shift: number): readonly string[] => {
  const shifted = new Uint8Array(shift + bytes.length);
  shifted.set(bytes, shift);
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor((shifted.length * 8) / 6);
  let binary = "";
  for (const byte of shifted) binary += String.fromCharCode(byte);
  const text = btoa(binary).slice(first, last);
  return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
};

/** As a part of a URL, as a form, and as those who escape more; with digits of either case. */
const percentEncoded = (value: string): readonly string[] => {
  const part = encodeURIComponent(value);
  const strict = part.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const asForm = new URLSearchParams({ v: value }).toString().slice("v=".length);
  const asPath = encodeURI(value);
  return [part, strict, asForm, asPath].flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ]);
};

/** As it stands between quotes, by those who escape what they must, slashes too, what HTML would read, or all but ASCII. */
const jsonEscaped = (value: string): readonly string[] => {
  const text = JSON.stringify(value).slice(1, -1);
  const slashed = text.replaceAll("/", "\\/");
  const forHtml = text.replace(/[<>&]/g, toEscape);
  return [text, slashed, forHtml].flatMap((form) => [form, form.replace(/[^\0-\x7e]/g, toEscape)]);
};

/** As a host's name has it, and as somebody turns it who hopes that nobody looks twice. */
const disguised = (value: string): readonly string[] => [
  value.toLowerCase(),
  [...value].toReversed().join(""),
  value.replace(/[A-Za-z]/g, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  }),
];

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
