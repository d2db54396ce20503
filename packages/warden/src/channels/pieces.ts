/**
 * Cuts a Markdown text into messages that a platform accepts: between paragraphs if possible, else
 * between lines, else between words. Marks that a cut splits are closed before it and reopened
 * after it.
 */
import { type Block, isMarkedLine, readBlocks, readMarkdown } from "./markdown.ts";
import { readSpans, type Span } from "./markdown-spans.ts";

/** Length that is reserved for all marks that can be open at a cut. */
const MARKS_LENGTH = 16;
const MAX_LEAD_LENGTH = 32;
/** Minimum share of the limit that a piece fills, even if there is a better place to cut before it. */
const MIN_FILL = 0.5;

/**
 * Cuts a text into pieces. `limit` counts UTF-16 code units and is at least 128. Returns no pieces
 * for a text without visible characters.
 */
export const splitMarkdown = (text: string, limit: number): readonly string[] => {
  const clean = text.toWellFormed().replace(/\r\n?/g, "\n");
  const pieces = clean.length <= limit ? [clean] : pack(readBlocks(clean), limit);
  return pieces.filter(isVisible);
};

/**
 * Whether a platform would not treat the piece as an empty message, which has only spaces, controls
 * and invisible characters.
 */
const isVisible = (piece: string): boolean => /[^\p{Z}\p{Cc}\p{Cf}\s\u2800\u3164\ufffc]/u.test(readMarkdown(piece));

interface Entry {
  readonly kind: Block["kind"];
  readonly source: string;
}

const pack = (blocks: readonly Block[], limit: number): readonly string[] => {
  const pieces: string[] = [];
  let entries: Entry[] = [];
  let length = 0;
  const add = (kind: Block["kind"], source: string): void => {
    length += source.length + (entries.length === 0 ? 0 : 1);
    entries.push({ kind, source });
  };
  const flush = (count: number): void => {
    const takenSources = entries.slice(0, count).map(({ source }) => source);
    const piece = takenSources.join("\n").replace(/^\n+|\n+$/g, "");
    if (piece !== "") pieces.push(piece);
    const laterEntries = entries.slice(count);
    const start = laterEntries.findIndex(({ kind }) => kind !== "blank");
    entries = [];
    length = 0;
    if (start !== -1) for (const { kind, source } of laterEntries.slice(start)) add(kind, source);
  };
  const remainingLength = (): number => limit - length - (entries.length === 0 ? 0 : 1);

  for (const block of blocks) {
    const source = tidySource(block);
    const isLong = source.length > limit;
    if (!isLong && source.length > remainingLength()) flush(bestEnd(entries, limit));
    if (!isLong && source.length > remainingLength()) flush(entries.length);
    if (source.length <= remainingLength()) {
      add(block.kind, source);
      continue;
    }
    if (remainingLength() < limit * MIN_FILL) flush(entries.length);
    const cut = block.kind === "code" ? cutCode : cutText;
    const parts = cut(block, remainingLength(), limit);
    for (const part of parts) {
      if (part.length > remainingLength()) flush(entries.length);
      add(block.kind, part);
    }
  }
  flush(entries.length);
  return pieces;
};

/** Shortens blocks whose length has no meaning. */
const tidySource = (block: Block): string => {
  if (block.kind === "blank") return block.quoted ? ">" : "";
  if (block.kind === "rule") return block.quoted ? "> ---" : "---";
  return block.source;
};

/**
 * Returns how many entries fit: up to the last blank line if that fills enough of the limit, else
 * all. A heading stays with its text.
 */
const bestEnd = (entries: readonly Entry[], limit: number): number => {
  let length = 0;
  let count = entries.length;
  entries.forEach(({ kind, source }, index) => {
    if (kind === "blank" && length >= limit * MIN_FILL) count = index;
    length += source.length + 1;
  });
  while (count > 1 && (entries[count - 1]?.kind === "heading" || entries[count - 1]?.kind === "blank")) count -= 1;
  return count;
};

const quoteLines = (text: string, quoted: boolean): string => (quoted ? text.replace(/^/gm, "> ") : text);

const cutCode = (block: Block, firstLimit: number, limit: number): readonly string[] => {
  const fence = block.lead.length > MAX_LEAD_LENGTH ? "```" : block.lead;
  const openingFence = fence + (block.language.length > MAX_LEAD_LENGTH ? "" : block.language);
  const perLine = block.quoted ? 3 : 1;
  const overhead = openingFence.length + fence.length + 3 * perLine;
  const parts: string[] = [];
  let lines: string[] = [];
  let remainingLength = firstLimit - overhead;
  const end = (): void => {
    if (lines.length > 0) parts.push(quoteLines([openingFence, ...lines, fence].join("\n"), block.quoted));
    lines = [];
    remainingLength = limit - overhead;
  };
  for (const line of block.text.split("\n")) {
    let restOfLine = line;
    if (restOfLine.length + perLine > remainingLength) end();
    while (restOfLine.length + perLine > remainingLength) {
      const cut = safeCut(restOfLine, remainingLength - perLine);
      lines.push(restOfLine.slice(0, cut));
      restOfLine = restOfLine.slice(cut);
      end();
    }
    lines.push(restOfLine);
    remainingLength -= restOfLine.length + perLine;
  }
  end();
  return parts;
};

