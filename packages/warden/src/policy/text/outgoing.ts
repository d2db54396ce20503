/**
 * Disarms the text that a tainted turn shows to people: no link is active, no content is fetched
 * for display, and no markup is misleading. A link becomes readable text with its full host,
 * `hxxps://evil[.]example/x`. A link stays active only if it can carry no data: the owner wrote it,
 * or the turn read exactly that link at a host that the owner named.
 */
import { isTainted, type Label, describeSources } from "@hearth/protocol";
import { withoutHidden } from "./hygiene-hidden.ts";
import type { TurnTaint } from "../taint/turn-taint.ts";
import type { LeakScan } from "./leak-scan.ts";
import { linksIn, linkTarget, SCHEMES, trimLink } from "../taint/provenance-links.ts";

/** Whether a link, as returned by `linksIn`, may stay active. */
export type MayStayActive = (link: string) => boolean;

/** Creates the predicate. It scans the taint at the first link. */
export const createMayStayActive = (taint: TurnTaint): MayStayActive => {
  let scan:
    | {
        readonly isOwnerLink: MayStayActive;
        readonly hosts: ReadonlySet<string>;
        readonly readTargets: ReadonlySet<string>;
      }
    | undefined;
  const scanTaint = () => {
    const { values, owner } = taint;
    const findPlaces = (texts: readonly string[]): readonly string[] =>
      texts.flatMap((text) => linksIn(text).flatMap((link) => linkTarget(trimLink(link)) ?? []));
    return {
      isOwnerLink: owner.wroteLink,
      hosts: new Set(owner.linkTargets().flatMap((place) => hostOf(place) ?? [])),
      readTargets: new Set(findPlaces(values.map(({ text }) => text))),
    };
  };
  return (link) => {
    scan ??= scanTaint();
    const { isOwnerLink, hosts, readTargets } = scan;
    if (isOwnerLink(link)) return true;
    const place = linkTarget(trimLink(link));
    const host = place === undefined ? undefined : hostOf(place);
    return place !== undefined && host !== undefined && hosts.has(host) && readTargets.has(place);
  };
};

/** Returns the host of a web link. Links with other schemes have no host. */
const hostOf = (place: string): string | undefined => /^(?:https?:)?\/\/(?:[^/@]*@)?([^/?#]+)/.exec(place)?.[1];

/**
 * Returns the text for a room from a turn with this taint, without secrets and without active
 * links.
 */
export const toOutgoing = (text: string, taint: TurnTaint, leakScan: Pick<LeakScan, "redactOutgoing">): string =>
  defang(leakScan.redactOutgoing(text), createMayStayActive(taint));

/**
 * Returns a text that one agent left for another in a form for people. Links are disarmed if the
 * text is tainted.
 */
export const toLabelled = (
  text: string,
  label: Label | undefined,
  leakScan: Pick<LeakScan, "redactOutgoing">,
): string => (label !== undefined && isTainted(label) ? defang(leakScan.redactOutgoing(text), () => false) : text);

/** Appends the sources as the last line, with disarmed links, for plain-text views. */
export const withSources = (text: string, label: Label | undefined): string => {
  const sourceLine = describeSources(label);
  return sourceLine === undefined
    ? text
    : `${text.trimEnd()}\n\n${defang(sourceLine.replace(/\s+/gu, " "), () => false)}`;
};

export interface OutgoingStream {
  /** Returns the text that may be shown now. */
  push(piece: string): string;
  /** Returns the text that was held back. */
  end(): string;
}

/**
 * Disarms the links of a text while it is streamed. Markup stays unchanged, because it may span
 * several pieces.
 */
export const createOutgoingStream = (taint: TurnTaint, leakScan: Pick<LeakScan, "redactOutgoing">): OutgoingStream => {
  const mayStay = createMayStayActive(taint);
  const clean = (text: string): string => disarmLinks(leakScan.redactOutgoing(text), mayStay, isLinked);
  let pending = "";
  return {
    push(piece) {
      pending += piece;
      // A link ends at a space or a line end.
      const end = Math.max(pending.lastIndexOf(" "), pending.lastIndexOf("\n")) + 1;
      const completeText = pending.slice(0, end);
      pending = pending.slice(end);
      return clean(completeText);
    },
    end() {
      const lastText = clean(pending);
      pending = "";
      return lastText;
    },
  };
};

/** Disarms Markdown. Idempotent. */
export const defang = (text: string, mayStay: MayStayActive): string =>
  withoutHidden(text)
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? disarmLinks(part, mayStay, isSpelledOut) : defangProse(part, mayStay)))
    .join("");

