/** The catalog of a house. It knows where keys come from and never shows one; who answers a model call is made on first use. */
import { DEFAULT_MODEL, HearthError, type ProviderInfo, type World } from "@hearth/protocol";
import { appendTable, removeTable } from "../config/edit.ts";
import { parseReference, type SecretReference } from "../config/reference.ts";
import type { ConfigSource } from "../config/source.ts";
import type { Catalog } from "./catalog.ts";
import { knownProviders, suggestFor } from "./known.ts";
import type { Provider, ProviderFactory } from "./provider.ts";
import { tryProvider } from "./try-provider.ts";

export interface CatalogOptions {
  readonly world: Pick<World, "clock" | "fetch">;
  /** What `kind` may say. */
  readonly table: Readonly<Record<string, ProviderFactory>>;
  readonly config: Pick<ConfigSource, "current" | "edit">;
  readonly environment: (name: string) => string | undefined;
  /** The text of a file, or nothing where none can be read. A relative path starts at the home folder. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/** One provider as it is set up. */
interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly source: ProviderInfo["source"];
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
}

type Key =
  /** None is needed, or here it is. */
  | { readonly kind: "ready"; readonly key?: string; readonly detail: string }
  | { readonly kind: "missing"; readonly detail: string; readonly hint: string };

const OFFLINE = "offline";
/** Kinds whose vendor, without another `base_url`, answers nobody without a key. */
const VENDOR_KINDS: ReadonlySet<string> = new Set(knownProviders.map((known) => known.kind));

