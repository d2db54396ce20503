/**
 * Adds tables such as `[providers.den]` and `[channels.telegram]` to the config file, removes them,
 * and stores their keys. Changes run one at a time.
 */
import { HearthError } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import { appendTable, removeTable, setValue, type TomlValue, type TomlValues } from "./edit.ts";
import { type KeyFiles, keyPath } from "./key-files.ts";
import { parseReference } from "./reference.ts";
import { referencesIn } from "./references.ts";
import type { Actor, ConfigEdit, ConfigSource } from "./source.ts";

/** The name of a table, with the part that a person chose. */
export interface KeyedTableName {
  readonly group: "providers" | "channels";
  readonly name: string;
}

export interface TableChange extends KeyedTableName {
  /** The values to set. Null removes a value. */
  readonly values: Readonly<Record<string, TomlValue | null>>;
  /** The field that refers to the key, such as `api_key`. */
  readonly keyField: string;
  /** The key itself. At most one of key and reference is present. */
  readonly key?: string | undefined;
  readonly reference?: string | undefined;
  /** The URL of the entry, for the audit log. */
  readonly url?: string | undefined;
  /** Throws if the table cannot be written. Called in the queue, right before the change. */
  readonly check?: () => void;
}

export interface NewTable extends TableChange {
  readonly values: TomlValues;
  /** The tables below it by name. */
  readonly parts?: Readonly<Record<string, TomlValues>>;
}

export interface KeyedTables {
  /**
   * Adds a table. Durable when the promise resolves. Throws `config.invalid`,
   * `record.handle-taken` or `home.read-only`, and then changes nothing.
   */
  add(table: NewTable, by?: Actor): Promise<void>;
  /**
   * Changes these values, and the key or reference if there is one, in a table that exists. Other
   * values and comments stay. A key gets another file than the present one, so one edit of the
   * config replaces it. Throws the errors of `add`.
   */
  change(table: TableChange, by?: Actor): Promise<void>;
  /** Replaces the stored key of a table. Throws the errors of `check`. */
  replaceKey(table: KeyedTableName, key: string, check: () => void, by?: Actor): Promise<void>;
  /** Removes the table and its stored key. Throws the errors of `check`. */
  remove(table: KeyedTableName, check: () => void, by?: Actor): Promise<void>;
}

export interface KeyedTablesOptions {
  readonly config: Pick<ConfigSource, "current" | "edit">;
  readonly keyFiles: KeyFiles;
}

export const createKeyedTables = ({ config, keyFiles }: KeyedTablesOptions): KeyedTables => {
  /**
   * Changes are serialised. A key and the config are two files, and a concurrent change could
   * leave one without the other.
   */
  const enqueue = createSerialQueue();

  /** Returns the tables that refer to this file. */
  const findTablesUsing = (path: string): readonly string[] =>
    referencesIn(config.current()).flatMap(({ table, reference }) =>
      reference.kind === "file" && reference.path === path ? [table] : [],
    );

  /** Returns the stored keys of a table. */
  const keysOf = (table: KeyedTableName): readonly string[] =>
    keyNames(table).filter((name) => findTablesUsing(keyPath(name)).includes(`${table.group}.${table.name}`));

  const removeUnused = async (names: readonly string[]): Promise<void> => {
    for (const name of names) if (findTablesUsing(keyPath(name)).length === 0) await keyFiles.remove(name);
  };

  const checkReference = ({ reference, keyField }: TableChange): void => {
    const parsed = reference === undefined ? undefined : parseReference(reference);
    if (parsed?.kind === "refused")
      throw new HearthError("config.invalid", `${keyField} ${parsed.why}.`, { hint: parsed.hint });
  };

  const checkKey = ({ group, name, key }: NewTable): void => {
    const path = keyPath(keyName({ group, name }));
    const [table] = key === undefined ? [] : findTablesUsing(path);
    if (table !== undefined)
      throw new HearthError("record.handle-taken", `[${table}] already uses the key file ${path}.`, {
        hint: "Choose another name.",
      });
  };

  return {
    add: (table, by) =>
      enqueue(async () => {
        table.check?.();
        checkReference(table);
        checkKey(table);
        const { group, name, values, keyField, key, url, parts = {} } = table;
        const reference = key === undefined ? table.reference : `file:${keyPath(keyName(table))}`;
        const valuesWithKey = { ...values, ...(reference === undefined ? {} : { [keyField]: reference }) };
        if (key !== undefined) await keyFiles.write(keyName(table), key);
        try {
          await config.edit(
            (text, file) =>
              Object.entries(parts).reduce(
                (currentText, [part, partValues]) => appendTable(currentText, [group, name, part], partValues, file),
                appendTable(text, [group, name], valuesWithKey, file),
              ),
            toConfigEdit("added", table, by, {
              ...(url === undefined ? {} : { url }),
              ...(reference === undefined ? {} : { reference }),
            }),
          );
        } catch (error) {
          if (key !== undefined) await keyFiles.remove(keyName(table));
          throw error;
        }
      }),

    change: (table, by) =>
      enqueue(async () => {
        table.check?.();
        checkReference(table);
        const { group, name, values, keyField, key, url } = table;
        const oldKeys = keysOf(table);
        const freeKeyName = keyNames(table).find((key) => findTablesUsing(keyPath(key)).length === 0);
        if (key !== undefined && freeKeyName === undefined)
          throw new HearthError("record.handle-taken", `Other tables use the key files of ${group}.${name}.`, {
            hint: "Remove those tables first.",
          });
        const reference = key === undefined ? table.reference : `file:${keyPath(freeKeyName ?? "")}`;
        const valuesWithKey = { ...values, ...(reference === undefined ? {} : { [keyField]: reference }) };
        if (key !== undefined && freeKeyName !== undefined) await keyFiles.write(freeKeyName, key);
        try {
          await config.edit(
            (text, file) =>
              Object.entries(valuesWithKey).reduce(
                (editedText, [field, value]) => setValue(editedText, [[group, name], field], value ?? undefined, file),
                text,
              ),
            toConfigEdit("changed", table, by, {
              ...(url === undefined ? {} : { url }),
              ...(reference === undefined ? {} : { reference }),
            }),
          );
        } catch (error) {
          if (key !== undefined && freeKeyName !== undefined) await keyFiles.remove(freeKeyName);
          throw error;
        }
        await removeUnused(oldKeys);
      }),

    replaceKey: (table, key, check, by) =>
      enqueue(async () => {
        check();
        // The edit changes no text. It records who changed the key, before the key changes.
        await config.edit((text) => text, toConfigEdit("changed", table, by));
        await keyFiles.write(keyName(table), key);
      }),

    remove: (table, check, by) =>
      enqueue(async () => {
        check();
        const keys = keysOf(table);
        await config.edit(
          (text, file) => removeTable(text, [table.group, table.name], file),
          toConfigEdit("removed", table, by),
        );
        await removeUnused(keys);
      }),
  };
};

/** Returns the names of the key files that a table can have. A changed key moves from one file to the other. */
const keyNames = (table: KeyedTableName): readonly string[] => [keyName(table), `${keyName(table)}-2`];

const keyName = ({ group, name }: KeyedTableName): string => (group === "channels" ? `channel.${name}` : name);

const toConfigEdit = (
  change: ConfigEdit["change"],
  { group, name }: KeyedTableName,
  actor: Actor | undefined,
  details: Pick<ConfigEdit, "url" | "reference"> = {},
): ConfigEdit | undefined => {
  if (actor === undefined) return undefined;
  const { agent, ...credential } = actor;
  return { table: `${group}.${name}`, change, by: agent, ...credential, ...details };
};
