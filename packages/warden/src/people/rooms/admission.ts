/**
 * Decides whether the admission rules of a room or a channel account let an author in. Pure, and
 * the same for both.
 */
import type { Admission } from "@hearth/protocol";

/** The author of a message, and how the message arrived. */
export interface Approach {
  /** The agent's id in a room; the platform's id of the sender in a channel. */
  readonly author: string;
  /** Whether it is a direct conversation. */
  readonly isDirect: boolean;
  /** Whether the message names the agent. */
  readonly isNamed: boolean;
}

export type Refusal = "blocked" | "unlisted" | "not-direct" | "not-mentioned";

/**
 * Returns why the author is refused, or undefined. The strictest rule comes first. The channel
 * itself handles the mode `pairing`, because it knows which senders were paired.
 */
export const refusalOf = (admission: Admission, { author, isDirect, isNamed }: Approach): Refusal | undefined => {
  const { mode, allow, block, directOnly, mentionRequired } = admission;
  if (block?.includes(author) === true) return "blocked";
  if (mode === "allow" && allow?.includes(author) !== true) return "unlisted";
  if (directOnly === true && !isDirect) return "not-direct";
  if (mentionRequired === true && !isNamed && !wakesAlways(admission, author)) return "not-mentioned";
  return undefined;
};

/** Whether every message of an admitted author wakes the agent. */
export const wakesAlways = ({ wake }: Admission, author: string): boolean => wake?.includes(author) === true;
