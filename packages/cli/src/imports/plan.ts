/** The parts of a home of another agent: those that are taken, and those that are left. */

/** A file of the brain to write. */
export interface FileItem {
  readonly kind: "file";
  /** The path in the source. */
  readonly from: string;
  /** The path in the brain. */
  readonly to: string;
  readonly text: string;
  /** How the text differs from the source. Absent: it does not. */
  readonly change?: string;
  /** Where text comes from that others may have written. Its lines are untrusted. */
  readonly source?: string;
}

/** A job to add. Either `cron` or `every` is set. */
export interface JobItem {
  readonly kind: "job";
  readonly from: string;
  readonly name: string;
  readonly prompt: string;
  readonly cron?: string;
  readonly every?: string;
  readonly zone?: string;
  readonly isPaused: boolean;
}

/** A chat platform to add, whose token is a reference. */
export interface ChannelItem {
  readonly kind: "channel";
  readonly from: string;
  readonly name: string;
  readonly tokenReference: string;
}

/** Something that is not taken. */
export interface LeftItem {
  readonly kind: "left";
  readonly from: string;
  readonly why: string;
}

export type Item = FileItem | JobItem | ChannelItem | LeftItem;

/** Reads a home of another agent. It never writes there. */
export type ReadSource = (folder: string) => Promise<readonly Item[]>;

export const left = (from: string, why: string): LeftItem => ({ kind: "left", from, why });

/** "Daily News!" → "daily-news" */
export const toSlug = (text: string, otherwise: string): string => {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const slug = words.slice(0, 60).replaceAll(/^-+|-+$/g, "");
  return slug === "" ? otherwise : slug;
};
