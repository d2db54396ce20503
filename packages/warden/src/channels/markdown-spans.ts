/**
 * Parses emphasis, code and links inside a Markdown paragraph into spans with positions. Spans nest
 * and never cross, and no span contains one with its own token. So a text can be cut anywhere, its
 * open marks closed and reopened, without a change of meaning.
 */

export type MarkKind = "bold" | "italic" | "strike";

export type Span =
  /** The content is between two tokens. */
  | { readonly kind: MarkKind | "code"; readonly token: string; readonly start: number; readonly end: number }
  | {
      readonly kind: "link";
      readonly start: number;
      readonly end: number;
      readonly url: string;
      /** The position of the link's text. */
      readonly label: { readonly start: number; readonly end: number };
    }
  /** A backslash, and the character that it escapes. */
  | { readonly kind: "escape"; readonly start: number; readonly end: number };

interface Opener {
  readonly token: string;
  readonly start: number;
  /** The start of its run of delimiters. */
  readonly run: number;
}

/** Longer runs of backticks are plain text. */
const MAX_TICKS = 8;
const ESCAPABLE = /[!-/:-@[-`{-~\n]/;
const LINK =
  /!?\[((?:[^[\]\\\n]|\\.){0,500})\]\(\s{0,9}(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,3}))(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)/y;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y;
const BARE_URL = /https?:\/\/[^\s<>`\\*]+/y;
const SAFE_URL = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** Returns the spans of a text, outer spans first. */
export const readSpans = (text: string, from = 0, to = text.length): readonly Span[] => {
  const spans: Span[] = [];
  const marks = createMarks(spans);
  let position = from;
  while (position < to) {
    const step = readLeaf(text, position, to);
    if (step.spans !== undefined) {
      spans.push(...step.spans);
      position = step.end;
      continue;
    }
    const run = countRun(text, position, to);
    if (run > 0) marks.meet(text, position, run, from, to);
    position = Math.max(step.end, position + Math.max(run, 1));
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
};

/** Reads an escape, code, a link or a bare address at this position. */
const readLeaf = (text: string, at: number, to: number): { readonly end: number; readonly spans?: readonly Span[] } => {
  const char = text[at];
  if (char === "\\" && at + 1 < to && ESCAPABLE.test(text[at + 1] ?? "")) {
    return { end: at + 2, spans: [{ kind: "escape", start: at, end: at + 2 }] };
  }
  if (char === "`") {
    const ticks = countTicks(text, at, to);
    const end = ticks > MAX_TICKS ? undefined : findTicks(text, at + ticks, to, ticks);
    if (end !== undefined) {
      return { end, spans: [{ kind: "code", token: "`".repeat(ticks), start: at, end }] };
    }
    return { end: at + ticks };
  }
  if (char === "[" || (char === "!" && text[at + 1] === "[")) return readLink(text, at, to) ?? { end: at + 1 };
  if (char === "<") {
    const [whole, url] = matchAt(AUTOLINK, text, at, to) ?? [];
    if (whole === undefined || url === undefined) return { end: at + 1 };
    const end = at + whole.length;
    return { end, spans: [{ kind: "link", start: at, end, url, label: { start: at + 1, end: end - 1 } }] };
  }
  if (char === "h") {
    const [url] = matchAt(BARE_URL, text, at, to) ?? [];
    if (url !== undefined) return { end: at + url.replace(/[_~.,;:!?)\]'"]{1,50}$/, "").length };
  }
  return { end: at };
};

const readLink = (text: string, at: number, to: number): { end: number; spans: readonly Span[] } | undefined => {
  const [whole, linkText, bracketed, bare] = matchAt(LINK, text, at, to) ?? [];
  const url = bracketed ?? bare ?? "";
  if (whole === undefined || linkText === undefined || !SAFE_URL.test(url)) return undefined;
  // A link without text would show nothing, so it stays as written.
  if (linkText.trim() === "") return undefined;
  const start = text.indexOf("[", at) + 1;
  const label = { start, end: start + linkText.length };
  const end = at + whole.length;
  const inner = readSpans(text, label.start, label.end).filter((span) => span.kind !== "link");
  return { end, spans: [{ kind: "link", start: at, end, url, label }, ...inner] };
};

const matchAt = (pattern: RegExp, text: string, at: number, to: number): RegExpExecArray | undefined => {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  return match !== null && at + match[0].length <= to ? match : undefined;
};

const countTicks = (text: string, at: number, to: number): number => {
  let end = at;
  while (end < to && text[end] === "`") end += 1;
  return end - at;
};

/** Returns the end of the next run of exactly `ticks` backticks. */
const findTicks = (text: string, from: number, to: number, ticks: number): number | undefined => {
  let position = text.indexOf("`", from);
  while (position !== -1 && position < to) {
    const tickCount = countTicks(text, position, to);
    if (tickCount === ticks) return position + ticks;
    position = text.indexOf("`", position + tickCount);
  }
  return undefined;
};

const countRun = (text: string, at: number, to: number): number => {
  const char = text[at];
  if (char !== "*" && char !== "_" && char !== "~") return 0;
  let end = at;
  while (end < to && text[end] === char) end += 1;
  return end - at;
};

const kinds: Readonly<Record<string, MarkKind>> = {
  "**": "bold",
  __: "bold",
  "*": "italic",
  _: "italic",
  "~~": "strike",
};

const isSpace = (char: string): boolean => /\s/.test(char);
const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char);

/**
 * The delimiters that still need a partner. Accepts more than CommonMark, because models write
 * `**note:**then` for bold text.
 */
const createMarks = (spans: Span[]) => {
  const openers: Opener[] = [];
  const lastStarts = new Map<string, number>();
  const openCounts = new Map<string, number>();

  const push = (opener: Opener): void => {
    openers.push(opener);
    openCounts.set(opener.token, (openCounts.get(opener.token) ?? 0) + 1);
  };
  const dropFrom = (index: number): void => {
    for (const { token } of openers.splice(index)) openCounts.set(token, (openCounts.get(token) ?? 1) - 1);
  };

  /** Closes the nearest opener of this token and drops unclosed openers inside it. */
  const close = (token: string, at: number): boolean => {
    if ((openCounts.get(token) ?? 0) === 0) return false;
    const index = openers.findLastIndex((candidate) => candidate.token === token);
    const opener = openers[index];
    if (opener === undefined) return false;
    const innerOpener = openers[index + 1];
    if ((lastStarts.get(token) ?? -1) > opener.start) {
      dropFrom(index);
      return false;
    }
    dropFrom(index);
    let { start } = opener;
    if (innerOpener?.run === opener.run) {
      // `***a** b*`: swaps the two tokens of one run.
      push({ token: innerOpener.token, start: opener.start, run: opener.run });
      start = opener.start + innerOpener.token.length;
    }
    spans.push({ kind: kinds[token] ?? "italic", token, start, end: at + token.length });
    lastStarts.set(token, start);
    return true;
  };

  return {
    meet(text: string, at: number, length: number, from: number, to: number): void {
      const char = text[at] ?? "";
      if (char === "~" ? length !== 2 : length > 3) return;
      const charBefore = at > from ? (text[at - 1] ?? "") : "";
      const charAfter = at + length < to ? (text[at + length] ?? "") : "";
      const isUnderscore = char === "_";
      const canClose = charBefore !== "" && !isSpace(charBefore) && !(isUnderscore && isWord(charAfter));
      const canOpen = charAfter !== "" && !isSpace(charAfter) && !(isUnderscore && isWord(charBefore));
      if (canClose && closeRun(char, at, length)) return;
      if (!canOpen) return;
      if (length !== 3) return push({ token: char.repeat(length), start: at, run: at });
      push({ token: char.repeat(2), start: at, run: at });
      push({ token: char, start: at + 2, run: at });
    },
  };

  function closeRun(char: string, at: number, length: number): boolean {
    if (length !== 3) return close(char.repeat(length), at);
    const nearestOpener = openers.findLast(({ token }) => token[0] === char);
    const firstLength = nearestOpener?.token.length === 1 ? 1 : 2;
    const isFirstClosed = close(char.repeat(firstLength), at);
    const isSecondClosed = close(char.repeat(3 - firstLength), isFirstClosed ? at + firstLength : at);
    return isFirstClosed || isSecondClosed;
  }
};
