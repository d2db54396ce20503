/**
 * What a turn that read strangers' words says to people: no link in it leads anywhere by itself, nothing in it is fetched by being shown, and no markup
 * does something else than it says. What was a link stands there to be read, `hxxps://evil[.]example/x`, its host in full. A link stays one
 * where it can carry nothing: one that the owner wrote, or one that the turn read just so, at a host that the owner named.
 */
import { isTainted, type Label, tellSources } from "@hearth/protocol";
import { withoutHidden } from "./hygiene-hidden.ts";
import type { TurnTaint } from "../taint/turn-taint.ts";
import type { LeakScan } from "./leak-scan.ts";
import { linksIn, placeOf, SCHEMES, trimLink } from "../taint/provenance-links.ts";

/** Whether a link, as `linksIn` gives it, may stay one. */
export type MayStay = (link: string) => boolean;

/** Reads what is in hand at the first link that it is asked about. */
export const createMayStay = (taint: TurnTaint): MayStay => {
  let known:
    | { readonly owns: MayStay; readonly hosts: ReadonlySet<string>; readonly read: ReadonlySet<string> }
    | undefined;
  const look = () => {
    const { held, owner } = taint;
    const places = (texts: readonly string[]): readonly string[] =>
      texts.flatMap((text) => linksIn(text).flatMap((link) => placeOf(trimLink(link)) ?? []));
    return {
      owns: owner.wroteLink,
      hosts: new Set(owner.places().flatMap((place) => hostOf(place) ?? [])),
      read: new Set(places(held.map(({ text }) => text))),
    };
  };
  return (link) => {
    known ??= look();
    const { owns, hosts, read } = known;
    if (owns(link)) return true;
    const place = placeOf(trimLink(link));
    const host = place === undefined ? undefined : hostOf(place);
    return place !== undefined && host !== undefined && hosts.has(host) && read.has(place);
  };
};

