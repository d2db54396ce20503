/**
 * The config of a running house. It is read at the start, changed by edits of its text, one at a
 * time, and read again when the file changes.
 */
import { type AgentId, type ErrorBody, type KeyId, type Right, type SessionId, toErrorBody } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import type { ConfigFile } from "./file.ts";
import type { Path } from "./lines.ts";
import { type ParsedConfig, parseConfig } from "./read.ts";
import type { Config, PinnedAgent } from "./schema.ts";

/**
 * The agent and the credential for which an edit is recorded. It never contains the credential's
 * secret.
 */
export interface Actor {
  readonly agent: AgentId;
  readonly via: "key" | "login" | "run-token";
  readonly key?: KeyId;
  readonly session?: SessionId;
  /** The right that admitted the request. Absent: the level did. */
  readonly right?: Right;
}

/** An edit of the file, for the audit log and other listeners. It contains no secret. */
export interface ConfigEdit {
  /** The table that was added, changed or removed, such as `providers.den`. */
  readonly table: string;
  readonly change: "added" | "changed" | "removed";
  readonly by: AgentId;
  /** The kind of the credential that made the edit, and the id of the key or of the session. */
  readonly via?: Actor["via"];
  readonly key?: KeyId;
  readonly session?: SessionId;
  /** The right that admitted the edit. Absent: the level did. */
  readonly right?: Right;
  /** The base URL of a provider that was added. */
  readonly url?: string;
  /** The reference to the key of an added provider, such as `env:NAME`. Never the key itself. */
  readonly reference?: string;
}

export interface ConfigSource {
  current(): Config;
  /** Returns the value that the file has at a path, without defaults. */
  fileValue(path: Path): unknown;
  /** Returns the line (from 1) of a path in the file. */
  lineOf(path: Path): number | undefined;
  /** Returns the place of a path, such as "hearth.toml line 12", or the file's name. */
  placeOf(path: Path): string;
  /**
   * Returns where a field of an agent is pinned, such as "hearth.toml line 12". The name of an
   * agent in the file is pinned too: another name would change its handle, and the next start
   * would create a new agent for the old handle.
   */
  pinPlaceOf(handle: string, field: string): string | undefined;
  /**
   * Edits the text of the file and applies it. Throws `config.invalid`, and then changes nothing.
   */
  edit(change: (text: string, file: string) => string, details?: ConfigEdit): Promise<void>;
  /**
   * Called with each attributed edit after the file is written and before `edit` resolves. A
   * listener never rejects.
   */
  onEdit(listener: (edit: ConfigEdit) => Promise<void>): void;
  /**
   * Reads the file again and applies it. If the file is invalid or missing, the current config
   * stays.
   */
  reload(): Promise<void>;
  /**
   * Returns the reason why the file's current text is not applied, or undefined if it is applied.
   */
  problem(): ErrorBody | undefined;
  /**
   * Adds a listener that is called after each change of `current`, before `edit` or `reload`
   * resolves. It never throws.
   */
  onChange(listener: () => void): void;
  /** Returns the changed tables that apply only after a restart, such as `server`. */
  restartTables(): readonly string[];
}

/** The tables whose readers ask for the current config at each use, or listen to its changes. */
export const LIVE_TABLES: ReadonlySet<string> = new Set<keyof Config>([
  "providers",
  "defaults",
  "channels",
  "search",
  "voice",
  "pictures",
  "descriptions",
  "budget",
  "approvals",
  "models",
  "compaction",
  "tunnel",
  "cells",
  "egress",
  "attachments",
  "observers",
  "login",
  "audit",
  "backup",
  "retention",
  "turns",
]);

export const createConfigSource = (file: ConfigFile, start: ParsedConfig): ConfigSource => {
  let parsed = start;
  let problem: ErrorBody | undefined;

  const changeListeners: (() => void)[] = [];
  const apply = (newConfig: ParsedConfig): void => {
    problem = undefined;
    if (serialize(newConfig.config) === serialize(parsed.config)) {
      // The lines may have moved.
      parsed = newConfig;
      return;
    }
    parsed = newConfig;
    for (const listen of changeListeners) listen();
  };
  /**
   * Runs edits and reloads one at a time. The caller of a failed edit receives its error, and the
   * next one runs.
   */
  const enqueue = createSerialQueue();

  const editListeners: ((edit: ConfigEdit) => Promise<void>)[] = [];

  const rewrite = async (change: (text: string, file: string) => string, details?: ConfigEdit): Promise<void> => {
    // Reads the file on the disk, because a person may have edited it since the start.
    const text = change((await file.read()) ?? "", file.name);
    const newConfig = parseConfig(text, file.name, problem === undefined ? UNCHANGED_REMEDY : undefined);
    await file.write(text);
    apply(newConfig);
    if (details !== undefined) await Promise.all(editListeners.map((listen) => listen(details)));
  };

  return {
    current: () => parsed.config,
    fileValue: (path) =>
      path.reduce<unknown>(
        (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
        parsed.fileTable,
      ),
    lineOf: (path) => parsed.lineOf(path),
    placeOf: (path) => placeIn(parsed, file.name, path),
    pinPlaceOf(handle, field) {
      const pin = parsed.config.agents.get(handle);
      if (pin === undefined || (field !== "name" && !Object.hasOwn(pin, field))) return undefined;
      return placeIn(parsed, file.name, field === "name" ? ["agents", handle] : ["agents", handle, field]);
    },
    edit: (change, details) => enqueue(() => rewrite(change, details)),
    onEdit: (listener) => void editListeners.push(listener),
    reload: () =>
      enqueue(async () => {
        try {
          const text = await file.read();
          if (text === undefined) problem = missingFileError(file.name);
          else apply(parseConfig(text, file.name));
        } catch (error) {
          problem = toErrorBody(error);
        }
      }),
    problem: () => problem,
    onChange: (listener) => void changeListeners.push(listener),
    restartTables: () =>
      Object.entries(parsed.config).flatMap(([table, value]) =>
        LIVE_TABLES.has(table) || serialize(value) === serialize(start.config[table as keyof Config]) ? [] : [table],
      ),
  };
};

/** The remedy for an edit that would make a valid file invalid. */
const UNCHANGED_REMEDY = "The file is unchanged. Choose another value.";

const missingFileError = (file: string): ErrorBody => ({
  code: "config.invalid",
  message: `${file} is missing.`,
  hint: "Put it back. The next start would create a new one with the default settings.",
});

/** Returns equal texts for equal values. Maps are written with their entries. */
const serialize = (value: unknown): string | undefined =>
  JSON.stringify(value, (_key, nestedValue: unknown) => (nestedValue instanceof Map ? [...nestedValue] : nestedValue));

export const placeIn = ({ lineOf }: Pick<ParsedConfig, "lineOf">, file: string, path: Path): string => {
  const line = lineOf(path);
  return line === undefined ? file : `${file} line ${line}`;
};

/** Returns the pinned fields whose value differs from the record's. */
export const pinsToApply = (
  pin: PinnedAgent,
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(pin).filter(([field, value]) => JSON.stringify(content[field]) !== JSON.stringify(value)),
  );
