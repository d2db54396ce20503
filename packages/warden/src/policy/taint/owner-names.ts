/**
 * Decides which values a person's texts name: the whole value, of the same kind, used as a name and
 * not as an ordinary word.
 */
import { linksIn, linkTarget, trimLink, withoutScheme } from "./provenance-links.ts";
import { isOpener } from "./sentence-openers.ts";

export interface OwnerNames {
  /** Whether exactly this value occurs as a whole. */
  names(value: unknown): boolean;
  /** Whether these texts contain a link of another text, as `linksIn` returns it. */
  wroteLink(link: string): boolean;
  /** Returns the targets of the links of these texts, as `placeOf` returns them. */
  linkTargets(): readonly string[];
}

/**
 * Maximum length of the punctuation at the end of a link that may be left out. More punctuation
 * could carry data.
 */
const MAX_TRIMMED_LENGTH = 3;

/** A text of the owner, prepared for searches on first use. */
export interface OwnerText {
  /** The text with each run of spaces and line ends as one space. */
  readonly normalized: string;
  /** The text on one line. */
  readonly flat: string;
  /** The targets of its links, with and without the scheme. */
  readonly links: { readonly places: ReadonlySet<string>; readonly schemeless: ReadonlySet<string> };
}

export const prepareText = (text: string): OwnerText => {
  const normalizedText = computeOnce(() =>
    text.normalize("NFC").replace(/\s+/gu, (space) => (space.includes("\n") ? "\n" : " ")),
  );
  const flat = computeOnce(() => normalizedText().replaceAll("\n", " "));
  const links = computeOnce(() => findLinks(text));
  return {
    get normalized() {
      return normalizedText();
    },
    get flat() {
      return flat();
    },
    get links() {
      return links();
    },
  };
};

const computeOnce = <Value>(compute: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => (cached ??= { value: compute() }).value;
};

const findLinks = (text: string): OwnerText["links"] => {
  const places = linksIn(text).flatMap((link) => linkTarget(trimLink(link)) ?? []);
  return { places: new Set(places), schemeless: new Set(places.map(withoutScheme)) };
};