const cutText = (block: Block, firstLimit: number, limit: number): readonly string[] => {
  const { text, quoted } = block;
  const spans = readSpans(text);
  const forbidden = findForbidden(text, spans);
  const lead = block.lead.length > MAX_LEAD_LENGTH ? block.lead.trimStart().slice(0, MAX_LEAD_LENGTH) : block.lead;
  const leadAgain = block.kind === "heading" ? lead : "";
  const parts: string[] = [];
  let position = 0;
  let opening = lead;
  while (position < text.length) {
    const budget = (parts.length === 0 ? firstLimit : limit) - opening.length - MARKS_LENGTH - 2;
    const reach = reachOf(text, position, budget, quoted ? 2 : 0);
    if (reach >= text.length) {
      parts.push(quoteLines(opening + text.slice(position), quoted));
      break;
    }
    const cut = chooseCut(text, position, reach, spans, forbidden);
    const body = opening + text.slice(position, cut.end) + cut.marks.toReversed().join("");
    parts.push(quoteLines(body, quoted));
    position = cut.next;
    opening = leadAgain + cut.marks.join("");
    if (opening === "" && isMarkedLine(firstLine(text, position))) opening = plainStart(text, position);
    if (opening.endsWith("\\")) position += opening.length - 1;
  }
  return parts;
};

const firstLine = (text: string, at: number): string => {
  const end = text.indexOf("\n", at);
  return text.slice(at, end === -1 ? undefined : end);
};

/** `- a` → `\`, `1. a` → `1\`: text from the middle of a line must not start a list. */
const plainStart = (text: string, at: number): string => `${/^\d*/.exec(text.slice(at, at + 10))?.[0] ?? ""}\\`;

/** Returns the end of the longest piece within the budget, if every line break costs `perBreak` more characters. */
const reachOf = (text: string, at: number, budget: number, perBreak: number): number => {
  let remainingLength = budget;
  let end = at;
  while (end < text.length && remainingLength > 0) {
    remainingLength -= text[end] === "\n" ? 1 + perBreak : 1;
    end += 1;
  }
  return remainingLength < 0 ? end - 1 : end;
};

/**
 * Positions where a cut is forbidden: in links, escapes and tokens, and in code that could begin a
 * fence.
 */
const findForbidden = (text: string, spans: readonly Span[]): Uint8Array => {
  const forbidden = new Uint8Array(text.length + 1);
  for (const span of spans) {
    if (span.kind === "link" || span.kind === "escape" || (span.kind === "code" && span.token.length > 2)) {
      forbidden.fill(1, span.start + 1, span.end);
    } else {
      forbidden.fill(1, span.start + 1, span.start + span.token.length + 1);
      forbidden.fill(1, span.end - span.token.length, span.end);
    }
  }
  return forbidden;
};

interface Cut {
  readonly end: number;
  /** Where the next piece starts. */
  readonly next: number;
  /** Tokens that are open at the cut, the outer ones first. */
  readonly marks: readonly string[];
}

const DELIMITER = /[*_~`\\]/;
/** A cut beside these characters splits no word. */
const NO_LETTER = /[*_~`\\\s]/;

const chooseCut = (text: string, at: number, reach: number, spans: readonly Span[], forbidden: Uint8Array): Cut => {
  const nearbySpans = spans.flatMap((span) => ("token" in span && span.start <= reach && span.end > at ? [span] : []));
  const marksAt = (end: number, next: number): readonly string[] =>
    nearbySpans.filter((span) => span.start < end && span.end > next).map((span) => span.token);
  /** Returns a cut at this position, unless the marks that it closes and opens would be parsed differently. */
  const tryCut = (end: number, next: number, isWordEnd: boolean): Cut | undefined => {
    if (forbidden[end] === 1 || forbidden[next] === 1) return undefined;
    const adjacent = (text[end - 1] ?? "") + (text[next] ?? "");
    if (!isWordEnd && NO_LETTER.test(adjacent)) return undefined;
    const marks = marksAt(end, next);
    if (marks.length > 0 && DELIMITER.test(adjacent)) return undefined;
    const line = text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
    if (isWordEnd && text[end] !== "\n" && line.length < 200 && isMarkedLine(line)) return undefined;
    return { end, next, marks };
  };
  const cutAtSpace = (pattern: RegExp, floor: number): Cut | undefined => {
    for (let position = reach; position > floor; position -= 1) {
      if (!pattern.test(text[position] ?? "") || /\s/.test(text[position - 1] ?? "")) continue;
      let next = position;
      while (next < text.length && /\s/.test(text[next] ?? "")) next += 1;
      const cut = tryCut(position, next, true);
      if (cut !== undefined) return cut;
    }
    return undefined;
  };
  const cutAnywhere = (): Cut | undefined => {
    for (let position = reach; position > at && position > reach - 200; position -= 1) {
      const end = forbidden[position] === 1 ? at : at + safeCut(text.slice(at, position + 1), position - at);
      const cut = end > at ? tryCut(end, end, false) : undefined;
      if (cut !== undefined) return cut;
    }
    return undefined;
  };
  const end = at + safeCut(text.slice(at, reach + 1), reach - at);
  return (
    cutAtSpace(/\n/, at + Math.floor((reach - at) * MIN_FILL)) ??
    cutAtSpace(/\s/, at) ??
    cutAnywhere() ?? { end, next: end, marks: [] }
  );
};

/** Returns the last position up to `wantedEnd` that is not inside a grapheme, but at least one code point. */
const safeCut = (text: string, wantedEnd: number): number => {
  const from = Math.max(0, wantedEnd - 128);
  const inside = new Intl.Segmenter().segment(text.slice(from, wantedEnd + 1)).containing(wantedEnd - from);
  const cut = inside === undefined ? wantedEnd : from + inside.index;
  if (cut > from) return cut;
  const isLow = /[\udc00-\udfff]/.test(text[wantedEnd] ?? "");
  return wantedEnd > 1 && isLow ? wantedEnd - 1 : Math.max(wantedEnd, 1);
};
