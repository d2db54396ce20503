/**
 * Finds every part of a text that a chat platform, a mail program or a browser may turn into a
 * link. A false match costs a question, and a missed link costs the data that it carries.
 */

/**
 * Returns the part of each word that may be a link, from the start of the link to the end of the
 * word, because the following characters may belong to the link.
 */
export const linksIn = (text: string): readonly string[] => wordsOf(text).flatMap((word) => linkIn(word) ?? []);

/**
 * Returns the target of a link, in one form for all spellings, or undefined if the target is
 * unclear.
 */
export const linkTarget = (link: string): string | undefined => {
  const plainLink = toPlain(link);
  const address = /^(?:mailto:)?([^\s@/?#:]+)@([^\s@/?#:]+)$/iu.exec(plainLink);
  if (address !== null) return parse(`http://${address[2]}`)?.host.replace(/^/, `mailto:${address[1]}@`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plainLink)?.[1]?.toLowerCase();
  // `host:8080` has a port and no scheme.
  const hasScheme = scheme !== undefined && !/^[^:]+:\d+(?:[/?#]|$)/.test(plainLink);
  if (hasScheme && scheme !== "http" && scheme !== "https") return plainLink;
  const url = parse(hasScheme ? plainLink : `http://${plainLink}`);
  if (url === undefined) return undefined;
  const credentials = url.username === "" && url.password === "" ? "" : `${url.username}:${url.password}@`;
  return `${hasScheme ? `${scheme}:` : ""}//${credentials}${url.host}${url.pathname}${url.search}${url.hash}`;
};

/** Returns the target without its scheme, as browsers accept it. */
export const withoutScheme = (target: string): string => target.replace(/^https?:/, "");

/** Returns a link without the punctuation of the surrounding sentence. */
export const trimLink = (link: string): string =>
  link
    .replace(/[)\]}'"`*~.,;:!?»”’…]+$/u, "")
    // The next sentence may follow without a space; host names in such text are lower case.
    .replace(GLUED_SENTENCE, "$1");

const GLUED_SENTENCE = /^((?:https?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)\.\p{Lu}\p{L}*$/u;

const parse = (text: string): URL | undefined => URL.parse(text) ?? undefined;

/** Removes invisible characters, and normalizes dots and slashes that browsers treat alike. */
const toPlain = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "")
    .replace(/[。．｡․]/gu, ".")
    .replace(/[／⁄∕]/gu, "/")
    .replace(/：/gu, ":");

const wordsOf = (text: string): readonly string[] => toPlain(text).split(/[\s<>"]+|\]\(/u);

const linkIn = (word: string): string | undefined => {
  for (const form of [word, ...decodeForms(word)]) {
    const start = startOf(form);
    if (start !== undefined) return form.slice(start);
  }
  return undefined;
};

/** Returns the text as it is, and as programs interpret it that decode it first. */
const decodeForms = (word: string): readonly string[] => {
  const forms = [
    ...(word.includes("%") ? [decodePercent(word)] : []),
    ...(word.includes("&") ? [decodeEntities(word)] : []),
    ...(word.includes("\\") ? [word.replace(/\\(?=[^\p{L}\p{N}])/gu, ""), decodeEscapes(word)] : []),
    word.normalize("NFKC"),
  ];
  return forms.filter((form) => form !== word).map(toPlain);
};

const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = Uint8Array.from(codes.slice(1).split("%"), (code) => Number.parseInt(code, 16));
    return new TextDecoder().decode(bytes);
  });

const decodeEntities = (text: string): string =>
  text
    .replace(/&#(\d{1,7});?/g, (_, code: string) => toCharacter(Number(code)))
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, code: string) => toCharacter(Number.parseInt(code, 16)))
    .replace(
      /&(period|colon|sol|amp|commat|bsol|lowbar|num|quest);/gi,
      (_, name: string) => ENTITIES[name.toLowerCase()] ?? "",
    );

const ENTITIES: Readonly<Record<string, string>> = {
  period: ".",
  colon: ":",
  sol: "/",
  amp: "&",
  commat: "@",
  bsol: "\\",
  lowbar: "_",
  num: "#",
  quest: "?",
};

const decodeEscapes = (text: string): string =>
  text.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi,
    (_, ...codes: readonly (string | undefined)[]) =>
      toCharacter(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? "0", 16)),
  );

const toCharacter = (code: number): string => (code <= 0x10_ffff ? String.fromCodePoint(code) : "");

const DOUBLE_SLASH = /(?:[a-z][a-z0-9+.-]{0,30}:)?[\\/]{2}(?=[^\\/])/i;
/** Schemes that lead out of a page without `//`. */
export const SCHEMES =
  /(?:mailto|tel|sms|data|javascript|vbscript|file|magnet|intent|market|blob|xmpp|sips?|skype|tg|callto|facetime|whatsapp|geo|urn|view-source):(?=\S)/i;

/**
 * Returns the start of the first link of a word. Reads each run of characters once, so the time is
 * linear.
 */
const startOf = (word: string): number | undefined => {
  if (!/[.:@]|[\\/]{2}/.test(word)) return undefined;
  const starts = [DOUBLE_SLASH.exec(word)?.index, SCHEMES.exec(word)?.index];
  for (const run of word.matchAll(/[\p{L}\p{M}\p{N}_.-]+/gu)) {
    if (!isHost(run[0])) continue;
    const { index } = run;
    starts.push(index > 0 && word[index - 1] === "@" ? index - measureLocalPart(word.slice(0, index - 1)) - 1 : index);
    break;
  }
  if (/\[[0-9a-f:.]*:[0-9a-f:.]*\]/i.test(word)) starts.push(word.indexOf("["));
  const foundStarts = starts.filter((start) => start !== undefined);
  return foundStarts.length === 0 ? undefined : Math.min(...foundStarts);
};

/**
 * Whether the run is a name with dots whose later part could be a top-level domain, or an IPv4
 * address.
 */
const isHost = (run: string): boolean => {
  const labels = run.split(".").filter((label) => label !== "");
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) return true;
  return labels.slice(1).some((label) => /^(?:[\p{L}\p{M}]{2,}|xn--[a-z0-9-]+)$/iu.test(label));
};

/** Returns the length of the local part before an `@`, at the end of the text. */
const measureLocalPart = (text: string): number => {
  let length = 0;
  while (length < text.length && /[^\s()[\],:;<>"\\]/.test(text[text.length - 1 - length] ?? " ")) length += 1;
  return length;
};
