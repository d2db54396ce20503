/** Splits a reply, which is Markdown, into sentences of plain text with the links that they contain. Pure. */
import { decodeEntities } from "../text/entities.ts";
import { lexBlocks, limits, type Piece, piecesOf } from "../text/lex.ts";

export interface ReplySentence {
  readonly text: string;
  /** The addresses of its links. */
  readonly links: readonly string[];
}

/** Maximum number of sentences of a reply. The rest of a longer reply is left out. */
export const MAX_SENTENCES = 300;

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Returns the sentences of each paragraph, list item, table row and line of code. */
export const sentencesOf = (reply: string): readonly (readonly ReplySentence[])[] => {
  const texts =
    reply.length > limits.textLength
      ? reply.slice(0, limits.textLength).split("\n").map(toPlain)
      : textsOf(lexBlocks(reply));
  const blocks: (readonly ReplySentence[])[] = [];
  let remainingCount = MAX_SENTENCES;
  for (const text of texts) {
    const sentences = splitSentences(text).slice(0, remainingCount);
    remainingCount -= sentences.length;
    if (sentences.length > 0) blocks.push(sentences);
  }
  return blocks;
};

/** The text of a block, and the place of each link in it. */
interface LinkedText {
  readonly text: string;
  readonly links: readonly { readonly position: number; readonly address: string }[];
}

const toPlain = (text: string): LinkedText => ({ text, links: [] });

const splitSentences = ({ text, links }: LinkedText): readonly ReplySentence[] =>
  [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const sentence = segment.replace(/\s+/g, " ").trim();
    const addresses = links
      .filter(({ position }) => position >= index && position < index + segment.length)
      .map(({ address }) => address);
    return sentence === "" ? [] : [{ text: sentence, links: addresses }];
  });

const textsOf = (pieces: readonly Piece[]): readonly LinkedText[] => {
  const texts: LinkedText[] = [];
  /** Pieces of a line that is not in a separate block, as in the items of a dense list. */
  let line: Piece[] = [];
  const endLine = (): void => {
    if (line.length > 0) texts.push(textOf(line));
    line = [];
  };
  for (const piece of pieces) {
    const blockTexts = textsOfBlock(piece);
    if (blockTexts === undefined) line.push(piece);
    else {
      endLine();
      texts.push(...blockTexts);
    }
  }
  endLine();
  return texts;
};

/** Returns the texts of a block. Undefined for a piece of a line. */
const textsOfBlock = (piece: Piece): readonly LinkedText[] | undefined => {
  switch (piece.type) {
    case "space":
    case "hr":
    case "def":
    case "html":
      return [];
    case "heading":
    case "paragraph":
      return [textOf(piecesOf(piece.tokens))];
    case "blockquote":
    case "footnote":
      return textsOf(piecesOf(piece.tokens));
    case "list":
      return piece.items.flatMap(({ tokens }) => textsOf(piecesOf(tokens)));
    case "table":
      return piece.rows.map((cells) =>
        joinCells(cells.map(({ tokens }) => textOf(piecesOf(tokens))).filter(({ text }) => text !== "")),
      );
    case "code":
      return piece.text.split("\n").map(toPlain);
    default:
      return undefined;
  }
};

const CELL_SEPARATOR = " · ";

const joinCells = (cells: readonly LinkedText[]): LinkedText =>
  cells.reduce(
    (row, cell, index) => append(index === 0 ? row : append(row, toPlain(CELL_SEPARATOR)), cell),
    toPlain(""),
  );

const append = (a: LinkedText, b: LinkedText): LinkedText => ({
  text: a.text + b.text,
  links: [...a.links, ...b.links.map(({ position, address }) => ({ position: position + a.text.length, address }))],
});

const textOf = (pieces: readonly Piece[]): LinkedText => pieces.map(textOfInline).reduce(append, toPlain(""));

const textOfInline = (piece: Piece): LinkedText => {
  switch (piece.type) {
    case "text":
      return piece.tokens === undefined ? toPlain(decodeEntities(piece.text)) : textOf(piecesOf(piece.tokens));
    case "strong":
    case "em":
    case "del":
      return textOf(piecesOf(piece.tokens));
    case "link": {
      const { text } = textOf(piecesOf(piece.tokens));
      return { text, links: [{ position: 0, address: piece.href }] };
    }
    case "escape":
    case "codespan":
    case "image":
      return toPlain(piece.text);
    case "br":
      return toPlain("\n");
    case "footnoteMark":
    case "checkbox":
      return toPlain("");
    default:
      return toPlain(piece.raw);
  }
};
