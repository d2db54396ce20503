/** Renders a Markdown message as elements, block by block. Nothing in it can run or load. */
import type { Tokens } from "marked";
import { memo, type ReactNode, useMemo, useState } from "react";
import { classes } from "../design/classes.ts";
import { CodeBlock } from "./code-text.tsx";
import { Diagram } from "./diagram.tsx";
import { Footnotes } from "./footnotes.tsx";
import { Inline, Verbatim } from "./inline.tsx";
import { lexBlocks, limits, type Piece, piecesOf } from "./lex.ts";
import type { Footnote } from "./lex-footnotes.ts";
import styles from "./markdown.module.css";
import { Formula } from "./math.tsx";
import { PlainText } from "./plain-text.tsx";
import { Scroller } from "./scroller.tsx";
import { createGrowingText } from "./stream.ts";
import * as texts from "./text.ts";

export interface MarkdownProps {
  readonly text: string;
  /** Whether the text is still growing. */
  readonly isStreaming?: boolean;
}

export const Markdown = ({ text, isStreaming = false }: MarkdownProps) => {
  const [growingText] = useState(createGrowingText);
  const isLong = text.length > limits.textLength;
  const blocks = useMemo(() => {
    if (isLong) return [];
    return isStreaming ? growingText.read(text) : lexBlocks(text);
  }, [growingText, text, isStreaming, isLong]);
  return (
    <div dir="auto" className={classes(styles.markdown, isStreaming && styles.streaming)}>
      {isLong ? (
        <PlainText text={text} />
      ) : (
        <Footnotes notes={blocks.filter(isFootnote)} render={({ tokens }) => <Blocks pieces={piecesOf(tokens)} />}>
          <Blocks pieces={blocks.filter((block) => !isFootnote(block))} />
        </Footnotes>
      )}
    </div>
  );
};

const isFootnote = (piece: Piece): piece is Footnote => piece.type === "footnote";

/** Renders blocks, including those of quotes and list items. */
const Blocks = ({ pieces }: { readonly pieces: readonly Piece[] }) =>
  pieces.map((piece, index) => <Block key={index} piece={piece} />);

const Block = memo(({ piece }: { readonly piece: Piece }): ReactNode => {
  switch (piece.type) {
    case "space":
      return undefined;
    case "heading":
      return <Heading piece={piece} />;
    case "paragraph":
      return (
        <p dir="auto">
          <Inline pieces={piecesOf(piece.tokens)} />
        </p>
      );
    case "text":
      return (
        <Inline pieces={piece.tokens === undefined ? [{ type: "verbatim", raw: piece.raw }] : piecesOf(piece.tokens)} />
      );
    case "code":
      return <Code piece={piece} />;
    case "blockquote":
      return (
        <blockquote dir="auto">
          <Blocks pieces={piecesOf(piece.tokens)} />
        </blockquote>
      );
    case "list":
      return <List piece={piece} />;
    case "table":
      return <Table piece={piece} />;
    case "hr":
      return <hr />;
    case "def":
      return (
        <p dir="auto" className={styles.aside}>
          <Verbatim text={piece.raw} />
        </p>
      );
    // Footnotes inside other blocks are shown as written.
    case "footnote":
    case "html":
    case "verbatim":
      return (
        <p dir="auto">
          <Verbatim text={piece.raw.trimEnd()} />
        </p>
      );
    default:
      return <Inline pieces={[piece]} />;
  }
});

/** Code, or the formula or the diagram that it describes. */
const Code = ({ piece: { text, lang, raw } }: { readonly piece: Tokens.Code }) => {
  const isComplete = /(?:```|~~~)\s*$/.test(raw);
  if (lang === "math" && isComplete) return <Formula tex={text} source={text} isDisplay />;
  // A diagram that is still written has errors.
  if (lang === "mermaid" && isComplete) return <Diagram text={text} />;
  return <CodeBlock text={text} language={lang} />;
};

/** A heading. Headings of messages start at h2, because the page has an h1. */
const Heading = ({ piece }: { readonly piece: Tokens.Heading }) => {
  const Level = (["h2", "h3", "h4"] as const)[piece.depth - 1] ?? "h5";
  return (
    <Level dir="auto">
      <Inline pieces={piecesOf(piece.tokens)} />
    </Level>
  );
};

const List = ({ piece }: { readonly piece: Tokens.List }) => {
  const items = piece.items.map((item, index) => (
    <li key={index} dir="auto" className={item.task ? styles.task : undefined}>
      <Blocks pieces={piecesOf(item.tokens)} />
    </li>
  ));
  return piece.ordered ? <ol start={Number(piece.start)}>{items}</ol> : <ul>{items}</ul>;
};

const Table = ({ piece }: { readonly piece: Tokens.Table }) => (
  <Scroller label={texts.table} className={styles.table}>
    <table>
      <thead>
        <tr>
          {piece.header.map((cell, index) => (
            <Cell key={index} cell={cell} />
          ))}
        </tr>
      </thead>
      <tbody>
        {piece.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <Cell key={column} cell={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroller>
);

const Cell = ({ cell }: { readonly cell: Tokens.TableCell }) => {
  const cellProps = {
    dir: "auto",
    className: classes(cell.align === null ? undefined : styles[cell.align], styles[widthOf(cell.text)]),
  };
  const content = <Inline pieces={piecesOf(cell.tokens)} />;
  return cell.header ? (
    <th scope="col" {...cellProps}>
      {content}
    </th>
  ) : (
    <td {...cellProps}>{content}</td>
  );
};

/** Chooses the width class of a column by its longest cell. Short cells never wrap, and long ones wrap late. */
const widthOf = (text: string): "short" | "medium" | "long" => {
  if (text.length <= 14) return "short";
  return text.length <= 40 ? "medium" : "long";
};
