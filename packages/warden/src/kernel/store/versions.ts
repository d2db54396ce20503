/** Versions of stored JSON. Data of an older version is upgraded when it is read. */
import { HearthError } from "@hearth/protocol";

type Fields = Readonly<Record<string, unknown>>;

/** Upgrades one version to the next. `about` is the row of the JSON. */
export type Upcast<About> = (oldFields: Fields, about: About) => Fields;

export interface Versions<About = undefined> {
  /** The version that this Hearth writes. */
  readonly current: number;
  /**
   * Returns the value in the current shape. Throws `store.foreign` for a version that a newer
   * Hearth wrote.
   */
  read(value: unknown, about: About): unknown;
  /** Adds the version in `v`. The first version is written without one. */
  stamp<Value extends object>(value: Value): Value & { readonly v?: number };
}

/**
 * Creates the versions. The first of `upcasts` upgrades version 1 to 2, and so on. Released ones
 * never change. `versionOf` returns the version of JSON without a stamp, by default 1.
 */
export const createVersions = <About = undefined>(
  subject: string,
  upcasts: readonly Upcast<About>[],
  versionOf: (value: Fields) => number = () => 1,
): Versions<About> => {
  const current = upcasts.length + 1;
  return {
    current,
    read(value, about) {
      if (!isFields(value)) return value;
      const { v = versionOf(value) } = value;
      if (typeof v !== "number" || !Number.isInteger(v) || v < 1 || v > current)
        throw newerVersionError(subject, v, current);
      return upcasts.slice(v - 1).reduce((fields, upcast) => upcast(fields, about), value);
    },
    stamp: (value) => (current === 1 ? value : { ...value, v: current }),
  };
};

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const newerVersionError = (subject: string, foundVersion: unknown, current: number): HearthError =>
  new HearthError("store.foreign", `${subject} has version ${String(foundVersion)}; this Hearth knows ${current}.`, {
    hint: "A newer Hearth wrote it. Start that version again, or restore a backup from before the update.",
  });
