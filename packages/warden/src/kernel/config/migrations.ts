/**
 * Migrates older config files as text, so that comments stay. Each migration raises the version by
 * one.
 */
import { CONFIG_VERSION } from "./schema.ts";
import { parseToml } from "./toml.ts";

type Migration = (text: string) => string;

/** `migrations[n]` converts version n to n + 1. */
const migrations: readonly Migration[] = [
  // Files from before the config had a version.
  (text) => {
    const byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
    return `${byteOrderMark}version = 1${lineEnd}${text.slice(byteOrderMark.length)}`;
  },
];

export type MigrationResult =
  | { readonly kind: "current" }
  /** `from` is the version of the file. */
  | { readonly kind: "migrated"; readonly from: number; readonly text: string };

/**
 * Migrates the text. `parseConfig` refuses invalid and newer versions. Throws `config.invalid` for
 * a syntax error.
 */
export const migrateConfig = (text: string, file: string): MigrationResult => {
  const version = parseToml(text, file)["version"];
  const from = version === undefined ? 0 : version;
  const isOlder = typeof from === "number" && from < CONFIG_VERSION && migrations[from] !== undefined;
  // A file without a version has version 0.
  if (!isOlder || version === 0) return { kind: "current" };
  return { kind: "migrated", from, text: migrations.slice(from).reduce((older, migrate) => migrate(older), text) };
};
