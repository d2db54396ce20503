/**
 * Parses Markdown into tokens, with bounded time and depth. markdown.tsx and inline.tsx render
 * them.
 */
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from "marked";
import { findFootnote, type Footnote, type FootnoteMark, lexFootnote, lexFootnoteMark } from "./lex-footnotes.ts";
import { createMathLexer, type Formula } from "./lex-math.ts";

/** Text shown as written, because parsing it would cost too much. */
export interface Verbatim {
  readonly type: "verbatim";
  readonly raw: string;
}

export type Piece = MarkedToken | Verbatim | Footnote | FootnoteMark | Formula;

/** Narrows the lexer's token type, which is open to extensions. `Piece` lists ours. */
export const piecesOf = (tokens: readonly Token[] | undefined): readonly Piece[] => (tokens ?? []) as readonly Piece[];

export const limits = {
  /** Longer texts are not parsed as Markdown. */
  textLength: 50_000,
  /** Longer inline runs are cut at a line break or a space, because finding links takes quadratic time. */
  runLength: 4000,
  /** Runs with more markers of emphasis are cut, because parsing emphasis takes quadratic time in their number. */
  runMarks: 200,
  /** Nesting of quotes and lists, and separately of emphasis and links: lexer and React recurse. */
  depth: 12,
  /** Larger tables are shown as written. */
  cells: 4000,
} as const;

/** Returns the top-level blocks of a text. Link definitions in the preceding blocks, `precedingBlocks`, apply too. */
export const lexBlocks = (text: string, precedingBlocks: readonly Piece[] = []): readonly Piece[] => {
  const lexer = createLexer();
  for (const token of precedingBlocks) if (token.type === "def") lexer.tokens.links[token.tag] ??= token;
  return piecesOf(lexer.lex(text));
};

const createLexer = (): Lexer => {
  const tokenizer = new Tokenizer();
  const { lexDisplay, findDisplay, lexFormula, findFormula } = createMathLexer();
  const extensions = {
    renderers: {},
    childTokens: {},
    block: [lexFootnote, lexDisplay],
    startBlock: [findFootnote, findDisplay],
    inline: [lexFootnoteMark, lexFormula],
    startInline: [findFormula],
  };
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer, extensions });
  tokenizer.rules = { ...tokenizer.rules, inline: { ...tokenizer.rules.inline, ...inlineRules } };

  const fences = tokenizer.fences.bind(tokenizer);
  tokenizer.fences = (source) => fences(source) ?? readOversizedTable(tokenizer, source);

  const blockTokens = lexer.blockTokens.bind(lexer);
  const inlineTokens = lexer.inlineTokens.bind(lexer);
  let blockDepth = 0;
  let inlineDepth = 0;
  // The cast is safe: marked's other overload differs only in the type of `tokens`.
  lexer.blockTokens = ((source: string, tokens: Token[] = [], isClipped?: boolean): Token[] => {
    blockDepth += 1;
    if (blockDepth > limits.depth) tokens.push({ type: "verbatim", raw: source });
    else blockTokens(source, tokens, isClipped);
    blockDepth -= 1;
    lexer.state.top = true;
    return tokens;
  }) as Lexer["blockTokens"];
  lexer.inlineTokens = (source, tokens = []) => {
    inlineDepth += 1;
    if (inlineDepth > limits.depth) tokens.push({ type: "verbatim", raw: source });
    else {
      for (const run of cutRuns(source)) {
        if (run === "\n") tokens.push({ type: "br", raw: run });
        else inlineTokens(run, tokens);
      }
    }
    inlineDepth -= 1;
    return tokens;
  };
  return lexer;
};

/**
 * Limits the name of a mail address to 64 characters, because the lexer searches for a name before
 * every @.
 */
const limitLocalPart = (rule: RegExp): RegExp =>
  new RegExp(rule.source.replaceAll(/(\[[^\]]+\])\+(?=@|\(@\))/g, "$1{1,64}"));

const inlineRules = {
  text: limitLocalPart(Lexer.rules.inline.breaks.text),
  url: limitLocalPart(Lexer.rules.inline.breaks.url),
} as const;

/** Splits long runs at suitable places. Line breaks at a split become separate runs. */
const cutRuns = (source: string): readonly string[] => {
  const runs: string[] = [];
  let text = source;
  for (let length = measureNextRun(text); length < text.length; length = measureNextRun(text)) {
    const runText = text.slice(0, length);
    const line = runText.lastIndexOf("\n");
    const space = runText.lastIndexOf(" ");
    const end = line > 0 ? line : space > 0 ? space + 1 : length;
    runs.push(text.slice(0, end));
    if (line > 0) runs.push("\n");
    text = text.slice(line > 0 ? end + 1 : end);
  }
  if (text !== "") runs.push(text);
  return runs;
};

/** Returns the length of the next run. Never splits a surrogate pair. */
const measureNextRun = (text: string): number => {
  let marks = 0;
  let length = 0;
  for (const character of text) {
    if (length + character.length > limits.runLength) break;
    if ("*_~".includes(character)) marks += 1;
    if (marks > limits.runMarks) break;
    length += character.length;
  }
  return length;
};

/**
 * Matches tables that are too large or have rows with more cells than the header row, which Markdown
 * would drop. They are shown as written. (The lexer tries `fences` before its rule for tables, so
 * `createLexer` calls this function from there.)
 */
const readOversizedTable = (tokenizer: Tokenizer, source: string): Tokens.Code | undefined => {
  const [raw, headerRow, delimiters, body = ""] = tokenizer.rules.block.table.exec(source) ?? [];
  if (raw === undefined || headerRow === undefined || delimiters === undefined) return undefined;
  if (!tokenizer.rules.other.tableDelimiter.test(delimiters)) return undefined;
  const columns = countCells(headerRow);
  const rows = body.split("\n");
  const isOversized = columns * rows.length > limits.cells || rows.some((row) => countCells(row) > columns);
  return isOversized ? { type: "code", raw, text: raw.trimEnd() } : undefined;
};

const countCells = (row: string): number =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .replace(/\\./g, "")
    .split("|").length;