/** Of the web alone: what else a link may lead to is no place. */
const hostOf = (place: string): string | undefined => /^(?:https?:)?\/\/(?:[^/@]*@)?([^/?#]+)/.exec(place)?.[1];

/** What is said in a room with this in hand: no secret in it, in pieces or hidden, and nothing that leads out of it. */
export const toOutgoing = (text: string, taint: TurnTaint, leaks: Pick<LeakScan, "outgoing">): string =>
  defang(leaks.outgoing(text), createMayStay(taint));

/** What one agent left for another as people read it, who have no turn of it in hand: of strangers' words nothing leads anywhere. */
export const toLabelled = (text: string, label: Label | undefined, leaks: Pick<LeakScan, "outgoing">): string =>
  label !== undefined && isTainted(label) ? defang(leaks.outgoing(text), () => false) : text;

/** For where nothing but text is shown: what it was built from is its last line, and nothing in that line is a link. */
export const withSources = (text: string, label: Label | undefined): string => {
  const told = tellSources(label);
  return told === undefined ? text : `${text.trimEnd()}\n\n${defang(told.replace(/\s+/gu, " "), () => false)}`;
};

export interface OutgoingPieces {
  /** What of it may be shown by now. */
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

/** The same for a text that comes in pieces, as far as that goes: nothing in it is a link, and its markup is as it was. */
export const createOutgoingPieces = (taint: TurnTaint, leaks: Pick<LeakScan, "outgoing">): OutgoingPieces => {
  const mayStay = createMayStay(taint);
  const clean = (text: string): string => disarmIn(leaks.outgoing(text), mayStay, isLinked);
  let held = "";
  return {
    push(piece) {
      held += piece;
      // A link ends where a line or a word does.
      const end = Math.max(held.lastIndexOf(" "), held.lastIndexOf("\n")) + 1;
      const whole = held.slice(0, end);
      held = held.slice(end);
      return clean(whole);
    },
    end() {
      const rest = clean(held);
      held = "";
      return rest;
    },
  };
};

/** Markdown in, Markdown out. Once more it is the same. */
export const defang = (text: string, mayStay: MayStay): string =>
  withoutHidden(text)
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? disarmIn(part, mayStay, isSpelledOut) : defangProse(part, mayStay)))
    .join("");

/** What stands for an `@` may make a name in brackets of it, which markup reads: so until nothing changes any more. */
const defangProse = (text: string, mayStay: MayStay): string => {
  const next = disarmIn(defuse(text, mayStay), mayStay, isAny);
  return next === text ? text : defangProse(next, mayStay);
};

/** Whole blocks, and words in one line. */
const CODE = /(^(?:```|~~~)[^\n]*\n[^]*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)/gmu;

const isAny = (): boolean => true;
/** No program makes a link of `console.log` where it reads code; some do of what says itself that it is one. */
const isSpelledOut = (link: string): boolean => /^[a-z][a-z0-9+-]*:|\/\//i.test(link) || SCHEMES.test(link);

/** What a page that shows Markdown makes a link of. */
const isLinked = (link: string): boolean => isSpelledOut(link) || /^www\.|@/iu.test(link);

/** An image is what is said about it and where it is; a link whose words hide it shows it; a tag that does something is text. */
const defuse = (text: string, mayStay: MayStay): string => {
  const next = text
    .replace(/!(?=\[[^[\]]{0,2000}\]\()/gu, "image: ")
    .replace(
      /\[([^[\]]{0,2000})\]\(\s{0,20}<?([^\s<>]{1,10000}?)>?(?:\s{1,20}["'(]([^"'()\n]{0,500})["')])?\s{0,20}\)/gu,
      (found, words, url, title = "") =>
        isPlainPath(url, mayStay) && !text.includes(`image: ${found}`) ? found : toShown(words, url, title),
    )
    .replace(/^([ \t>]{0,12})\[([^[\]\n]{1,200})\]:[ \t]*(?=<?(\S+))/gmu, (found, indent, name, url) =>
      isPlainPath(url, mayStay) ? found : `${indent}${name}: `,
    )
    .replace(TAG, "‹$1›");
  return next === text ? text : defuse(next, mayStay);
};

const TAG =
  /<(\/?(?:a|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|math|meta|object|picture|script|source|style|svg|track|use|video|[a-z]+(?=[ \t\n/][^<>]{0,2000}=))(?:[ \t\n/][^<>]{0,5000})?)>/giu;

/** Nothing in it is in code, and no program finds a link in it. */
const isPlainPath = (url: string, mayStay: MayStay): boolean =>
  !/[:&%\\@]|^\/\//u.test(url) && isInert(url, mayStay, isAny);

const toShown = (words: string, url: string, title: string): string => {
  const said = [words, title].map((part) => part.trim()).filter((part) => part !== "" && part !== url);
  return said.length === 0 ? url : `${said.join(", ")} (${url})`;
};

const disarmIn = (text: string, mayStay: MayStay, counts: (link: string) => boolean): string =>
  text.replace(/[^\s<>"]+/gu, (piece) => (isInert(piece, mayStay, counts) ? piece : disarm(piece)));

/** Names of files that no domain ends with: whoever makes links of names leaves them alone. */
const FILE =
  /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.(?:bmp|cfg|cjs|conf|cpp|css|csv|cts|doc|docx|env|gif|htm|html|ini|java|jpeg|jpg|js|json|jsonl|jsx|lock|log|mjs|mts|odt|ods|pdf|png|pptx|scss|sql|svg|tar|tex|toml|ts|tsv|tsx|txt|wasm|wav|webp|xls|xlsx|xml|yaml|yml)[.,;:!?)\]}'’*`]*$/iu;
/** Not a link anywhere, and followed by programs all the same. */
const DIRECTIVE = /(?:media|file|attachment):(?=\S)/iu;

const isInert = (piece: string, mayStay: MayStay, counts: (link: string) => boolean): boolean =>
  !DIRECTIVE.test(piece) && linksIn(piece).every((link) => !counts(link) || FILE.test(link) || mayStay(link));

/** Nobody's program finds a link in it any more, and a person reads where it leads. */
const disarm = (piece: string): string =>
  piece
    .replace(/(?<![\p{L}\p{N}])(h)tt(ps?)(?![\p{L}\p{N}])/giu, "$1xx$2")
    .replace(/(?<=[\p{L}\p{N}])(?<!hxxps?)[:：](?=\S)/giu, "[:]")
    .replace(/@(?=\S)/gu, "[at]")
    .replace(/[.。．｡․](?=[^\s\]])/gu, "[.]")
    .replace(/&(?=#|[a-z]{2,10};)/giu, "[&]");
