/**
 * Parses the Markdown of chats line by line: headings, lists, quotes, fenced code. Tables and HTML
 * stay as written.
 */
import { type MarkKind, readSpans, type Span } from "./markdown-spans.ts";

/** A run of whole lines of one kind. */
export interface Block {
  readonly kind: "paragraph" | "heading" | "item" | "code" | "rule" | "blank";
  readonly quoted: boolean;
  /** The original Markdown text. */
  readonly source: string;
  /**
   * The prefix of the first line: `## `, `- `; for code, the opening fence without indent and
   * language.
   */
  readonly lead: string;
  /** The text without the marks of quote and prefix. */
  readonly text: string;
  readonly language: string;
}

/** How one platform writes Markdown. The arguments are already formatted. */
export interface Format {
  text(plain: string): string;
  mark(kind: MarkKind, inner: string): string;
  code(plain: string): string;
  link(inner: string, url: string): string;
  block(plain: string, language: string): string;
  quote(inner: string): string;
}

const QUOTE = /^(?: {0,3}> ?)+/;
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*$/;
const HEADING = /^ {0,3}(#{1,6}[ \t]+)(\S.*)$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(\S.*)$/;

/** Whether a line alone is something other than a paragraph. */
export const isMarkedLine = (line: string): boolean =>
  [QUOTE, FENCE, HEADING, RULE, ITEM].some((pattern) => pattern.test(line));

export const readBlocks = (text: string): readonly Block[] => {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let lineIndex = 0;
  while (lineIndex < lines.length) {
    const end = endOfBlock(lines, lineIndex);
    blocks.push(readBlock(lines.slice(lineIndex, end)));
    lineIndex = end;
  }
  return blocks;
};

const unquote = (line: string): { readonly quoted: boolean; readonly rest: string } => {
  const rest = line.replace(QUOTE, "");
  return { quoted: rest.length !== line.length, rest };
};

/** Returns the index of the line after the block that begins at `start`. */
const endOfBlock = (lines: readonly string[], start: number): number => {
  const { quoted, rest } = unquote(lines[start] ?? "");
  const fence = FENCE.exec(rest)?.[2];
  let lineIndex = start + 1;
  if (fence !== undefined) {
    for (; lineIndex < lines.length; lineIndex += 1) {
      const line = unquote(lines[lineIndex] ?? "");
      if (line.quoted !== quoted) return lineIndex;
      if (closesFence(line.rest, fence)) return lineIndex + 1;
    }
    return lineIndex;
  }
  if (rest.trim() === "" || HEADING.test(rest) || RULE.test(rest)) return lineIndex;
  for (; lineIndex < lines.length; lineIndex += 1) {
    const line = unquote(lines[lineIndex] ?? "");
    if (line.quoted !== quoted || line.rest.trim() === "" || isMarkedLine(line.rest)) return lineIndex;
  }
  return lineIndex;
};

const closesFence = (line: string, fence: string): boolean => {
  const bare = line.trim();
  return bare.length >= fence.length && bare === (fence[0] ?? "").repeat(bare.length);
};

const readBlock = (lines: readonly string[]): Block => {
  const unquoted = lines.map(unquote);
  const firstLine = unquoted[0]?.rest ?? "";
  const commonFields = { quoted: unquoted[0]?.quoted === true, source: lines.join("\n"), language: "" };
  const text = unquoted.map(({ rest }) => rest).join("\n");
  const [, indent = "", fence, language = ""] = FENCE.exec(firstLine) ?? [];
  if (fence !== undefined) {
    const lastLine = unquoted.at(-1)?.rest ?? "";
    const codeLines = unquoted.slice(1, lines.length > 1 && closesFence(lastLine, fence) ? -1 : undefined);
    const code = codeLines.map(({ rest }) => dedent(rest, indent.length)).join("\n");
    return { ...commonFields, kind: "code", lead: fence, text: code, language };
  }
  if (text.trim() === "") return { ...commonFields, kind: "blank", lead: "", text: "" };
  if (RULE.test(firstLine)) return { ...commonFields, kind: "rule", lead: "", text: "———" };
  const [, hashes, title] = HEADING.exec(firstLine) ?? [];
  if (hashes !== undefined && title !== undefined) {
    return { ...commonFields, kind: "heading", lead: hashes, text: removeHashes(title) };
  }
  const [, space = "", bullet, gap = ""] = ITEM.exec(firstLine) ?? [];
  if (bullet !== undefined) {
    const lead = space + bullet + gap;
    return { ...commonFields, kind: "item", lead, text: text.slice(lead.length) };
  }
  return { ...commonFields, kind: "paragraph", lead: "", text };
};

const dedent = (line: string, width: number): string => {
  let indent = 0;
  while (indent < width && (line[indent] === " " || line[indent] === "\t")) indent += 1;
  return line.slice(indent);
};

/** Removes the closing marks of a heading: `Title ##` becomes `Title`. */
const removeHashes = (title: string): string => {
  const trimmed = title.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === "#") end -= 1;
  return end < trimmed.length && end > 0 && /\s/.test(trimmed[end - 1] ?? "")
    ? trimmed.slice(0, end).trimEnd()
    : trimmed;
};

