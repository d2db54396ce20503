/** The config while the house runs: read once, changed by edits of its text, one after the other. */
import type { ConfigFile } from "./file.ts";
import { type ParsedConfig, parseConfig } from "./read.ts";
import type { Config, PinnedAgent } from "./schema.ts";

export interface ConfigSource {
  current(): Config;
  /** Where a field of an agent is pinned, in words such as "hearth.toml line 12". */
  pinned(handle: string, field: string): string | undefined;
  /** Rewrites the file by a change of its text, then uses what it says. Throws `config.invalid`, and then nothing has changed. */
  edit(change: (text: string, file: string) => string): Promise<void>;
}

export const createConfigSource = (file: ConfigFile, start: ParsedConfig): ConfigSource => {
  let parsed = start;
  let last: Promise<void> = Promise.resolve();

  const rewrite = async (change: (text: string, file: string) => string): Promise<void> => {
    // The file as it is on disk: a person may have edited it since the start.
    const text = change((await file.read()) ?? "", file.name);
    const next = parseConfig(text, file.name);
    await file.write(text);
    parsed = next;
  };

  return {
    current: () => parsed.config,
    pinned(handle, field) {
      const pin = parsed.config.agents.get(handle);
      if (pin === undefined || !Object.hasOwn(pin, field)) return undefined;
      const line = parsed.lineOf(["agents", handle, field]);
      return line === undefined ? file.name : `${file.name} line ${line}`;
    },
    edit(change) {
      const edited = last.then(() => rewrite(change));
      last = edited.catch(() => {
        // The one who asked is told; the next edit starts from the file as it stands.
      });
      return edited;
    },
  };
};

/** Fields of a pin that a record does not have yet. */
export const pinsToApply = (
  pin: PinnedAgent,
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(pin).filter(([field, value]) => JSON.stringify(content[field]) !== JSON.stringify(value)),
  );
