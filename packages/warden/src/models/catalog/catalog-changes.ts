/**
 * Adds providers to `hearth.toml`, removes them, and stores their keys. Changes run one at a time.
 */
import {
  appendTable,
  removeTable,
  parseReference,
  type Actor,
  type ConfigEdit,
  type ConfigSource,
} from "../../kernel/index.ts";
import { HearthError } from "@hearth/protocol";
import type { NewProvider } from "./catalog.ts";
import { type Entry, noSuchProvider } from "./entry.ts";
import { type KeyFiles, keyPath } from "./key-files.ts";

export interface CatalogChangesOptions {
  /** The valid values of `kind`. */
  readonly kinds: readonly string[];
  readonly config: Pick<ConfigSource, "current" | "edit">;
  readonly keyFiles: KeyFiles;
  readonly entries: () => ReadonlyMap<string, Entry>;
}

export interface CatalogChanges {
  add(provider: NewProvider, by?: Actor): Promise<void>;
  remove(name: string, by?: Actor): Promise<void>;
}

export const createCatalogChanges = (options: CatalogChangesOptions): CatalogChanges => {
  const { kinds, config, keyFiles, entries } = options;
  let last: Promise<void> = Promise.resolve();
  /** Key and config are two files; a concurrent change could leave one without the other. */
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const changed = last.then(change);
    last = changed.catch(() => {
      // The caller of the change receives the error.
    });
    return changed;
  };

  /** Names of the providers whose config refers to this file. */
  const usersOf = (path: string): readonly string[] =>
    [...config.current().providers].flatMap(([name, { apiKey }]) =>
      apiKey?.kind === "file" && apiKey.path === path ? [name] : [],
    );

  const check = ({ name, kind, baseUrl, apiKey, key }: NewProvider): void => {
    if (!kinds.includes(kind)) {
      throw new HearthError("config.invalid", `Unknown provider kind "${kind}".`, {
        hint: `The kind is one of: ${kinds.join(", ")}.`,
      });
    }
    const taken = entries().get(name)?.source;
    if (taken === "config" || taken === "built-in") {
      throw new HearthError("record.handle-taken", `A provider "${name}" already exists.`, {
        hint: taken === "config" ? `Remove it first: hearth provider remove ${name}` : "Choose another name.",
      });
    }
    const reference = apiKey === undefined ? undefined : parseReference(apiKey);
    if (reference?.kind === "refused")
      throw new HearthError("config.invalid", `api_key ${reference.why}.`, { hint: reference.hint });
    const [user] = key === undefined ? [] : usersOf(keyPath(name));
    if (user !== undefined) {
      throw new HearthError(
        "record.handle-taken",
        `The provider "${user}" already uses the key file ${keyPath(name)}.`,
        {
          hint: "Choose another name.",
        },
      );
    }
    checkBaseUrl(baseUrl);
  };

  return {
    add: (provider, by) =>
      inTurn(async () => {
        check(provider);
        const { name, kind, baseUrl, apiKey, key } = provider;
        const reference = key === undefined ? apiKey : `file:${keyPath(name)}`;
        const values = {
          kind,
          ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
          ...(reference === undefined ? {} : { api_key: reference }),
        };
        if (key !== undefined) await keyFiles.keep(name, key);
        try {
          await config.edit(
            (text, file) => appendTable(text, ["providers", name], values, file),
            about("added", name, by, {
              ...(baseUrl === undefined ? {} : { url: baseUrl }),
              ...(reference === undefined ? {} : { reference }),
            }),
          );
        } catch (error) {
          if (key !== undefined) await keyFiles.drop(name);
          throw error;
        }
      }),

    remove: (name, by) =>
      inTurn(async () => {
        const all = entries();
        const entry = all.get(name);
        if (entry === undefined) throw noSuchProvider(name, all);
        if (entry.source !== "config") throw notInConfig(entry);
        const isKept = usersOf(keyPath(name)).includes(name);
        await config.edit((text, file) => removeTable(text, ["providers", name], file), about("removed", name, by));
        if (isKept && usersOf(keyPath(name)).length === 0) await keyFiles.drop(name);
      }),
  };
};

const about = (
  change: ConfigEdit["change"],
  name: string,
  actor: Actor | undefined,
  details: Pick<ConfigEdit, "url" | "reference"> = {},
): ConfigEdit | undefined => {
  if (actor === undefined) return undefined;
  const { agent, ...credential } = actor;
  return { table: `providers.${name}`, change, by: agent, ...credential, ...details };
};

const notInConfig = ({ name, source, apiKey }: Entry): HearthError =>
  new HearthError("provider.unknown", `The provider "${name}" is not in the config file, so it cannot be removed.`, {
    hint:
      source === "environment" && apiKey?.kind === "env"
        ? `It exists because ${apiKey.name} is set in the environment. Unset that variable.`
        : "It is built in and cannot be removed.",
  });

/** A password in the URL would appear in messages and logs. */
export const checkBaseUrl = (baseUrl: string | undefined): void => {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new HearthError("config.invalid", "base_url must begin with http:// or https://.", {
      hint: "For example https://api.example.com/v1.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new HearthError("config.invalid", "base_url must not contain a user name or a password.", {
      hint: "Set the key as api_key, by reference.",
    });
  }
};