export const renderMarkdown = (text: string, format: Format): string => {
  const groups: { quoted: boolean; lines: string[] }[] = [];
  for (const block of readBlocks(text)) {
    const line = renderBlock(block, format);
    const lastGroup = groups.at(-1);
    if (lastGroup?.quoted === block.quoted) lastGroup.lines.push(line);
    else groups.push({ quoted: block.quoted, lines: [line] });
  }
  return groups.map(({ quoted, lines }) => (quoted ? format.quote(lines.join("\n")) : lines.join("\n"))).join("\n");
};

const renderBlock = (block: Block, format: Format): string => {
  switch (block.kind) {
    case "code":
      return block.text === "" ? "" : format.block(block.text, block.language);
    case "heading":
      return format.mark("bold", renderInline(block.text, format, ["bold"]));
    case "item":
      return format.text(block.lead.replace(/[-*+]/, "•")) + renderInline(block.text, format, []);
    case "paragraph":
      return renderInline(block.text, format, []);
    case "rule":
    case "blank":
      return format.text(block.text);
  }
};

const renderInline = (text: string, format: Format, open: readonly MarkKind[]): string => {
  const spans = readSpans(text);
  let nextSpan = 0;
  const write = (from: number, to: number, inside: readonly MarkKind[]): string => {
    let output = "";
    let position = from;
    for (let span = spans[nextSpan]; span !== undefined && span.start < to; span = spans[nextSpan]) {
      nextSpan += 1;
      output += format.text(text.slice(position, span.start)) + writeSpan(span, inside);
      position = span.end;
    }
    return output + format.text(text.slice(position, to));
  };
  const writeSpan = (span: Span, inside: readonly MarkKind[]): string => {
    switch (span.kind) {
      case "escape":
        return format.text(text.slice(span.start + 1, span.end));
      case "link":
        return format.link(write(span.label.start, span.label.end, inside), span.url);
      case "code":
        return format.code(trimCode(text.slice(span.start + span.token.length, span.end - span.token.length)));
      default: {
        const { kind, token } = span;
        const inner = write(span.start + token.length, span.end - token.length, [...inside, kind]);
        return inside.includes(kind) ? inner : format.mark(kind, inner);
      }
    }
  };
  return write(0, text.length, open);
};

/** Removes one space on each side, which separates backticks and is not part of the code. */
const trimCode = (code: string): string =>
  code.length > 2 && code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;

const plain: Format = {
  text: (text) => text,
  mark: (_kind, inner) => inner,
  code: (text) => text,
  link: (inner) => inner,
  block: (text) => text,
  quote: (inner) => inner,
};

/** Returns the text that a reader sees. */
export const readMarkdown = (text: string): string => renderMarkdown(text, plain);
