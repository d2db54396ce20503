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
  /** Longer inline runs are cut at a line break or a space. Finding links takes quadratic time, */
  runLength: 4000,
  /** and so does emphasis, in the number of its markers. */
  runMarks: 200,
  /** Nesting of quotes and lists, and separately of emphasis and links: lexer and React recurse. */
  depth: 12,
  /** Larger tables are shown as written. */
  cells: 4000,
} as const;

/** Returns the top-level blocks of a text. Link definitions in the preceding blocks, `before`, apply too. */
export const lexBlocks = (text: string, before: readonly Piece[] = []): readonly Piece[] => {
  const lexer = createLexer();
  for (const token of before) if (token.type === "def") lexer.tokens.links[token.tag] ??= token;
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
  tokenizer.fences = (source) => fences(source) ?? readUnrulyTable(tokenizer, source);

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
  let rest = source;
  for (let room = nextRunLength(rest); room < rest.length; room = nextRunLength(rest)) {
    const head = rest.slice(0, room);
    const line = head.lastIndexOf("\n");
    const space = head.lastIndexOf(" ");
    const end = line > 0 ? line : space > 0 ? space + 1 : room;
    runs.push(rest.slice(0, end));
    if (line > 0) runs.push("\n");
    rest = rest.slice(line > 0 ? end + 1 : end);
  }
  if (rest !== "") runs.push(rest);
  return runs;
};

/** Returns the length of the next run. Never splits a surrogate pair. */
const nextRunLength = (text: string): number => {
  let marks = 0;
  let room = 0;
  for (const character of text) {
    if (room + character.length > limits.runLength) break;
    if ("*_~".includes(character)) marks += 1;
    if (marks > limits.runMarks) break;
    room += character.length;
  }
  return room;
};

/**
 * Matches tables that are too large or have rows with more cells than the head, which Markdown
 * would drop. They are shown as written. (The lexer tries `fences` before its rule for tables, so
 * `createLexer` calls this function from there.)
 */
const readUnrulyTable = (tokenizer: Tokenizer, source: string): Tokens.Code | undefined => {
  const [raw, head, delimiters, body = ""] = tokenizer.rules.block.table.exec(source) ?? [];
  if (raw === undefined || head === undefined || delimiters === undefined) return undefined;
  if (!tokenizer.rules.other.tableDelimiter.test(delimiters)) return undefined;
  const columns = countCells(head);
  const rows = body.split("\n");
  const isUnruly = columns * rows.length > limits.cells || rows.some((row) => countCells(row) > columns);
  return isUnruly ? { type: "code", raw, text: raw.trimEnd() } : undefined;
};

const countCells = (row: string): number =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .replace(/\\./g, "")
    .split("|").length;
