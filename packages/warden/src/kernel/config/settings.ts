/** Reads and changes single values of `hearth.toml`, such as `cells.max_open`, in a running house. */
import { HearthError, type Setting, type SettingValue } from "@hearth/protocol";
import { removeTable, setValue } from "./edit.ts";
import { nearest } from "@hearth/protocol/nearest";
import { type Leaf, leavesOf } from "./schema.ts";
import { type Actor, type ConfigSource, LIVE_TABLES } from "./source.ts";

export interface Settings {
  list(): readonly Setting[];
  /** Returns a setting. Throws `config.invalid` for an unknown key. */
  find(key: string): Setting;
  /**
   * Changes several values in one edit. Null removes a key, so that its default applies. Durable
   * when the promise resolves. Throws `config.invalid` or `home.read-only`, and then changes
   * nothing.
   */
  set(values: Readonly<Record<string, SettingValue | null>>, by: Actor): Promise<void>;
}

/**
 * The tables whose values can be changed one by one. Other tables have their own operations, or a
 * person edits them in the file.
 */
const EDITABLE_TABLES = ["defaults", "budget", "approvals", "compaction", "turns", "retention", "attachments"];
/**
 * Settings that can weaken isolation, send data to another server or write to another place. A
 * change of them needs a recent login.
 */
const GUARDED_TABLES: ReadonlySet<string> = new Set([
  "cells",
  "egress",
  "search",
  "memory",
  "backup",
  "log",
  "observers",
  "login",
]);

/** The tables that need a `kind`. Removing the `kind` removes the whole table. */
const REMOVABLE_TABLES: readonly string[] = ["search"];

export const createSettings = (config: Pick<ConfigSource, "fileValue" | "lineOf" | "edit">): Settings => {
  const leaves = new Map(
    [...EDITABLE_TABLES, ...GUARDED_TABLES].flatMap((table) =>
      leavesOf(table).map((leaf) => [leaf.path.join("."), leaf] as const),
    ),
  );

  const describe = (key: string, { path, defaultValue }: Leaf): Setting => {
    const value = config.fileValue(path);
    const line = config.lineOf(path);
    const [table] = path;
    return {
      key,
      // The schema refused every other kind of value.
      ...(value === undefined ? {} : { value: value as SettingValue }),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
      ...(value === undefined || line === undefined ? {} : { line }),
      appliesNow: LIVE_TABLES.has(table),
      needsProof: GUARDED_TABLES.has(table),
    };
  };

  const leafOf = (key: string): Leaf => {
    const leaf = leaves.get(key);
    if (leaf !== undefined) return leaf;
    const suggestion = nearest(key, [...leaves.keys()]);
    throw new HearthError("config.invalid", `"${key}" is not a setting that can be changed here.`, {
      hint: suggestion === undefined ? "To see the settings: hearth config list" : `Did you mean "${suggestion}"?`,
    });
  };

  return {
    list: () => [...leaves].map(([key, leaf]) => describe(key, leaf)),
    find: (key) => describe(key, leafOf(key)),
    async set(values, { agent, ...credential }) {
      const changes = Object.entries(values).map(([key, value]) => ({ path: leafOf(key).path, value }));
      const removedTables = REMOVABLE_TABLES.filter((table) => values[`${table}.kind`] === null);
      const editText = (text: string, file: string): string => {
        const textAfterRemovals = removedTables
          .filter((table) => config.fileValue([table]) !== undefined)
          .reduce((currentText, table) => removeTable(currentText, [table], file), text);
        return changes
          .filter(({ path: [table] }) => !removedTables.includes(table))
          .reduce((currentText, { path, value }) => {
            const key = path.at(-1) ?? "";
            return setValue(currentText, [path.slice(0, -1), key], value ?? undefined, file);
          }, textAfterRemovals);
      };
      await config.edit(editText, {
        table: Object.keys(values).join(", "),
        change: "changed",
        by: agent,
        ...credential,
      });
    },
  };
};
