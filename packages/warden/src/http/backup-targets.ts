/** Changes the targets of backups in the config file, and stores the keys of S3 stores. */
import { HearthError, type SetBackupTarget, type World } from "@hearth/protocol";
import { type Actor, type ConfigEdit, type ConfigSource, type KeyFiles, parseBackupAddress } from "../kernel/index.ts";
import { appendTable, keyPath, removeTable, setValue } from "../kernel/lazy.ts";
import { noSuchPlace } from "./backups.ts";

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
  let last: Promise<void> = Promise.resolve();
  /** The keys and the config are separate files, so changes run one at a time. */
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const changed = last.then(change);
    last = changed.catch(() => {
      // The caller of the change receives the error.
    });
    return changed;
  };

  const addressOf = (name: string): string | undefined => config.current().backup?.targets.get(name)?.to;

  /** Removes the stored keys of an address that no target uses any more. */
  const dropUnused = async (address: string | undefined): Promise<void> => {
    const targets = config.current().backup?.targets.values() ?? [];
    const used = new Set([...targets].flatMap(({ to }) => ownKeysIn(to)));
    for (const key of ownKeysIn(address ?? "")) if (!used.has(key)) await keyFiles.drop(key);
  };

  return {
    set: (name, target, by) =>
      inTurn(async () => {
        const { accessKeyId, secretAccessKey, every, keep } = target;
        const before = addressOf(name);
        const address = target.to ?? before;
        if (address === undefined) throw noSuchPlace(name);
        const { kind } = parseBackupAddress(address);
        const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
        if (hasKeys !== (accessKeyId !== undefined || secretAccessKey !== undefined))
          throw invalid("one of the two keys is missing", "Give both: the access key ID and the secret access key.");
        if (hasKeys && kind !== "s3")
          throw invalid(`a target of kind ${kind}: has no keys`, "Omit the keys. For SSH, use ?identity_file=/PATH.");
        // New keys have new names, so a failed change leaves the present keys intact.
        const suffix = `${name}-${toHex(world.random(4))}`;
        const [id, secret] = [`backup.id-${suffix}`, `backup.secret-${suffix}`] as const;
        const to = hasKeys ? withKeys(address, id, secret) : address;
        const edit = (text: string, file: string): string =>
          before === undefined
            ? appendTable(text, [...TARGETS, name], withoutAbsent({ to, every, keep }), file)
            : Object.entries({ to, every, keep }).reduce(
                (present, [key, value]) =>
                  value === undefined
                    ? present
                    : setValue(present, [[...TARGETS, name], key], value ?? undefined, file),
                text,
              );
        try {
          if (hasKeys) {
            await keyFiles.keep(id, accessKeyId);
            await keyFiles.keep(secret, secretAccessKey);
          }
          await config.edit(edit, about(before === undefined ? "added" : "changed", name, by, to));
        } catch (error) {
          if (hasKeys) for (const key of [id, secret]) await keyFiles.drop(key);
          throw error;
        }
        await dropUnused(before);
      }),

    remove: (name, by) =>
      inTurn(async () => {
        const before = addressOf(name);
        if (before === undefined) throw noSuchPlace(name);
        await config.edit((text, file) => removeTable(text, [...TARGETS, name], file), about("removed", name, by));
        await dropUnused(before);
      }),
  };
};

const TARGETS = ["backup", "targets"] as const;

const invalid = (why: string, hint: string): HearthError =>
  new HearthError("config.invalid", `Backup target: ${why}.`, { hint });

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The address with references to these stored keys. */
const withKeys = (address: string, id: string, secret: string): string => {
  const [base = "", query = ""] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set("access_key_id", `file:${keyPath(id)}`);
  parameters.set("secret_access_key", `file:${keyPath(secret)}`);
  // As a person would write it: a query may contain both characters.
  const readable = (value: string): string => encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2F", "/");
  return `${base}?${[...parameters].map(([key, value]) => `${key}=${readable(value)}`).join("&")}`;
};

/** The names of the keys that this module stored for an address. */
const ownKeysIn = (address: string): readonly string[] => {
  if (!address.startsWith("s3:")) return [];
  const parsed = parseBackupAddress(address);
  if (parsed.kind !== "s3") return [];
  return [parsed.accessKeyId, parsed.secretAccessKey].flatMap((reference) =>
    reference.kind === "file" ? (OWN_KEY.exec(reference.path)?.[1] ?? []) : [],
  );
};

const withoutAbsent = (values: Readonly<Record<string, string | number | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== null,
    ),
  );

const about = (
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
