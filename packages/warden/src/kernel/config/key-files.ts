/** Stores typed keys, each in its own file. The config only refers to the file. */
import { HearthError } from "@hearth/protocol";

/**
 * Contract, checked by `keyFilesConformance`:
 * - after `keep`, the file at `keyPath(name)` holds exactly the key
 * - if `keep` fails, the previous content stays
 * - after `drop` the file does not exist; dropping a missing file is not an error
 */
export interface KeyFiles {
  keep(name: string, key: string): Promise<void>;
  drop(name: string): Promise<void>;
}

/** A provider's key has the name of the provider; that of a channel is `channel.` and its name. */
export const isKeyName = (name: string): boolean => /^(?:channel\.)?[a-z][a-z0-9-]{0,63}$/.test(name);

/** Path of a key, relative to the home folder. */
export const keyPath = (name: string): string => {
  if (isKeyName(name)) return `keys/${name}`;
  throw new HearthError("config.invalid", `"${name}" is not a valid name.`, {
    hint: "Use lower-case letters, digits and hyphens, and begin with a letter.",
  });
};

/** Keys in memory, by path. */
export const createMemoryKeyFiles = (): KeyFiles & { readonly files: ReadonlyMap<string, string> } => {
  const files = new Map<string, string>();
  return {
    files,
    async keep(name, key) {
      files.set(keyPath(name), key);
    },
    async drop(name) {
      files.delete(keyPath(name));
    },
  };
};
