/** The parts of another agent's home: those to import, and those that are left out. */

/** A file of the brain to write, without its text. */
export interface ListedFile {
  readonly kind: "file";
  /** The path in the source. */
  readonly from: string;
  /** The path in the brain. */
  readonly to: string;
  /** SHA-256 of the text, as the brain computes it. */
  readonly hash: string;
  /** How the text differs from the source. Undefined if it is the same. */
  readonly change?: string;
  /** Secrets were removed from the text. */
  readonly hidesSecrets?: true;
  /** The source of a text that other people may have written. Its lines are untrusted. */
  readonly source?: string;
}

export interface FileItem extends ListedFile {
  readonly text: string;
}

/** When a job runs: one of `cron`, `every` and `once`, in the form of `hearth job add`. */
export interface JobTimes {
  readonly cron?: string;
  readonly every?: string;
  readonly once?: string;
  readonly zone?: string;
}

/** A job to add. */
export interface JobItem extends JobTimes {
  readonly kind: "job";
  readonly from: string;
  readonly name: string;
  readonly prompt: string;
  readonly isPaused: boolean;
  /** Secrets were removed from the prompt. */
  readonly hidesSecrets?: true;
}

/** A chat platform to add, whose token is a reference. */
export interface ChannelItem {
  readonly kind: "channel";
  readonly from: string;
  readonly name: string;
  readonly tokenReference: string;
}

/** A part that is not imported. */
export interface LeftItem {
  readonly kind: "left";
  readonly from: string;
  readonly why: string;
}

export type Item = FileItem | JobItem | ChannelItem | LeftItem;
/** A part without the text of its file. */
export type ListedItem = ListedFile | Exclude<Item, FileItem>;

/** Reads a home of another agent: first the files, then the rest. Never writes to it. */
export type ReadSource = (folder: string) => AsyncIterable<Item>;

export const skippedItem = (from: string, why: string): LeftItem => ({ kind: "left", from, why });

/** Returns the identity of a part in the house, or undefined if the part is not imported. */
export const placeOf = (item: ListedItem): string | undefined =>
  item.kind === "left" ? undefined : `${item.kind} ${item.kind === "file" ? item.to : item.name}`;

/** Returns a text that is equal for two readings of a part if the part has not changed. */
export const fingerprintOf = (item: ListedItem): string => (item.kind === "file" ? item.hash : JSON.stringify(item));

/** Removes the text, which may be large. */
export const toListed = (item: Item): ListedItem => {
  if (item.kind !== "file") return item;
  const { text: _text, ...listed } = item;
  return listed;
};

/** Converts a title to a name: "Daily News!" becomes "daily-news". */
export const toSlug = (text: string, fallback: string): string => {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const slug = words.slice(0, 60).replaceAll(/^-+|-+$/g, "");
  return slug === "" ? fallback : slug;
};
