/** Markdown to tokens, in bounded time and depth. Not to elements: those are markdown.tsx and inline.tsx. */
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from "marked";

/** Text that is shown as it stands because reading further into it would cost too much. */
export interface Verbatim {
  readonly type: "verbatim";
  readonly raw: string;
}

export type Piece = MarkedToken | Verbatim;

/** Of the lexer's tokens, whose own type is open to any extension. We have none but `Verbatim`. */
export const piecesOf = (tokens: readonly Token[] | undefined): readonly Piece[] => (tokens ?? []) as readonly Piece[];

export const limits = {
  /** Of a whole text; longer ones are not read as Markdown. */
  textLength: 50_000,
  /** Of one run of inline text; longer ones are cut at a line end or a space. Links are found in square time… */
  runLength: 4000,
  /** …and so is emphasis, by the marks in a run. */
  runMarks: 200,
  /** Of quotes and lists in each other, and again of emphasis and links: the lexer and React recurse. */
  depth: 12,
  /** Of one table; a larger one is shown as it was written. */
  cells: 4000,
} as const;

/** The top-level blocks of a text. `before` are blocks that precede it: their link definitions count. */
export const lexBlocks = (text: string, before: readonly Piece[] = []): readonly Piece[] => {
  const lexer = createLexer();
  for (const token of before) if (token.type === "def") lexer.tokens.links[token.tag] ??= token;
  return piecesOf(lexer.lex(text));
};

const createLexer = (): Lexer => {
  const tokenizer = new Tokenizer();
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer });
  tokenizer.rules = { ...tokenizer.rules, inline: { ...tokenizer.rules.inline, ...inlineRules } };

  const fences = tokenizer.fences.bind(tokenizer);
  tokenizer.fences = (source) => fences(source) ?? readUnrulyTable(tokenizer, source);

  const blockTokens = lexer.blockTokens.bind(lexer);
  const inlineTokens = lexer.inlineTokens.bind(lexer);
  let blockDepth = 0;
  let inlineDepth = 0;
  // The lexer's own overload for lists of other tokens is the same function.
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

/** The lexer looks from everywhere for the @ of a mail address; what stands before one has at most 64 characters. */
const boundNames = (rule: RegExp): RegExp =>
  new RegExp(rule.source.replaceAll(/(\[[^\]]+\])\+(?=@|\(@\))/g, "$1{1,64}"));

const inlineRules = {
  text: boundNames(Lexer.rules.inline.breaks.text),
  url: boundNames(Lexer.rules.inline.breaks.url),
} as const;

/** Cuts what is too long, where it hurts least. Line ends at a cut come as runs of their own. */
const cutRuns = (source: string): readonly string[] => {
  const runs: string[] = [];
  let rest = source;
  for (let room = roomOf(rest); room < rest.length; room = roomOf(rest)) {
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

/** How much of a text one run may take. Never half of a character. */
const roomOf = (text: string): number => {
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
 * A table that is too large, or whose rows hold more cells than its head: Markdown would drop those, so it is shown as it
 * was written. (Fences are tried right before anything else that could take its lines.)
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