export const createCatalog = (options: CatalogOptions): Catalog => {
  const { world, table, config, environment, readFile } = options;
  const made = new Map<string, { readonly settings: string; readonly provider: Promise<Provider> }>();

  const entries = (): ReadonlyMap<string, Entry> => {
    const found = new Map<string, Entry>();
    for (const [name, provider] of config.current().providers) found.set(name, { name, source: "config", ...provider });
    for (const { name, kind, baseUrl, variable } of knownProviders) {
      if (found.has(name) || !Object.hasOwn(table, kind) || isEmpty(environment(variable))) continue;
      const apiKey = { kind: "env", name: variable } as const;
      found.set(name, { name, source: "environment", kind, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
    }
    if (!found.has(OFFLINE)) found.set(OFFLINE, { name: OFFLINE, source: "built-in", kind: OFFLINE });
    return found;
  };

  const find = (name: string): Entry => {
    const all = entries();
    const entry = all.get(name);
    if (entry === undefined)
      throw unknownProvider(`There is no provider "${name}". There are: ${[...all.keys()].join(", ")}.`);
    if (Object.hasOwn(table, entry.kind)) return entry;
    throw unknownProvider(
      `The provider "${name}" is of kind "${entry.kind}". There are: ${Object.keys(table).join(", ")}.`,
    );
  };

  const readKey = async ({ kind, baseUrl, apiKey, name }: Entry): Promise<Key> => {
    if (apiKey === undefined) {
      const missing = VENDOR_KINDS.has(kind) && baseUrl === undefined;
      return missing
        ? noKey(name, kind)
        : { kind: "ready", detail: kind === OFFLINE ? "no language model; needs no key" : "no key" };
    }
    const where = apiKey.kind === "env" ? `env:${apiKey.name}` : `file:${apiKey.path}`;
    const text = apiKey.kind === "env" ? environment(apiKey.name) : await readFile(apiKey.path);
    const key = text?.trim() ?? "";
    // What could not stand in a header is no key, but perhaps a whole file of other secrets.
    if (/^[\x21-\x7e]+$/.test(key)) return { kind: "ready", key, detail: `key from ${where}` };
    const detail =
      key === ""
        ? `${where} ${apiKey.kind === "env" ? "is not set" : "is missing, empty or not readable"}`
        : `${where} does not hold a key`;
    return { kind: "missing", detail, hint: setKey(apiKey) };
  };

  const open = async (entry: Entry): Promise<Provider> => {
    const key = await readKey(entry);
    if (key.kind === "missing") {
      throw new HearthError("provider.auth", `The provider "${entry.name}" has no key: ${key.detail}.`, {
        hint: key.hint,
      });
    }
    const settings = JSON.stringify([entry.kind, entry.baseUrl, key.key]);
    const known = made.get(entry.name);
    if (known?.settings === settings) return known.provider;
    const create = table[entry.kind];
    if (create === undefined) throw unknownProvider(`There is no kind "${entry.kind}".`);
    const provider = Promise.resolve(
      create({
        fetch: world.fetch,
        clock: world.clock,
        ...(entry.baseUrl === undefined ? {} : { baseUrl: entry.baseUrl }),
        ...(key.key === undefined ? {} : { apiKey: key.key }),
      }),
    );
    made.set(entry.name, { settings, provider });
    return provider;
  };

  const describe = async (entry: Entry): Promise<ProviderInfo> => {
    const known = Object.hasOwn(table, entry.kind);
    const key = await readKey(entry);
    const suggestedModel =
      entry.kind === OFFLINE
        ? DEFAULT_MODEL.slice(DEFAULT_MODEL.indexOf("/") + 1)
        : suggestFor(entry.kind, entry.baseUrl);
    return {
      name: entry.name,
      kind: entry.kind,
      source: entry.source,
      ready: known && key.kind === "ready",
      detail: known ? key.detail : `kind "${entry.kind}" is unknown; there are: ${Object.keys(table).join(", ")}`,
      ...(entry.baseUrl === undefined ? {} : { baseUrl: entry.baseUrl }),
      ...(suggestedModel === undefined ? {} : { suggestedModel }),
    };
  };

  return {
    list: () => Promise.all([...entries().values()].map(describe)),

    async resolve(model) {
      const slash = model.indexOf("/");
      if (slash < 1 || slash === model.length - 1) {
        throw unknownProvider(
          `"${model}" is no model: it is written provider/model, such as anthropic/claude-sonnet-5-5.`,
        );
      }
      return { provider: await open(find(model.slice(0, slash))), model: model.slice(slash + 1) };
    },

    async test(name, model, signal) {
      const entry = find(name);
      const key = await readKey(entry);
      if (key.kind === "missing") return { ok: false, detail: `${key.detail}. ${key.hint}`, durationMs: 0 };
      return tryProvider(await open(entry), model, world.clock, signal);
    },

    async add({ name, kind, baseUrl, apiKey }) {
      if (!Object.hasOwn(table, kind)) {
        throw new HearthError("config.invalid", `There is no kind "${kind}".`, {
          hint: `The kind is one of: ${Object.keys(table).join(", ")}.`,
        });
      }
      const taken = entries().get(name)?.source;
      if (taken === "config" || taken === "built-in") {
        throw new HearthError("record.handle-taken", `There is a provider "${name}" already.`, {
          hint: taken === "config" ? `Remove it first: hearth provider remove ${name}` : "Choose another name.",
        });
      }
      const reference = apiKey === undefined ? undefined : parseReference(apiKey);
      if (reference?.kind === "refused")
        throw new HearthError("config.invalid", `api_key ${reference.why}.`, { hint: reference.hint });
      checkBaseUrl(baseUrl);
      const values = {
        kind,
        ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
      };
      await config.edit((text, file) => appendTable(text, ["providers", name], values, file));
      return describe(find(name));
    },

    async remove(name) {
      const entry = entries().get(name);
      if (entry === undefined)
        throw unknownProvider(`There is no provider "${name}". There are: ${[...entries().keys()].join(", ")}.`);
      if (entry.source !== "config") throw notInConfig(entry);
      await config.edit((text, file) => removeTable(text, ["providers", name], file));
      made.delete(name);
    },
  };
};

const isEmpty = (value: string | undefined): boolean => value === undefined || value.trim() === "";

const unknownProvider = (message: string): HearthError =>
  new HearthError("provider.unknown", message, {
    hint: "See `hearth provider list`, or add one: hearth provider add NAME",
  });

const notInConfig = ({ name, source, apiKey }: Entry): HearthError =>
  new HearthError("provider.unknown", `The provider "${name}" does not stand in the config.`, {
    hint:
      source === "environment" && apiKey?.kind === "env"
        ? `It is there because ${apiKey.name} is set in the environment: unset it.`
        : "It is built in and stays.",
  });

const noKey = (name: string, kind: string): Key => {
  const variable =
    knownProviders.find((known) => known.kind === kind && known.baseUrl === undefined)?.variable ?? "NAME";
  return {
    kind: "missing",
    detail: "no key is set",
    hint: `Write api_key = "env:${variable}" under [providers.${name}] in the config.`,
  };
};

const setKey = (reference: SecretReference): string =>
  reference.kind === "env"
    ? `Set ${reference.name} in the environment that Hearth starts in, and start it again.`
    : `Put the key alone into the file ${reference.path}, readable for the user that runs Hearth.`;

/** A password in the address would end up in messages and logs. */
const checkBaseUrl = (baseUrl: string | undefined): void => {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new HearthError("config.invalid", "base_url must begin with http:// or https://.", {
      hint: "For example https://api.example.com/v1.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new HearthError("config.invalid", "base_url must not hold a password.", {
      hint: "Give it as api_key, by reference.",
    });
  }
};
