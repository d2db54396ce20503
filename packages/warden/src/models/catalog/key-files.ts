/** Keys that people typed: the house keeps each in a file of its own and shows it to nobody. The config only says where it is. */
import { CreateProvider, HearthError } from "@hearth/protocol";

/**
 * Contract, checked by `keyFilesConformance`:
 * - after `keep`, the file at `keyPath(name)` holds the key and nothing else, whatever was there before
 * - when `keep` fails, what was there before still is
 * - after `drop` there is no such file; dropping what is not there is no failure
 */
export interface KeyFiles {
  keep(name: string, key: string): Promise<void>;
  drop(name: string): Promise<void>;
}

export const isProviderName = (name: string): boolean => CreateProvider.shape.name.safeParse(name).success;

/** Where the key of a provider is kept, from the home folder. */
export const keyPath = (name: string): string => {
  if (isProviderName(name)) return `keys/${name}`;
  throw new HearthError("config.invalid", `"${name}" is not a provider's name.`, {
    hint: "Use lower-case letters, digits and hyphens, a letter first.",
  });
};

/** Keys in memory, by their paths. */
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
