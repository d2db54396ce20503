/**
 * Labels: the provenance of text, as far as it decides what the text may cause. Only the warden
 * computes labels; claims from cells are ignored.
 */
import { z } from "zod";
import { AudienceName } from "../agents/cell.ts";

/**
 * From strongest to weakest:
 * - `owner`: written by a person who decides (`x`) in the agent's house, or by the house itself
 * - `trusted`: written by another person or bot with a level in the agent's house; may be acted on,
 *   but does not authorize values from others
 * - `untrusted`: may come from anyone; must not decide anything that leaves the cell
 */
export const integrities = ["owner", "trusted", "untrusted"] as const;
export type Integrity = (typeof integrities)[number];

/** Maximum length of a source's name, in UTF-16 code units. */
export const MAX_SOURCE_LENGTH = 300;
/** Maximum number of sources. Further ones become `and more`. */
export const MAX_SOURCES = 20;

export const Label = z.object({
  integrity: z.enum(integrities),
  /** Who may read it. `anyone`: not secret. */
  readers: z.union([z.literal("anyone"), AudienceName]),
  /**
   * For people, such as `https://example.org/page`, `@bea in Telegram`, `file notes.md`. Empty:
   * nothing worth mentioning.
   */
  sources: z.array(z.string().max(MAX_SOURCE_LENGTH)).max(MAX_SOURCES),
});
export type Label = z.infer<typeof Label>;

/** The label of a value without any input. */
export const OWNER_LABEL: Label = { integrity: "owner", readers: "anyone", sources: [] };

/** Returns the label of a value made from both: the weaker integrity and the narrower readers. */
export const joinLabels = (a: Label, b: Label): Label => {
  const weaker = integrities.indexOf(a.integrity) >= integrities.indexOf(b.integrity) ? a : b;
  const sources = [...new Set([...a.sources, ...b.sources])];
  return {
    integrity: weaker.integrity,
    readers: narrowerReaders(a.readers, b.readers),
    sources: sources.length <= MAX_SOURCES ? sources : [...sources.slice(0, MAX_SOURCES - 1), "and more"],
  };
};

export const isTainted = ({ integrity }: Label): boolean => integrity === "untrusted";

/** Number of sources named in one line. */
const MAX_NAMED_SOURCES = 3;

/**
 * Returns a line for people if the value was built from untrusted content, with its sources, or
 * undefined if it was not.
 */
export const describeSources = (label: Label | undefined): string | undefined => {
  if (label === undefined || !isTainted(label)) return undefined;
  const { sources } = label;
  const shownNames = sources.slice(0, MAX_NAMED_SOURCES).join(", ");
  const moreText = sources.length > MAX_NAMED_SOURCES ? ` and ${sources.length - MAX_NAMED_SOURCES} more` : "";
  return `Built from untrusted content${shownNames === "" ? "" : `: ${shownNames}${moreText}`}`;
};

/** Returns the narrower readers. Two rooms share no readers except the agent's own people. */
const narrowerReaders = (a: Label["readers"], b: Label["readers"]): Label["readers"] => {
  if (a === "anyone" || a === b) return b;
  return b === "anyone" ? a : "private";
};
