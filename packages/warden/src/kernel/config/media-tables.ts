/**
 * Writes the tables of the providers of speech, pictures and descriptions into the config file, and stores their
 * keys. Changes run one at a time.
 */
import { HearthError, type MediaPart } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import { putTable, removeTable, type TomlValues } from "./edit.ts";
import { type KeyFiles, keyPath } from "./key-files.ts";
import { parseConfig } from "./read.ts";
import { parseReference } from "./reference.ts";
import { referencesIn } from "./references.ts";
import type { Config } from "./schema.ts";
import type { Actor, ConfigEdit, ConfigSource } from "./source.ts";

export interface MediaTable {
  /** The values of the table, without the key. */
  readonly values: TomlValues;
  /** The key itself. At most one of key and reference is present. */
  readonly key?: string | undefined;
  readonly reference?: string | undefined;
  /** The base URL, for the audit log. */
  readonly url?: string | undefined;
}

export interface MediaTables {
  /**
   * Replaces the values of the table, or adds it. Durable when the promise resolves. Throws
   * `config.invalid` or `home.read-only`, and then changes nothing.
   */
  put(part: MediaPart, table: MediaTable, by: Actor): Promise<void>;
  /** Removes the table and its stored key. A missing table stays missing. */
  remove(part: MediaPart, by: Actor): Promise<void>;
}

export interface MediaTablesOptions {
  readonly config: Pick<ConfigSource, "current" | "fileValue" | "edit">;
  readonly keyFiles: KeyFiles;
}

const PATHS: Readonly<Record<MediaPart, readonly string[]>> = {
  transcribe: ["voice", "transcribe"],
  speak: ["voice", "speak"],
  pictures: ["pictures"],
  describe: ["descriptions"],
};

export const createMediaTables = ({ config, keyFiles }: MediaTablesOptions): MediaTables => {
  /** A key and the config are two files, which a concurrent change could separate. */
  const enqueue = createSerialQueue();

  const isUsed = (name: string): boolean =>
    referencesIn(config.current()).some(
      ({ reference }) => reference.kind === "file" && reference.path === keyPath(name),
    );

  /** Removes the stored keys that the config no longer names. */
  const removeUnusedKeys = async (names: readonly string[]): Promise<void> => {
    for (const name of names) if (!isUsed(name)) await keyFiles.remove(name);
  };

  return {
    put: (part, { values, key, reference, url }, by) =>
      enqueue(async () => {
        if (reference !== undefined) checkReference(reference);
        const usedNames = keyNames(part).filter(isUsed);
        // A new key gets another file, so that the present key stays if the edit fails.
        const name = keyNames(part).find((name) => !usedNames.includes(name)) ?? "";
        const referenceText = key === undefined ? reference : `file:${keyPath(name)}`;
        const valuesWithKey = referenceText === undefined ? values : { ...values, api_key: referenceText };
        if (key !== undefined) await keyFiles.write(name, key);
        try {
          await config.edit(
            (text, file) => putTable(text, PATHS[part], valuesWithKey, file),
            toConfigEdit(config.fileValue(PATHS[part]) === undefined ? "added" : "changed", part, by, {
              ...(url === undefined ? {} : { url }),
              ...(referenceText === undefined ? {} : { reference: referenceText }),
            }),
          );
        } catch (error) {
          if (key !== undefined) await keyFiles.remove(name);
          throw error;
        }
        await removeUnusedKeys(usedNames);
      }),

    remove: (part, by) =>
      enqueue(async () => {
        if (config.fileValue(PATHS[part]) === undefined) return;
        const usedNames = keyNames(part).filter(isUsed);
        await config.edit((text, file) => removeTable(text, PATHS[part], file), toConfigEdit("removed", part, by));
        await removeUnusedKeys(usedNames);
      }),
  };
};

/** The path of a typed key in the config of `toDraftConfig`. No such file is written. */
export const DRAFT_KEY_PATH = keyPath("media.draft");

/**
 * Returns the config of a house that has only this table, for a test. Throws `config.invalid`, as
 * `put` does.
 */
export const toDraftConfig = (part: MediaPart, { values, key, reference }: MediaTable): Config => {
  if (reference !== undefined) checkReference(reference);
  const referenceText = key === undefined ? reference : `file:${DRAFT_KEY_PATH}`;
  const valuesWithKey = referenceText === undefined ? values : { ...values, api_key: referenceText };
  const text = putTable("version = 1\n", PATHS[part], valuesWithKey, DRAFT_NAME);
  return parseConfig(text, DRAFT_NAME, "Change the setting.").config;
};

/** The name of the draft in error messages. */
const DRAFT_NAME = "the settings";

/** The present key and the next one. */
const keyNames = (part: MediaPart): readonly string[] => [`media.${part}`, `media.${part}-2`];

/** Throws for a text that is not a reference. The error does not repeat the text, because it may be the key. */
const checkReference = (reference: string): void => {
  const parsed = parseReference(reference);
  if (parsed.kind === "refused")
    throw new HearthError("config.invalid", `api_key ${parsed.why}.`, { hint: parsed.hint });
};

const toConfigEdit = (
  change: ConfigEdit["change"],
  part: MediaPart,
  { agent, ...credential }: Actor,
  details: Pick<ConfigEdit, "url" | "reference"> = {},
): ConfigEdit => ({ table: PATHS[part].join("."), change, by: agent, ...credential, ...details });
