/** The items of another agent's home: those to import, and those that are left out. */

/** A file of the brain to write. */
export interface FileItem {
  readonly kind: "file";
  /** The path in the source. */
  readonly from: string;
  /** The path in the brain. */
  readonly to: string;
  readonly text: string;
  /** How the text differs from the source. Undefined if it is the same. */
  readonly change?: string;
  /** The source of a text that other people may have written. Its lines are untrusted. */
  readonly source?: string;
}

/** A job to add. It has either `cron` or `every`. */
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

/** An item that is not imported. */
export interface LeftItem {
  readonly kind: "left";
  readonly from: string;
  readonly why: string;
}

export type Item = FileItem | JobItem | ChannelItem | LeftItem;

/** Reads a home of another agent. Never writes to it. */
export type ReadSource = (folder: string) => Promise<readonly Item[]>;

export const left = (from: string, why: string): LeftItem => ({ kind: "left", from, why });

/** Converts a title to a name: "Daily News!" becomes "daily-news". */
export const toSlug = (text: string, otherwise: string): string => {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const slug = words.slice(0, 60).replaceAll(/^-+|-+$/g, "");
  return slug === "" ? otherwise : slug;
};
