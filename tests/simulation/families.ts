/**
 * Fault families: groups of faults that a run may include. Each house draws its families from its
 * seed. A family uses its own source of randomness, so a new family does not change the runs
 * without it.
 */
import type { Chance } from "./chance.ts";

/** Every family, with the share of houses that draw it. */
const SHARES = {
  /** The outcome of a commit is unknown, so the daemon ends. Half of these commits were applied. */
  "unknown-commit": 0.08,
  /** The fsync of a commit fails, and the store overwrites the commit in its log. */
  "failed-fsync": 0.08,
  /** Only the database, or only the folder of blobs, has no space left. */
  "half-full-disk": 0.08,
  /** Blobs take seconds to write and to read. */
  "slow-blobs": 0.06,
  /** A stored blob is gone, or its bytes no longer match its hash. */
  "lost-blobs": 0.06,
  /** The model gives another answer when it gets the same request again. */
  "fickle-model": 0.1,
  /** Messages, calls, tool results and replies over 16 KiB, which become blobs. */
  "large-bodies": 0.08,
  /** Cells are byte pipes, and some end in the middle of a frame. */
  "cut-frames": 0.08,
  /** Every daemon and every cell has its own clock, and some of them jump. */
  "own-clocks": 0.08,
  /** Several daemons in a row die within one turn. */
  "dying-turns": 0.08,
  /** Retention runs 31 days later, and daemons die while it runs. */
  retention: 0.08,
  /** Secrets are set, rotated and removed while daemons die. */
  vault: 0.08,
  /** Facts and messages are forgotten while daemons die. */
  forgetting: 0.08,
  /** Agents recall, and the memory process dies or does not answer. */
  "memory-process": 0.08,
  /** Agents fetch pages through the egress, and daemons die meanwhile. */
  egress: 0.08,
  /** People upload files, send them with messages and delete them, while daemons die. */
  uploads: 0.08,
  /** People send voice notes, which become transcripts, while daemons die. */
  "voice-notes": 0.08,
  /** Open activations hold inputs that an older release froze. */
  "older-release": 0.08,
  /** A copy of the database and the blobs is put back after more work. */
  "older-copy": 0.08,
} as const satisfies Readonly<Record<string, number>>;

export type Family = keyof typeof SHARES;
export type Families = ReadonlySet<Family>;

export const FAMILIES = Object.keys(SHARES) as readonly Family[];

/** Families that a house draws. */
export const drawFamilies = (chance: Chance): Families =>
  new Set(FAMILIES.filter((family) => chance.branch(family).happens(SHARES[family])));

/** Reads `all`, `none`, or names with commas between them. */
export const readFamilies = (text: string): Families => {
  if (text === "all") return new Set(FAMILIES);
  const names = text === "none" || text === "" ? [] : text.split(",");
  for (const name of names)
    if (!FAMILIES.some((family) => family === name))
      throw new Error(`Unknown fault family "${name}". Use all, none, or: ${FAMILIES.join(", ")}.`);
  return new Set(names as Family[]);
};
