/** Reads and writes `hearth.toml`. */

/**
 * Contract, checked by `configFileConformance`:
 * - `read` returns the last text written, or undefined if there is no file
 * - `write` replaces the whole text or, if it fails, none of it
 * - `backup` copies the present text beside the file and replaces an earlier copy with that suffix
 */
export interface ConfigFile {
  /** For messages to a person. */
  readonly name: string;
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** `.v0.bak` → `hearth.toml.v0.bak`. */
  backup(suffix: string): Promise<void>;
}

/** A file in memory, with its backups. */
export const createMemoryConfigFile = (
  text?: string,
): ConfigFile & { readonly backups: ReadonlyMap<string, string> } => {
  let present = text;
  const backups = new Map<string, string>();
  return {
    name: "hearth.toml",
    backups,
    read: () => Promise.resolve(present),
    write(next) {
      present = next;
      return Promise.resolve();
    },
    backup(suffix) {
      if (present !== undefined) backups.set(suffix, present);
      return Promise.resolve();
    },
  };
};
