/** The interface of the file `hearth.toml`. */

/**
 * Contract, checked by `configFileConformance`:
 * - `read` returns the text of the last `write`, or undefined if there is no file
 * - `write` replaces the whole text, or leaves it unchanged if it fails
 * - `backup` copies the current text beside the file and replaces an earlier copy with that suffix
 */
export interface ConfigFile {
  /** The file's name in messages to a person. */
  readonly name: string;
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** Copies the file. The suffix `.v0.bak` gives `hearth.toml.v0.bak`. */
  backup(suffix: string): Promise<void>;
}

/** Creates a file in memory, with its backups. */
export const createMemoryConfigFile = (
  text?: string,
): ConfigFile & { readonly backups: ReadonlyMap<string, string> } => {
  let currentText = text;
  const backups = new Map<string, string>();
  return {
    name: "hearth.toml",
    backups,
    read: () => Promise.resolve(currentText),
    write(newText) {
      currentText = newText;
      return Promise.resolve();
    },
    backup(suffix) {
      if (currentText !== undefined) backups.set(suffix, currentText);
      return Promise.resolve();
    },
  };
};
