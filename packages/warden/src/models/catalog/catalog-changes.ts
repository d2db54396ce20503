/** Adds providers to `hearth.toml`, and removes them. */
import type { Actor, ConfigSource, KeyFiles } from "../../kernel/index.ts";
import { createKeyedTables } from "../../kernel/lazy.ts";
import { type EditProvider, HearthError } from "@hearth/protocol";
import type { NewProvider } from "./catalog.ts";
import {
  checkBaseUrl,
  type Entry,
  isKeyStored,
  keyNotStoredError,
  noSuchProviderError,
  requireVendor,
} from "./entry.ts";

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
  edit(name: string, changes: EditProvider, by?: Actor): Promise<void>;
  /** Throws `config.invalid` if the house does not store the key of this provider. */
  replaceKey(name: string, key: string, by?: Actor): Promise<void>;
}

export const createCatalogChanges = (options: CatalogChangesOptions): CatalogChanges => {
  const { kinds, entries } = options;
  const tables = createKeyedTables(options);

  const check = ({ name, kind, baseUrl }: NewProvider): void => {
    if (!kinds.includes(kind)) {
      throw new HearthError("config.invalid", `Unknown provider kind "${kind}".`, {
        hint: `The kind is one of: ${kinds.join(", ")}.`,
      });
    }
    const existingSource = entries().get(name)?.source;
    if (existingSource === "config" || existingSource === "built-in") {
      throw new HearthError("record.handle-taken", `A provider "${name}" already exists.`, {
        hint: existingSource === "config" ? `Remove it first: hearth provider remove ${name}` : "Choose another name.",
      });
    }
    checkBaseUrl(baseUrl);
  };

  return {
    add: (provider, by) => {
      if (by?.right !== undefined) requireOwnKey(provider);
      const { name, kind, baseUrl: url, apiKey: reference, key } = provider;
      const values = { kind, ...(url === undefined ? {} : { base_url: url }) };
      return tables.add(
        { group: "providers", name, values, keyField: "api_key", key, reference, url, check: () => check(provider) },
        by,
      );
    },

    edit: (name, { baseUrl, retries }, by) =>
      tables.change(
        {
          group: "providers",
          name,
          values: {
            ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
            ...(retries === undefined ? {} : { retries }),
          },
          keyField: "api_key",
          url: baseUrl ?? undefined,
          check() {
            const currentEntries = entries();
            const entry = currentEntries.get(name);
            if (entry === undefined) throw noSuchProviderError(name, currentEntries);
            if (entry.source !== "config") throw notInConfigError(entry, "changed");
            checkBaseUrl(baseUrl ?? undefined);
          },
        },
        by,
      ),

    replaceKey: (name, key, by) =>
      tables.replaceKey(
        { group: "providers", name },
        key,
        () => {
          const entry = entries().get(name);
          if (entry === undefined) throw noSuchProviderError(name, entries());
          if (!isKeyStored(entry)) throw keyNotStoredError(entry);
        },
        by,
      ),

    remove: (name, by) =>
      tables.remove(
        { group: "providers", name },
        () => {
          const currentEntries = entries();
          const entry = currentEntries.get(name);
          if (entry === undefined) throw noSuchProviderError(name, currentEntries);
          if (entry.source !== "config") throw notInConfigError(entry, "removed");
          if (by?.right !== undefined) requireVendor(entry);
        },
        by,
      ),
  };
};

const notInConfigError = ({ name, source, apiKey }: Entry, change: "removed" | "changed"): HearthError =>
  new HearthError("provider.unknown", `The provider "${name}" is not in the config file, so it cannot be ${change}.`, {
    hint:
      source === "environment" && apiKey?.kind === "env"
        ? `It exists because ${apiKey.name} is set in the environment. Unset that variable.`
        : "It is built in.",
  });

/** Throws if the key is a reference, which could send another secret of the house to the vendor. */
const requireOwnKey = (provider: NewProvider): void => {
  requireVendor(provider);
  if (provider.apiKey === undefined) return;
  throw new HearthError("auth.denied", "With the right providers, a key cannot be a reference.", {
    hint: "Send the key itself as `key`.",
  });
};
