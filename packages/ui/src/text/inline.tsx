/**
 * Renders inline Markdown: emphasis, code, links. No token becomes HTML; unknown ones are shown as
 * written.
 */
import type { Tokens } from "marked";
import type { ReactNode } from "react";
import { Link as PageLink } from "wouter";
import { type CitedPart, useFindCitedPart } from "./citations.ts";
import { decodeEntities } from "./entities.ts";
import { FootnoteNumber } from "./footnotes.tsx";
import { type Piece, piecesOf } from "./lex.ts";
import { type Link, readLink } from "./link.ts";
import styles from "./markdown.module.css";
import { Formula } from "./math.tsx";
import { useFindPicture } from "./pictures.ts";
import { useFindSource } from "./sources.ts";
import * as texts from "./text.ts";
import { hasHidden, toVisible, VisibleText } from "./visible.tsx";

export interface InlineProps {
  readonly pieces: readonly Piece[];
  /** Links cannot be nested. */
  readonly isInLink?: boolean;
}

export const Inline = ({ pieces, isInLink = false }: InlineProps) =>
  pieces.map((piece, index) => <Span key={index} piece={piece} isInLink={isInLink} />);

const Span = ({ piece, isInLink }: { readonly piece: Piece; readonly isInLink: boolean }) => {
  switch (piece.type) {
    case "text":
      return <VisibleText text={decodeEntities(piece.text)} />;
    case "escape":
      return <VisibleText text={piece.text} />;
    case "strong":
      return (
        <strong>
          <Inline pieces={piecesOf(piece.tokens)} isInLink={isInLink} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline pieces={piecesOf(piece.tokens)} isInLink={isInLink} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline pieces={piecesOf(piece.tokens)} isInLink={isInLink} />
        </del>
      );
    case "codespan":
      return (
        <code dir="ltr" className={styles.span}>
          <VisibleText text={piece.text} />
        </code>
      );
    case "br":
      return <br />;
    case "checkbox":
      return (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={piece.checked ? texts.done : texts.toDo}
          checked={piece.checked}
          disabled
          readOnly
        />
      );
    case "link":
      return <Anchor piece={piece} isInLink={isInLink} />;
    case "footnoteMark":
      return <FootnoteNumber label={piece.label} raw={piece.raw} isInLink={isInLink} />;
    case "formula":
      return <Formula tex={piece.tex} source={piece.raw.trim()} isDisplay={piece.isDisplay} />;
    case "image":
      return <Image piece={piece} isInLink={isInLink} />;
    default:
      return <Verbatim text={piece.raw} />;
  }
};

/** Shows source text unchanged, with its line breaks. */
export const Verbatim = ({ text }: { readonly text: string }) => (
  <span dir="auto" className={styles.verbatim}>
    <VisibleText text={text} />
  </span>
);

const Anchor = ({ piece, isInLink }: { readonly piece: Tokens.Link; readonly isInLink: boolean }) => {
  const pieces = piecesOf(piece.tokens);
  const target = targetOf(piece);
  const words = textOf(pieces);
  const citedPart = useFindCitedPart()(target);
  const source = useFindSource()(target);
  if (citedPart !== undefined && !isInLink)
    return <CitationLink part={citedPart} pieces={pieces} words={words.trim()} />;
  const link = isInLink ? undefined : readLink(target, words);
  if (link === undefined) {
    return (
      <bdi>
        <Inline pieces={pieces} isInLink={isInLink} />
        {words === target ? undefined : <RejectedLink text={target} title={piece.title} />}
      </bdi>
    );
  }
  return (
    <bdi>
      <ExternalLink link={link} title={piece.title}>
        {words.trim() === "" && !hasHidden(words) ? link.href : <Inline pieces={pieces} isInLink />}
      </ExternalLink>
      {link.text === "address" ? undefined : <Host link={link} />}
      {source === undefined ? undefined : (
        <sup className={styles.mark}>
          <PageLink
            href={source.path}
            aria-label={texts.sourceOfRun(source.number)}
            title={texts.sourceOfRun(source.number)}
          >
            {source.number}
          </PageLink>
        </sup>
      )}
    </bdi>
  );
};

interface CitationLinkProps {
  readonly part: CitedPart;
  readonly pieces: readonly Piece[];
  /** The text of the link. */
  readonly words: string;
}

/** Shows the name of the file after words that do not contain it, because the author chose the words. */
const CitationLink = ({ part: { path, name }, pieces, words }: CitationLinkProps) => (
  <bdi>
    <PageLink href={path}>{words === "" ? toVisible(name) : <Inline pieces={pieces} isInLink />}</PageLink>
    {words === "" || words.includes(name) ? undefined : <bdi className={styles.aside}> ({toVisible(name)})</bdi>}
  </bdi>
);

/**
 * An attached picture, or a placeholder with a link to the image. An image of another host is never
 * loaded, because a request reveals who reads the message, and its address may contain data.
 */
const Image = ({ piece, isInLink }: { readonly piece: Tokens.Image; readonly isInLink: boolean }) => {
  const target = targetOf(piece);
  const description = decodeEntities(piece.text);
  const words = texts.imageOf(description);
  const picture = useFindPicture()(target);
  if (picture !== undefined) {
    const { url, name, width, height } = picture;
    return (
      <img
        className={styles.attached}
        src={url}
        alt={toVisible(description === "" ? name : description)}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    );
  }
  const link = isInLink ? undefined : readLink(target, words);
  if (link === undefined)
    return (
      <bdi>
        <VisibleText text={words} />
        <RejectedLink text={target} title={piece.title} />
      </bdi>
    );
  return (
    <bdi className={styles.image}>
      <span>
        <VisibleText text={words} />
        <Host link={link} />
      </span>{" "}
      <ExternalLink link={link} title={piece.title}>
        {texts.openImage}
      </ExternalLink>
    </bdi>
  );
};

interface ExternalLinkProps {
  readonly link: Link;
  readonly title: string | null | undefined;
  readonly children: ReactNode;
}

const ExternalLink = ({ link, title, children }: ExternalLinkProps) => (
  <a
    href={link.href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    referrerPolicy="no-referrer"
    {...(title ? { title: toVisible(decodeEntities(title)) } : {})}
  >
    {children}
  </a>
);

/** Shows the real host of a link after its text. */
const Host = ({ link }: { readonly link: Link }) =>
  link.text === "misleading" ? (
    <bdi className={styles.warning}> ({texts.leadsTo(link.host)})</bdi>
  ) : (
    <bdi className={styles.aside}> ({link.host})</bdi>
  );

/** Shows the target of a rejected link. */
const RejectedLink = ({ text, title }: { readonly text: string; readonly title: string | null | undefined }) => (
  <bdi className={styles.aside}>
    {" ("}
    <VisibleText text={title ? `${text} "${decodeEntities(title)}"` : text} />)
  </bdi>
);

/**
 * Returns the target of a link. Character references are decoded, except in literal addresses,
 * which have none.
 */
const targetOf = (piece: Tokens.Link | Tokens.Image): string =>
  "autolink" in piece && piece.autolink === true ? piece.href : decodeEntities(piece.href);

/** Returns the visible text of tokens. */
const textOf = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if ("tokens" in piece && piece.tokens !== undefined) return textOf(piecesOf(piece.tokens));
      if (piece.type === "text") return decodeEntities(piece.text);
      return "text" in piece ? piece.text : piece.raw;
    })
    .join("");
