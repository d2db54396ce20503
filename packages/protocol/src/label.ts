/** Where text came from, as far as that decides what may be done with it. The warden computes labels; nothing that a cell says of them counts. */
import { z } from "zod";
import { AudienceName } from "./cell.ts";

/**
 * From strongest to weakest:
 * - `owner`: a person who decides (`x`) in the agent's house wrote it, or it is the house's own
 * - `trusted`: somebody with a say in the agent's house wrote it: it may be acted on, and lends no authority to others' values
 * - `untrusted`: anybody may have: it steers nothing that leaves the walls
 */
export const integrities = ["owner", "trusted", "untrusted"] as const;
export type Integrity = (typeof integrities)[number];

/** Longest name of a source, in UTF-16 code units. */
export const MAX_SOURCE_LENGTH = 300;
/** More of them are said to be more. */
export const MAX_SOURCES = 20;

export const Label = z.object({
  integrity: z.enum(integrities),
  /** Who may read it. `anyone` is not secret. */
  readers: z.union([z.literal("anyone"), AudienceName]),
  /** For people: `https://example.org/page`, `@bea in Telegram`, `file notes.md`. None: nothing that needs to be said. */
  sources: z.array(z.string().max(MAX_SOURCE_LENGTH)).max(MAX_SOURCES),
});
export type Label = z.infer<typeof Label>;

/** What nothing has been put into. */
export const OWN: Label = { integrity: "owner", readers: "anyone", sources: [] };

/** The label of what is made of both: as weak as the weaker, as secret as the more secret. */
export const joinLabels = (one: Label, other: Label): Label => {
  const weaker = integrities.indexOf(one.integrity) >= integrities.indexOf(other.integrity) ? one : other;
  const sources = [...new Set([...one.sources, ...other.sources])];
  return {
    integrity: weaker.integrity,
    readers: narrower(one.readers, other.readers),
    sources: sources.length <= MAX_SOURCES ? sources : [...sources.slice(0, MAX_SOURCES - 1), "and more"],
  };
};

export const isTainted = ({ integrity }: Label): boolean => integrity === "untrusted";

/** Sources that are named in one line. */
const MAX_TOLD = 3;

/** One line for people: that something was built from what anybody may have written, and from where. Nothing where it was not. */
export const tellSources = (label: Label | undefined): string | undefined => {
  if (label === undefined || !isTainted(label)) return undefined;
  const { sources } = label;
  const named = sources.slice(0, MAX_TOLD).join(", ");
  const more = sources.length > MAX_TOLD ? ` and ${sources.length - MAX_TOLD} more` : "";
  return `Built from untrusted content${named === "" ? "" : `: ${named}${more}`}`;
};

/** Two rooms have no reader in common but the agent's own people. */
const narrower = (one: Label["readers"], other: Label["readers"]): Label["readers"] => {
  if (one === "anyone" || one === other) return other;
  return other === "anyone" ? one : "private";
};