export const createOwnerNames = (texts: readonly OwnerText[]): OwnerNames => {
  /**
   * Whether a link leads to one of the targets. If both have a scheme, the schemes must be equal.
   */
  const leadsTo = (link: string): boolean => {
    const target = linkTarget(link);
    if (target === undefined) return false;
    const hasScheme = !target.startsWith("//");
    return texts.some(
      ({ links: { places, schemeless } }) =>
        places.has(target) || (hasScheme ? places.has(withoutScheme(target)) : schemeless.has(target)),
    );
  };

  const occursAsName = (value: string): boolean =>
    value.trim() !== "" &&
    texts.some(({ flat, normalized }) =>
      findOccurrences(value, flat).some(
        (position) => standsAlone(value, flat, position) && isNamed(value, normalized, position),
      ),
    );

  const occursAsGroups = (groups: string): boolean =>
    texts.some(({ flat }) =>
      findOccurrences(groups, flat).some(
        (position) => standsAlone(groups, flat, position) && !NEXT_GROUP.test(flat.slice(position + groups.length)),
      ),
    );

  return {
    names(value) {
      if (typeof value === "number") return Number.isFinite(value) && occursAsName(String(value));
      if (typeof value !== "string") return false;
      const text = value.normalize("NFC");
      if (linksIn(text)[0] === text) return leadsTo(text);
      const bareName = text.replace(/^[@#](?=[\p{L}\p{N}])/u, "");
      return occursAsName(bareName) || groupsOf(bareName).some(occursAsGroups);
    },
    wroteLink(link) {
      if (leadsTo(link)) return true;
      const trimmed = trimLink(link);
      return link.length - trimmed.length <= MAX_TRIMMED_LENGTH && leadsTo(trimmed);
    },
    linkTargets: () => texts.flatMap(({ links: { places } }) => [...places]),
  };
};

const findOccurrences = (value: string, text: string): readonly number[] => {
  const positions: number[] = [];
  for (let position = text.indexOf(value); position >= 0; position = text.indexOf(value, position + 1))
    positions.push(position);
  return positions;
};

const NAME_CHARACTER = /[\p{L}\p{M}\p{N}_\p{Default_Ignorable_Code_Point}]/u;
/** Characters that join the text on both sides into one name. */
const JOINT = /[-.@/\\:+&'’%=~#‐‑–·]/u;

/** Whether the value stands alone: the adjacent characters do not belong to the same name. */
const standsAlone = (value: string, text: string, position: number): boolean => {
  const before = [...text.slice(Math.max(0, position - MAX_JOINTS), position)].toReversed();
  const after = [...text.slice(position + value.length, position + value.length + MAX_JOINTS)];
  const isPossessive = /^['’]s(?![\p{L}\p{M}\p{N}_])/u.test(after.join(""));
  return !continuesName(before) && (isPossessive || !continuesName(after));
};

/** Number of characters to check on either side. A longer run of joints is not part of a name. */
const MAX_JOINTS = 8;

const continuesName = (characters: readonly string[]): boolean => {
  const end = characters.find((character) => !JOINT.test(character));
  return end === undefined ? characters.length === MAX_JOINTS : NAME_CHARACTER.test(end);
};

const QUOTES: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
  "„": "“",
};

/**
 * Whether the author used the value as a name. Ordinary words such as `the` or `report` could also
 * be names, so a name must be quoted, marked, or written with capitals or digits.
 */
const isNamed = (value: string, text: string, position: number): boolean => {
  const before = text
    .slice(Math.max(0, position - CONTEXT_LENGTH), position)
    .padStart(Math.min(position, CONTEXT_LENGTH + 1), "x");
  const previousCharacter = before.at(-1) ?? "";
  const nextCharacter = text[position + value.length] ?? "";
  const after = text.slice(position + value.length, position + value.length + CONTEXT_LENGTH);
  if (QUOTES[previousCharacter] === nextCharacter && nextCharacter !== "") return true;
  if (previousCharacter === "@" || previousCharacter === "#") return true;
  if (isPartOfName(value, before, after)) return false;
  if (/^-?\d+$/.test(value)) return !isCount(before, after);
  let offset = 0;
  return value.split(" ").some((word) => {
    const isFirst = startsSentence(`${before}${value.slice(0, offset)}`);
    offset += word.length + 1;
    return isDistinct(word, isFirst);
  });
};

/** Number of characters to check on either side for the context of a value. */
const CONTEXT_LENGTH = 40;

/**
 * Whether only a space separates the value from another part of a name: `Al` in `Al Smith`, `Elm
 * Street` in `1234 Elm Street`.
 */
const isPartOfName = (value: string, before: string, after: string): boolean => {
  if (!/^[\p{Lu}\d]/u.test(value) || !/[\p{L}\d]$/u.test(value)) return false;
  const [, following = ""] = /^ (\p{Lu}\p{L}+)/u.exec(after) ?? [];
  if (following !== "") return true;
  const [, preceding = ""] = /(?:^|[\s"'“‘(])([\p{L}\d]+) $/u.exec(before) ?? [];
  if (/^\d+$/.test(preceding)) return /^\p{Lu}/u.test(value);
  return isDistinct(preceding, startsSentence(before.slice(0, -preceding.length - 1)));
};

/** Whether the number is an amount, a percentage or a list number. Such a number names nothing. */
const isCount = (before: string, after: string): boolean =>
  /\p{Sc}\s?$/u.test(before) || /^\s?[\p{Sc}%]/u.test(after) || (startsSentence(before) && /^[.)](?:\s|$)/.test(after));

const startsSentence = (before: string): boolean =>
  /(?:^|[.!?:;\n…]["'”’)]*)\s*(?:(?:[-*•>#]+|\d{1,3}[.)])\s+)?["'“‘(*_]*$/u.test(before);

const isDistinct = (word: string, isFirst: boolean): boolean => {
  const letters = word.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "");
  if (/[\p{N}_]/u.test(letters) && /[\p{L}_]/u.test(letters)) return true;
  if (/^\p{N}[\p{N}.:/-]{2,}$/u.test(letters)) return true;
  if (/.\p{Lu}/u.test(letters)) return true;
  if (!/^\p{Lu}.+/u.test(letters)) return false;
  return !isFirst || !isOpener(letters);
};

/**
 * Returns the value as groups of four. Account numbers are written with or without spaces between
 * such groups.
 */
const groupsOf = (value: string): readonly string[] => {
  const compact = value.replaceAll(" ", "");
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(compact)) return [];
  const grouped = compact.replace(/.{4}(?=.)/g, "$& ");
  return value === compact || value === grouped ? [compact, grouped] : [];
};

/** Matches one more group, which makes a different account. */
const NEXT_GROUP = /^ [A-Z0-9]{0,3}\d[A-Z0-9]{0,3}(?![A-Za-z0-9])/;
