/** The config of a running house: read once, and changed by edits of its text, one at a time. */
import type { AgentId, KeyId, SessionId } from "@hearth/protocol";
import type { ConfigFile } from "./file.ts";
import type { Path } from "./lines.ts";
import { type ParsedConfig, parseConfig } from "./read.ts";
import type { Config, PinnedAgent } from "./schema.ts";

/**
 * The agent and the credential that an edit is recorded for. It never holds the credential's
 * secret.
 */
export interface Actor {
  readonly agent: AgentId;
  readonly via: "key" | "login" | "run-token";
  readonly key?: KeyId;
  readonly session?: SessionId;
}

/** An edit of the file, for the audit log and other listeners. It holds no secret. */
export interface ConfigEdit {
  /** The table that was added, changed or removed, such as `providers.den`. */
  readonly table: string;
  readonly change: "added" | "removed";
  readonly by: AgentId;
  /** The credential that made the edit: its kind, and the id of the key or of the session. */
  readonly via?: Actor["via"];
  readonly key?: KeyId;
  readonly session?: SessionId;
  /** The base URL of a provider that was added. */
  readonly url?: string;
  /** Where the key of a provider that was added is kept, such as `env:NAME`. Never the key. */
  readonly reference?: string;
}

export interface ConfigSource {
  current(): Config;
  /** The place of a path, such as "hearth.toml line 12", or the file's name. */
  placeOf(path: Path): string;
  /**
   * Where a field of an agent is pinned, such as "hearth.toml line 12". The name of an agent in the
   * file is pinned too: another name would change its handle, and the next start would create a new
   * agent for the old one.
   */
  pinned(handle: string, field: string): string | undefined;
  /**
   * Edits the text of the file and applies it. Throws `config.invalid` without changing anything.
   */
  edit(change: (text: string, file: string) => string, about?: ConfigEdit): Promise<void>;
  /**
   * Called with each attributed edit after the file is written and before `edit` resolves. A
   * listener never rejects.
   */
  onEdit(listener: (edit: ConfigEdit) => Promise<void>): void;
}

export const createConfigSource = (file: ConfigFile, start: ParsedConfig): ConfigSource => {
  let parsed = start;
  let last: Promise<void> = Promise.resolve();

  const listeners: ((edit: ConfigEdit) => Promise<void>)[] = [];

  const rewrite = async (change: (text: string, file: string) => string, about?: ConfigEdit): Promise<void> => {
    // The file on disk, which a person may have edited since the start.
    const text = change((await file.read()) ?? "", file.name);
    const next = parseConfig(text, file.name);
    await file.write(text);
    parsed = next;
    if (about !== undefined) await Promise.all(listeners.map((listen) => listen(about)));
  };

  return {
    current: () => parsed.config,
    placeOf: (path) => placeIn(parsed, file.name, path),
    pinned(handle, field) {
      const pin = parsed.config.agents.get(handle);
      if (pin === undefined || (field !== "name" && !Object.hasOwn(pin, field))) return undefined;
      return placeIn(parsed, file.name, field === "name" ? ["agents", handle] : ["agents", handle, field]);
    },
    edit(change, about) {
      const edited = last.then(() => rewrite(change, about));
      last = edited.catch(() => {
        // The caller receives the error; the next edit starts from the present file.
      });
      return edited;
    },
    onEdit: (listener) => void listeners.push(listener),
  };
};

export const placeIn = ({ lineOf }: Pick<ParsedConfig, "lineOf">, file: string, path: Path): string => {
  const line = lineOf(path);
  return line === undefined ? file : `${file} line ${line}`;
};

/** Pinned fields whose value differs from the record's. */
export const pinsToApply = (
  pin: PinnedAgent,
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(pin).filter(([field, value]) => JSON.stringify(content[field]) !== JSON.stringify(value)),
  );