/**
 * Makes the links of prose inactive. Repeats this until nothing changes, because a replacement for
 * `@` may form a bracketed name that Markdown interprets.
 */
const defangProse = (text: string, mayStay: MayStayActive): string => {
  const next = disarmLinks(defuse(text, mayStay), mayStay, isAnyLink);
  return next === text ? text : defangProse(next, mayStay);
};

/** Code blocks and inline code. */
const CODE = /(^(?:```|~~~)[^\n]*\n[^]*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)/gmu;

const isAnyLink = (): boolean => true;
/** Whether the link has an explicit scheme. In code, programs make only such links active. */
const isSpelledOut = (link: string): boolean => /^[a-z][a-z0-9+-]*:|\/\//i.test(link) || SCHEMES.test(link);

/** Whether a Markdown page turns the text into a link. */
const isLinked = (link: string): boolean => isSpelledOut(link) || /^www\.|@/iu.test(link);

/**
 * Replaces an image by its description and address, shows the target of a link, and escapes HTML
 * tags that have effects.
 */
const defuse = (text: string, mayStay: MayStayActive): string => {
  const next = text
    .replace(/!(?=\[[^[\]]{0,2000}\]\()/gu, "image: ")
    .replace(
      /\[([^[\]]{0,2000})\]\(\s{0,20}<?([^\s<>]{1,10000}?)>?(?:\s{1,20}["'(]([^"'()\n]{0,500})["')])?\s{0,20}\)/gu,
      (match, words, url, title = "") =>
        isPlainPath(url, mayStay) && !text.includes(`image: ${match}`) ? match : describeLink(words, url, title),
    )
    .replace(/^([ \t>]{0,12})\[([^[\]\n]{1,200})\]:[ \t]*(?=<?(\S+))/gmu, (match, indent, name, url) =>
      isPlainPath(url, mayStay) ? match : `${indent}${name}: `,
    )
    .replace(TAG, "‹$1›");
  return next === text ? text : defuse(next, mayStay);
};

const TAG =
  /<(\/?(?:a|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|math|meta|object|picture|script|source|style|svg|track|use|video|[a-z]+(?=[ \t\n/][^<>]{0,2000}=))(?:[ \t\n/][^<>]{0,5000})?)>/giu;

/** Whether the text is a plain path, in which nothing needs disarming. */
const isPlainPath = (url: string, mayStay: MayStayActive): boolean =>
  !/[:&%\\@]|^\/\//u.test(url) && isInert(url, mayStay, isAnyLink);

const describeLink = (words: string, url: string, title: string): string => {
  const descriptions = [words, title].map((part) => part.trim()).filter((part) => part !== "" && part !== url);
  return descriptions.length === 0 ? url : `${descriptions.join(", ")} (${url})`;
};

const disarmLinks = (text: string, mayStay: MayStayActive, isActive: (link: string) => boolean): string =>
  text.replace(/[^\s<>"]+/gu, (piece) => (isInert(piece, mayStay, isActive) ? piece : disarm(piece)));

/**
 * Matches file extensions that are not top-level domains, so programs do not turn such names into
 * links.
 */
const FILE_NAME =
  /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.(?:bmp|cfg|cjs|conf|cpp|css|csv|cts|doc|docx|env|gif|htm|html|ini|java|jpeg|jpg|js|json|jsonl|jsx|lock|log|mjs|mts|odt|ods|pdf|png|pptx|scss|sql|svg|tar|tex|toml|ts|tsv|tsx|txt|wasm|wav|webp|xls|xlsx|xml|yaml|yml)[.,;:!?)\]}'’*`]*$/iu;
/** Matches prefixes that are not links but that programs follow. */
const DIRECTIVE = /(?:media|file|attachment):(?=\S)/iu;

const isInert = (piece: string, mayStay: MayStayActive, isActive: (link: string) => boolean): boolean =>
  !DIRECTIVE.test(piece) && linksIn(piece).every((link) => !isActive(link) || FILE_NAME.test(link) || mayStay(link));

/** Writes a link so that no program follows it and a person can read where it leads. */
const disarm = (piece: string): string =>
  piece
    .replace(/(?<![\p{L}\p{N}])(h)tt(ps?)(?![\p{L}\p{N}])/giu, "$1xx$2")
    .replace(/(?<=[\p{L}\p{N}])(?<!hxxps?)[:：](?=\S)/giu, "[:]")
    .replace(/@(?=\S)/gu, "[at]")
    .replace(/[.。．｡․](?=[^\s\]])/gu, "[.]")
    .replace(/&(?=#|[a-z]{2,10};)/giu, "[&]");
