/**
 * Adds tables such as `[providers.den]` and `[channels.telegram]` to the config file, removes them,
 * and stores their keys. Changes run one at a time.
 */
import { HearthError } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import { appendTable, removeTable, type TomlValues } from "./edit.ts";
import { type KeyFiles, keyPath } from "./key-files.ts";
import { parseReference } from "./reference.ts";
import { referencesIn } from "./references.ts";
import type { Actor, ConfigEdit, ConfigSource } from "./source.ts";

/** The name of a table, with the part that a person chose. */
export interface KeyedTableName {
  readonly group: "providers" | "channels";
  readonly name: string;
}

export interface NewTable extends KeyedTableName {
  readonly values: TomlValues;
  /** The field that refers to the key, such as `api_key`. */
  readonly keyField: string;
  /** The key itself. At most one of key and reference is present. */
  readonly key?: string | undefined;
  readonly reference?: string | undefined;
  /** The URL of the entry, for the audit log. */
  readonly url?: string | undefined;
  /** Throws if the table cannot be added. Called in the queue, right before the change. */
  readonly check?: () => void;
}

export interface KeyedTables {
  /**
   * Adds a table. Durable when the promise resolves. Throws `config.invalid`,
   * `record.handle-taken` or `home.read-only`, and then changes nothing.
   */
  add(table: NewTable, by?: Actor): Promise<void>;
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
  const usersOf = (path: string): readonly string[] =>
    referencesIn(config.current()).flatMap(({ table, reference }) =>
      reference.kind === "file" && reference.path === path ? [table] : [],
    );

  const checkKey = ({ group, name, key, reference, keyField }: NewTable): void => {
    const parsed = reference === undefined ? undefined : parseReference(reference);
    if (parsed?.kind === "refused")
      throw new HearthError("config.invalid", `${keyField} ${parsed.why}.`, { hint: parsed.hint });
    const path = keyPath(keyName({ group, name }));
    const [user] = key === undefined ? [] : usersOf(path);
    if (user !== undefined)
      throw new HearthError("record.handle-taken", `[${user}] already uses the key file ${path}.`, {
        hint: "Choose another name.",
      });
  };

  return {
    add: (table, by) =>
      enqueue(async () => {
        table.check?.();
        checkKey(table);
        const { group, name, values, keyField, key, url } = table;
        const reference = key === undefined ? table.reference : `file:${keyPath(keyName(table))}`;
        const all = { ...values, ...(reference === undefined ? {} : { [keyField]: reference }) };
        if (key !== undefined) await keyFiles.keep(keyName(table), key);
        try {
          await config.edit(
            (text, file) => appendTable(text, [group, name], all, file),
            about("added", table, by, {
              ...(url === undefined ? {} : { url }),
              ...(reference === undefined ? {} : { reference }),
            }),
          );
        } catch (error) {
          if (key !== undefined) await keyFiles.drop(keyName(table));
          throw error;
        }
      }),

    replaceKey: (table, key, check, by) =>
      enqueue(async () => {
        check();
        // The edit changes no text. It records who changed the key, before the key changes.
        await config.edit((text) => text, about("changed", table, by));
        await keyFiles.keep(keyName(table), key);
      }),

    remove: (table, check, by) =>
      enqueue(async () => {
        check();
        const path = keyPath(keyName(table));
        const isKept = usersOf(path).includes(`${table.group}.${table.name}`);
        await config.edit(
          (text, file) => removeTable(text, [table.group, table.name], file),
          about("removed", table, by),
        );
        if (isKept && usersOf(path).length === 0) await keyFiles.drop(keyName(table));
      }),
  };
};

const keyName = ({ group, name }: KeyedTableName): string => (group === "channels" ? `channel.${name}` : name);

const about = (
  change: ConfigEdit["change"],
  { group, name }: KeyedTableName,
  actor: Actor | undefined,
  details: Pick<ConfigEdit, "url" | "reference"> = {},
): ConfigEdit | undefined => {
  if (actor === undefined) return undefined;
  const { agent, ...credential } = actor;
  return { table: `${group}.${name}`, change, by: agent, ...credential, ...details };
};
