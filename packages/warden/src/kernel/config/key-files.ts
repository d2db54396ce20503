/** Stores the keys that people type, each in its own file. The config only refers to the file. */
import { HearthError } from "@hearth/protocol";

/**
 * Contract, checked by `keyFilesConformance`:
 * - after `write`, the file at `keyPath(name)` holds exactly the key
 * - if `write` fails, the previous content stays
 * - after `remove` the file does not exist; removing a missing file is not an error
 */
export interface KeyFiles {
  write(name: string, key: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Whether the text names a key. The key of a provider has the name of the provider. The key of a
 * channel has the prefix `channel.`, that of a provider of speech or pictures `media.`, and that of a
 * backup target `backup.`.
 */
export const isKeyName = (name: string): boolean => /^(?:(?:channel|media|backup)\.)?[a-z][a-z0-9-]{0,63}$/.test(name);

/** Returns the path of a key, relative to the home folder. */
export const keyPath = (name: string): string => {
  if (isKeyName(name)) return `keys/${name}`;
  throw new HearthError("config.invalid", `"${name}" is not a valid name.`, {
    hint: "Use lower-case letters, digits and hyphens, and begin with a letter.",
  });
};

/** Creates a store of keys in memory, by path. */
export const createMemoryKeyFiles = (): KeyFiles & { readonly files: ReadonlyMap<string, string> } => {
  const files = new Map<string, string>();
  return {
    files,
    async write(name, key) {
      files.set(keyPath(name), key);
    },
    async remove(name) {
      files.delete(keyPath(name));
    },
  };
};
