/** Whether somebody is let in, by what a room or a channel's account says of admission. Pure, and the same for both. */
import type { Admission } from "@hearth/protocol";

/** Who comes, and how. */
export interface Approach {
  /** In a room an agent's id, at a channel the platform's id of a sender. */
  readonly author: string;
  /** A conversation of two. */
  readonly isDirect: boolean;
  /** The words name the agent. */
  readonly isNamed: boolean;
}

export type Refusal = "blocked" | "unlisted" | "not-direct" | "not-mentioned";

/** Why not, or nothing. What forbids most comes first. The mode `pairing` is the channel's own: it knows who was let in. */
export const refusalOf = (admission: Admission, { author, isDirect, isNamed }: Approach): Refusal | undefined => {
  const { mode, allow, block, directOnly, mentionRequired } = admission;
  if (block?.includes(author) === true) return "blocked";
  if (mode === "allow" && allow?.includes(author) !== true) return "unlisted";
  if (directOnly === true && !isDirect) return "not-direct";
  if (mentionRequired === true && !isNamed && !wakesAlways(admission, author)) return "not-mentioned";
  return undefined;
};

/** Whether their every word wakes, once they are let in. */
export const wakesAlways = ({ wake }: Admission, author: string): boolean => wake?.includes(author) === true;
