/** Older files → this version's, as text, so that every comment stays. Each migration lifts a file by one version. */
import { CONFIG_VERSION } from "./schema.ts";
import { parseToml } from "./toml.ts";

type Migration = (text: string) => string;

/** `migrations[n]` makes version n + 1 of a file of version n. */
const migrations: readonly Migration[] = [
  // Files written by hand before there was a version.
  (text) => {
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
    return `${mark}version = 1${lineEnd}${text.slice(mark.length)}`;
  },
];

export type Migrated =
  | { readonly kind: "present" }
  /** `from`: the version that the file had. */
  | { readonly kind: "migrated"; readonly from: number; readonly text: string };

/** A version that is none, or a newer one, is left to `parseConfig`, which refuses it. Throws `config.invalid` on what is not TOML. */
export const migrateConfig = (text: string, file: string): Migrated => {
  const version = parseToml(text, file)["version"];
  const from = version === undefined ? 0 : version;
  const isOlder = typeof from === "number" && from < CONFIG_VERSION && migrations[from] !== undefined;
  // Version 0 is the one that does not say so.
  if (!isOlder || version === 0) return { kind: "present" };
  return { kind: "migrated", from, text: migrations.slice(from).reduce((older, migrate) => migrate(older), text) };
};
