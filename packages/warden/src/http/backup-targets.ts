/** Changes the targets of backups in the config file, and stores the keys of S3 stores. */
import { HearthError, type SetBackupTarget, type World } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import { type Actor, type ConfigEdit, type ConfigSource, type KeyFiles, parseBackupAddress } from "../kernel/index.ts";
import { appendTable, keyPath, removeTable, setValue } from "../kernel/lazy.ts";
import { noBackupTargetError } from "./backups.ts";

export interface BackupTargets {
  /**
   * Adds a target, or changes a known one. Durable when it resolves. Throws `config.invalid`,
   * `backup.not-found` or `home.read-only`, and then changes nothing.
   */
  set(name: string, target: SetBackupTarget, by: Actor): Promise<void>;
  /** Throws `backup.not-found` or `home.read-only`. */
  remove(name: string, by: Actor): Promise<void>;
}

export interface BackupTargetsOptions {
  readonly config: Pick<ConfigSource, "current" | "edit">;
  readonly keyFiles: KeyFiles;
  readonly world: Pick<World, "random">;
}

/** The path of a key that this module stored, in a reference of an address. */
const OWN_KEY = /^keys\/(backup\..+)$/;

export const createBackupTargets = ({ config, keyFiles, world }: BackupTargetsOptions): BackupTargets => {
  /** The keys and the config are separate files, so changes run one at a time. */
  const enqueue = createSerialQueue();

  const addressOf = (name: string): string | undefined => config.current().backup?.targets.get(name)?.to;

  /** Removes the stored keys of an address that is no longer used by a target. */
  const dropUnused = async (address: string | undefined): Promise<void> => {
    const targets = config.current().backup?.targets.values() ?? [];
    const usedKeys = new Set([...targets].flatMap(({ to }) => ownKeysIn(to)));
    for (const key of ownKeysIn(address ?? "")) if (!usedKeys.has(key)) await keyFiles.remove(key);
  };

  return {
    set: (name, target, by) =>
      enqueue(async () => {
        const previousAddress = addressOf(name);
        const address = target.to ?? previousAddress;
        if (address === undefined) throw noBackupTargetError(name);
        const keys = keysOf(target, address);
        // New keys have new names, so a failed change leaves the present keys intact.
        const suffix = `${name}-${world.random(4).toHex()}`;
        const storedKeys = { [`backup.id-${suffix}`]: keys?.id, [`backup.secret-${suffix}`]: keys?.secret };
        const to = keys === undefined ? address : withKeys(address, Object.keys(storedKeys));
        try {
          for (const [file, key] of Object.entries(storedKeys)) if (key !== undefined) await keyFiles.write(file, key);
          await config.edit(
            editTarget(name, { ...target, to }, previousAddress !== undefined),
            toConfigEdit(previousAddress === undefined ? "added" : "changed", name, by, to),
          );
        } catch (error) {
          if (keys !== undefined) for (const file of Object.keys(storedKeys)) await keyFiles.remove(file);
          throw error;
        }
        await dropUnused(previousAddress);
      }),

    remove: (name, by) =>
      enqueue(async () => {
        const previousAddress = addressOf(name);
        if (previousAddress === undefined) throw noBackupTargetError(name);
        await config.edit(
          (text, file) => removeTable(text, [...TARGETS, name], file),
          toConfigEdit("removed", name, by),
        );
        await dropUnused(previousAddress);
      }),
  };
};

const TARGETS = ["backup", "targets"] as const;

const invalidTargetError = (why: string, hint: string): HearthError =>
  new HearthError("config.invalid", `Backup target: ${why}.`, { hint });

/** Returns the keys of a request. Throws `config.invalid` for one of two keys, or if the target has none. */
const keysOf = ({ accessKeyId: id, secretAccessKey: secret }: SetBackupTarget, address: string) => {
  const { kind } = parseBackupAddress(address);
  if (id === undefined && secret === undefined) return undefined;
  if (id === undefined || secret === undefined)
    throw invalidTargetError(
      "one of the two keys is missing",
      "Give both: the access key ID and the secret access key.",
    );
  if (kind !== "s3")
    throw invalidTargetError(
      `a target of kind ${kind} has no keys`,
      "Omit the keys. For SSH, use ?identity_file=/PATH.",
    );
  return { id, secret };
};

/** Returns the edit of the config file that adds a target, or changes the given values of a known one. */
const editTarget =
  (name: string, { to, every, keep }: SetBackupTarget, isKnown: boolean) =>
  (text: string, file: string): string => {
    const table = [...TARGETS, name];
    if (!isKnown) return appendTable(text, table, withoutAbsent({ to, every, keep }), file);
    return Object.entries({ to, every, keep }).reduce(
      // null removes a value, and undefined keeps it.
      (currentText, [key, value]) =>
        value === undefined ? currentText : setValue(currentText, [table, key], value ?? undefined, file),
      text,
    );
  };

/** Returns the address with references to these stored keys. */
const withKeys = (address: string, [id = "", secret = ""]: readonly string[]): string => {
  const [baseUrl = "", query = ""] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set("access_key_id", `file:${keyPath(id)}`);
  parameters.set("secret_access_key", `file:${keyPath(secret)}`);
  // As a person would write it: a query may contain both characters.
  const encodeReadable = (value: string): string =>
    encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2F", "/");
  return `${baseUrl}?${[...parameters].map(([key, value]) => `${key}=${encodeReadable(value)}`).join("&")}`;
};

/** Returns the names of the keys that this module stored for an address. */
const ownKeysIn = (address: string): readonly string[] => {
  if (!address.startsWith("s3:")) return [];
  const parsedAddress = parseBackupAddress(address);
  if (parsedAddress.kind !== "s3") return [];
  return [parsedAddress.accessKeyId, parsedAddress.secretAccessKey].flatMap((reference) =>
    reference.kind === "file" ? (OWN_KEY.exec(reference.path)?.[1] ?? []) : [],
  );
};

const withoutAbsent = (values: Readonly<Record<string, string | number | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== null,
    ),
  );

const toConfigEdit = (
  change: ConfigEdit["change"],
  name: string,
  { agent, ...credential }: Actor,
  address?: string,
): ConfigEdit => ({
  table: `backup.targets.${name}`,
  change,
  by: agent,
  ...credential,
  ...(address === undefined ? {} : { url: address.split("?")[0] ?? "" }),
});
