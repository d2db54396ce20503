import { isHearthError } from "@hearth/protocol";
import type { Actor } from "../../kernel/config/source.ts";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createCatalog } from "./house-catalog.ts";
import { createMemoryKeyFiles } from "../../kernel/config/key-files.ts";
import { knownVendors } from "./known.ts";
import { createOfflineProvider } from "../offline/offline.ts";
import type { ProviderOptions } from "../provider.ts";
import { createScriptedProvider, type Script, type ScriptedModels } from "../scripted/scripted.ts";
import { createFakeWire, type WireReply } from "../wires/wire-fake.ts";
import { listOf } from "../wires/wire-harness.conformance.ts";

const never = new AbortController().signal;
const DEN = "http://127.0.0.1:1111/v1";

const open = (
  options: {
    readonly config?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly script?: Script;
    readonly models?: ScriptedModels;
    /** The reply of the only model server on this machine. */
    readonly server?: WireReply;
  } = {},
) => {
  const text = `version = 1\n${options.config ?? ""}`;
  const file = createMemoryConfigFile(text);
  const made: ProviderOptions[] = [];
  const environment: Record<string, string> = { ...options.environment };
  const make = (given: ProviderOptions) => {
    made.push(given);
    return createScriptedProvider(options.script ?? [], options.models);
  };
  const keyFiles = createMemoryKeyFiles();
  const wire = createFakeWire(options.server === undefined ? [] : [options.server]);
  const catalog = createCatalog({
    world: createFakeWorld({ hash: () => "", fetch: wire.fetch }),
    table: { anthropic: make, openai: make, offline: createOfflineProvider },
    config: createConfigSource(file, parseConfig(text, file.name)),
    environment: (name) => environment[name],
    readFile: (path) => Promise.resolve(keyFiles.files.get(path) ?? options.files?.[path]),
    keyFiles,
    localServers: [{ name: "den", kind: "openai", baseUrl: DEN }],
  });
  return { catalog, made, environment, file, keys: keyFiles.files, text: async () => (await file.read()) ?? "" };
};

const failure = async (promise: Promise<unknown>): Promise<{ code: string; words: string }> => {
  try {
    await promise;
  } catch (error) {
    if (isHearthError(error)) return { code: error.code, words: `${error.message} ${error.hint ?? ""}` };
    throw error;
  }
  throw new Error("It did not fail.");
};

describe("the catalog", () => {
  test("of an empty house has the built-in provider, which is ready", async () => {
    const { catalog } = open();
    expect(await catalog.list()).toEqual([
      {
        name: "offline",
        kind: "offline",
        source: "built-in",
        ready: true,
        detail: "no language model; needs no key",
        suggestedModel: "basic",
      },
    ]);
    const { provider, model } = await catalog.resolve("offline/helper");
    expect([provider.kind, model]).toEqual(["offline", "helper"]);
  });

  test("lists providers with a key in the environment, without the key", async () => {
    const { catalog } = open({
      environment: { ANTHROPIC_API_KEY: "sk-one", GROQ_API_KEY: "sk-two", XAI_API_KEY: " " },
    });
    const list = await catalog.list();
    expect(list).toMatchObject([
      { name: "anthropic", kind: "anthropic", source: "environment", ready: true, suggestedModel: "claude-sonnet-5-5" },
      { name: "groq", kind: "openai", source: "environment", ready: true, baseUrl: "https://api.groq.com/openai/v1" },
      { name: "offline" },
    ]);
    expect(JSON.stringify(list)).not.toContain("sk-");
  });

  test("prefers the config to the environment", async () => {
    const { catalog, made } = open({
      config: '[providers.openai]\nkind = "openai"\nbase_url = "http://127.0.0.1:1234/v1"\n',
      environment: { OPENAI_API_KEY: "sk-one" },
    });
    expect(await catalog.list()).toMatchObject([
      { name: "openai", source: "config", ready: true, detail: "no key" },
      { name: "offline" },
    ]);
    await catalog.resolve("openai/some/model");
    expect(made[0]?.baseUrl).toBe("http://127.0.0.1:1234/v1");
    expect(made[0]).not.toHaveProperty("apiKey");
  });

  test("reads keys by reference and trims them", async () => {
    const { catalog, made } = open({
      config:
        '[providers.a]\nkind = "openai"\napi_key = "env:MINE"\n[providers.b]\nkind = "anthropic"\napi_key = "file:keys/b"\n',
      environment: { MINE: " sk-one\n" },
      files: { "keys/b": "sk-two\n" },
    });
    expect((await catalog.resolve("a/org/model")).model).toBe("org/model");
    await catalog.resolve("b/m");
    expect(made.map((options) => options.apiKey)).toEqual(["sk-one", "sk-two"]);
  });

  test("creates a provider once, and again when its key has changed", async () => {
    const { catalog, made, environment } = open({ environment: { OPENAI_API_KEY: "sk-one" } });
    const [one, two] = [await catalog.resolve("openai/a"), await catalog.resolve("openai/b")];
    expect(two.provider).toBe(one.provider);
    environment["OPENAI_API_KEY"] = "sk-two";
    expect((await catalog.resolve("openai/a")).provider).not.toBe(one.provider);
    expect(made).toHaveLength(2);
  });

  test.each([
    ["nothing set", '[providers.a]\nkind = "openai"\n', "env:OPENAI_API_KEY"],
    ["an unset variable", '[providers.a]\nkind = "openai"\napi_key = "env:GONE"\n', "env:GONE is not set"],
    ["a missing file", '[providers.a]\nkind = "openai"\napi_key = "file:gone"\n', "file:gone is missing"],
    [
      "a file with other content",
      '[providers.a]\nkind = "openai"\napi_key = "file:env"\n',
      "does not contain a valid key",
    ],
  ])("with %s a provider is listed and not ready", async (_what, config, words) => {
    const { catalog } = open({ config, files: { env: "ONE=1\nTWO=2" } });
    const refused = await failure(catalog.resolve("a/m"));
    expect(refused.code).toBe("provider.auth");
    expect(refused.words).toContain(words);
    expect(await catalog.list()).toMatchObject([{ name: "a", ready: false }, {}]);
    expect(await catalog.test("a", "m", never)).toMatchObject({ ok: false, detail: expect.stringContaining(words) });
  });

  test("lists the available providers for an unknown name", async () => {
    const { catalog } = open({ environment: { OPENAI_API_KEY: "k" } });
    for (const model of ["nowhere/m", "__proto__/m"]) {
      expect(await failure(catalog.resolve(model))).toEqual({
        code: "provider.unknown",
        words: expect.stringContaining("openai, offline"),
      });
    }
    for (const model of ["openai", "/m", "openai/", ""])
      expect((await failure(catalog.resolve(model))).code).toBe("provider.unknown");
  });

  test("shows an unknown kind and does not use it", async () => {
    const { catalog } = open({ config: '[providers.a]\nkind = "oracle"\n' });
    expect(await catalog.list()).toMatchObject([
      { name: "a", ready: false, detail: expect.stringContaining('"oracle"') },
      {},
    ]);
    expect(await failure(catalog.resolve("a/m"))).toEqual({
      code: "provider.unknown",
      words: expect.stringContaining("anthropic, openai, offline"),
    });
  });
});

describe("the lists to choose from", () => {
  test("have the vendors that need only a key, with the settings they need", async () => {
    const { catalog } = open();
    const known = catalog.listKnownVendors();
    expect(known.map(({ name }) => name)).toEqual(knownVendors.map(({ name }) => name));
    for (const { name, kind, baseUrl } of known) {
      const info = await catalog.add({ name, kind, key: "k", ...(baseUrl === undefined ? {} : { baseUrl }) });
      expect(info).toMatchObject({ source: "config", ready: true });
    }
    for (const { keyPage = "" } of known) expect(keyPage).toStartWith("https://");
    expect(JSON.stringify(known)).not.toContain("variable");
  });

  test("have the model servers of this machine that are not configured yet", async () => {
    const { catalog } = open({ server: listOf([{ id: "small" }]) });
    expect(await catalog.findLocalServers(never)).toEqual([
      { name: "den", kind: "openai", baseUrl: DEN, models: ["small"] },
    ]);
    await catalog.add({ name: "den", kind: "openai", baseUrl: DEN });
    expect(await catalog.findLocalServers(never)).toEqual([]);
  });

  test("have the models of a provider that an agent can use", async () => {
    const models = ["text-embedding-9", "gpt", "two words", "org/other"];
    const { catalog } = open({ environment: { OPENAI_API_KEY: "k" }, models });
    expect(await catalog.models("openai", never)).toEqual(["gpt", "org/other", "text-embedding-9"]);
    expect(await catalog.models("offline", never)).toEqual(["basic"]);
  });

  test("or an explanation why they are empty", async () => {
    const { catalog } = open({
      config: '[providers.a]\nkind = "openai"\n[providers.b]\nkind = "openai"\napi_key = "env:KEY"\n',
      environment: { KEY: "k" },
      models: { error: { code: "provider.auth", message: "No.", hint: "Check the key." } },
    });
    expect(await failure(catalog.models("a", never))).toMatchObject({ code: "provider.auth" });
    expect(await failure(catalog.models("b", never))).toEqual({ code: "provider.auth", words: "No. Check the key." });
    expect((await failure(catalog.models("c", never))).words).toContain("Available: a, b, offline");
  });
});

describe("a test of a provider that is not configured", () => {
  const typed = { name: "anthropic", kind: "anthropic", key: "typed" };

  test("stores nothing, whether it answers or not", async () => {
    const refused = { code: "provider.auth", message: "The key is wrong." } as const;
    const { catalog, keys, made } = open({
      script: ({ model }) => (model === "claude" ? { error: refused } : { text: "ready" }),
      models: ["a", "b"],
    });
    const before = await catalog.list();
    expect(await catalog.testNew(typed, "claude", never)).toMatchObject({
      ok: false,
      error: { ...refused, remedy: { code: "check-provider", provider: "anthropic" } },
    });
    expect(await catalog.testNew(typed, "other", never)).toMatchObject({ ok: true });
    expect(await catalog.testNew(typed, undefined, never)).toMatchObject({ ok: true, models: ["a", "b"] });
    expect(made.map(({ apiKey }) => apiKey)).toEqual(["typed", "typed", "typed"]);
    expect(await catalog.list()).toEqual(before);
    expect([...keys.keys()]).toEqual([]);
  });

  test("refuses a URL with a password, and chains", async () => {
    const { catalog } = open();
    const baseUrl = "https://me:word@example.com/v1";
    expect((await failure(catalog.testNew({ ...typed, baseUrl }, "claude", never))).code).toBe("config.invalid");
    const chain = { name: "many", kind: "router" };
    expect((await failure(catalog.testNew(chain, "m", never))).code).toBe("provider.unknown");
  });
});

describe("a test of a provider", () => {
  const run = (script: Script) =>
    open({ environment: { OPENAI_API_KEY: "k" }, script }).catalog.test("openai", "gpt", never);

  test("returns the answer", async () => {
    expect(await run([{ text: "ready\n" }])).toEqual({ ok: true, detail: "gpt answered: ready", durationMs: 0 });
  });

  test("accepts an answer that was cut off", async () => {
    expect(await run([{ stopReason: "length" }])).toMatchObject({ ok: true });
  });

  test("without a model lists the models that an agent can name", async () => {
    const { catalog } = open({ environment: { OPENAI_API_KEY: "k" }, models: ["a", "b"] });
    expect(await catalog.test("openai", undefined, never)).toMatchObject({ ok: true, models: ["a", "b"] });
  });

  test("reports what is wrong and what to do", async () => {
    const reply = await run([
      { error: { code: "provider.auth", message: "The key is wrong.", hint: "Check the key." } },
    ]);
    const error = { code: "provider.auth", remedy: { code: "check-provider", provider: "openai" } };
    expect(reply).toMatchObject({ ok: false, detail: "The key is wrong. Check the key.", durationMs: 0, error });
  });

  test("calls the model by its own name, without tools", async () => {
    const asked: unknown[] = [];
    await run((request) => {
      asked.push([request.model, request.tools, request.messages.length]);
      return {};
    });
    expect(asked).toEqual([["gpt", [], 1]]);
  });
});

describe("config changes through the catalog", () => {
  const config = "# mine\n[server]\nport = 1\n";

  test("adding writes one table and uses it; removing restores the file", async () => {
    const { catalog, text } = open({ config, environment: { MINE: "k" } });
    const before = await text();
    const info = await catalog.add({
      name: "home",
      kind: "openai",
      baseUrl: "http://127.0.0.1:1234/v1",
      apiKey: "env:MINE",
    });
    expect(info).toEqual({
      name: "home",
      kind: "openai",
      source: "config",
      baseUrl: "http://127.0.0.1:1234/v1",
      ready: true,
      detail: "key from env:MINE",
    });
    expect(await text()).toBe(
      `${before}\n[providers.home]\nkind = "openai"\nbase_url = "http://127.0.0.1:1234/v1"\napi_key = "env:MINE"\n`,
    );
    expect((await catalog.resolve("home/m")).model).toBe("m");
    await catalog.remove("home");
    expect(await text()).toBe(before);
    expect((await failure(catalog.resolve("home/m"))).code).toBe("provider.unknown");
  });

  test("a provider from the environment can be added to the config under its name", async () => {
    const { catalog } = open({ environment: { OPENAI_API_KEY: "k" } });
    expect(await catalog.add({ name: "openai", kind: "openai", apiKey: "env:OPENAI_API_KEY" })).toMatchObject({
      source: "config",
      ready: true,
    });
  });

  test.each([
    ["a key itself", { name: "a", kind: "openai", apiKey: "sk-secret-1234" }, "config.invalid", "never the key itself"],
    [
      "a secret without a name",
      { name: "a", kind: "openai", apiKey: "secret:" },
      "config.invalid",
      "must name a secret",
    ],
    [
      "an unknown kind",
      { name: "a", kind: "oracle" },
      "config.invalid",
      "anthropic, openai, offline, reliable, router",
    ],
    ["an invalid URL", { name: "a", kind: "openai", baseUrl: "ftp://x/" }, "config.invalid", "https://"],
    [
      "a URL with a password",
      { name: "a", kind: "openai", baseUrl: "https://me:pass-4711@x.example/" },
      "config.invalid",
      "by reference",
    ],
    ["a name that is taken", { name: "here", kind: "openai" }, "record.handle-taken", "hearth provider remove here"],
    ["the built-in name", { name: "offline", kind: "openai" }, "record.handle-taken", "another name"],
  ])("%s is refused, and the file stays as it was", async (_what, provider, code, words) => {
    const { catalog, text } = open({ config: '[providers.here]\nkind = "openai"\n' });
    const before = await text();
    const refused = await failure(catalog.add(provider));
    expect(refused.code).toBe(code);
    expect(refused.words).toContain(words);
    expect(refused.words).not.toMatch(/sk-secret|pass-4711/);
    expect(await text()).toBe(before);
  });

  test.each([
    ["nowhere", "Available: openai, offline"],
    ["openai", "Unset that variable"],
    ["offline", "built in"],
  ])("removing %s is refused with an explanation", async (name, words) => {
    const { catalog } = open({ environment: { OPENAI_API_KEY: "k" } });
    expect(await failure(catalog.remove(name))).toEqual({
      code: "provider.unknown",
      words: expect.stringContaining(words),
    });
  });
});

describe("a typed key", () => {
  const typed = { name: "mine", kind: "openai", key: "sk-typed-4711" };

  test("is stored in its own file, used, and removed with its provider", async () => {
    const { catalog, keys, made, text } = open();
    const before = await text();
    const info = await catalog.add(typed);
    expect(info).toMatchObject({ source: "config", ready: true, detail: "key from file:keys/mine" });
    expect([...keys]).toEqual([["keys/mine", "sk-typed-4711"]]);
    expect(await text()).toBe(`${before}\n[providers.mine]\nkind = "openai"\napi_key = "file:keys/mine"\n`);
    await catalog.resolve("mine/m");
    expect(made.map(({ apiKey }) => apiKey)).toEqual(["sk-typed-4711"]);
    expect(JSON.stringify([info, await catalog.list()])).not.toContain("4711");
    await catalog.remove("mine");
    expect(keys.size).toBe(0);
    expect(await text()).toBe(before);
  });

  test("is replaced by one that the provider accepts, and used from the next call", async () => {
    const { catalog, keys, made, text } = open({
      script: ({ model }) => (model === "bad" ? { error: { code: "provider.auth", message: "no" } } : { text: "Yes." }),
    });
    const added = await catalog.add(typed);
    expect(added.keyIsStored).toBe(true);
    const before = await text();
    const refused = await catalog.replaceKey("mine", { key: "sk-wrong-4711", model: "bad" }, never);
    expect([refused.ok, JSON.stringify(refused).includes("4711"), keys.get("keys/mine")]).toEqual([
      false,
      false,
      "sk-typed-4711",
    ]);
    expect((await catalog.replaceKey("mine", { key: "sk-fresh-4712", model: "good" }, never)).ok).toBe(true);
    expect([keys.get("keys/mine"), await text()]).toEqual(["sk-fresh-4712", before]);
    await catalog.resolve("mine/m");
    expect(made.at(-1)?.apiKey).toBe("sk-fresh-4712");
  });

  test("is not replaced without a model if the provider does not list its models with the new key", async () => {
    const { catalog, keys } = open({ models: { error: { code: "provider.auth", message: "The key is wrong." } } });
    await catalog.add(typed);
    expect((await catalog.replaceKey("mine", { key: "sk-fresh" }, never)).ok).toBe(false);
    expect(keys.get("keys/mine")).toBe("sk-typed-4711");
  });

  test.each([
    ["a key from the environment", "env:MINE", undefined, "config.invalid", "env:MINE"],
    ["a file that another program writes", "file:/run/key", undefined, "config.invalid", "/run/key"],
    ["an actor with a right, and no vendor", "file:keys/here", "providers", "auth.denied", "not a known vendor"],
  ] as const)("of %s cannot be replaced", async (_what, reference, right, code, words) => {
    const { catalog, keys } = open({
      config: `[providers.here]\nkind = "openai"\nbase_url = "${DEN}"\napi_key = "${reference}"\n`,
    });
    const by = right === undefined ? undefined : ({ agent: "agent_1", via: "session", right } as unknown as Actor);
    const refused = await failure(catalog.replaceKey("here", { key: "sk-fresh" }, never, by));
    expect([refused.code, keys.size]).toEqual([code, 0]);
    expect(refused.words).toContain(words);
    expect((await failure(catalog.replaceKey("none", { key: "k" }, never))).code).toBe("provider.unknown");
  });

  test("gets another address and other retries, and the rest of the file stays", async () => {
    const { catalog, text } = open({
      config: `# mine\n[providers.here]\nkind = "openai" # a server\nbase_url = "${DEN}"\n`,
    });
    const changed = await catalog.edit("here", { baseUrl: "http://127.0.0.1:2/v1", retries: 1 });
    expect(changed).toMatchObject({ baseUrl: "http://127.0.0.1:2/v1", retries: 1 });
    expect(await text()).toContain('# mine\n[providers.here]\nkind = "openai" # a server\n');
    expect((await catalog.edit("here", { retries: null })).retries).toBeUndefined();
    expect((await failure(catalog.edit("here", { baseUrl: "ftp://x/" }))).code).toBe("config.invalid");
    expect((await failure(catalog.edit("none", { retries: 1 }))).code).toBe("provider.unknown");
    expect((await failure(catalog.edit("offline", { retries: 1 }))).words).toContain("cannot be changed");
  });

  test("is not stored when the config cannot be written", async () => {
    const { catalog, keys, file } = open();
    file.write = () => Promise.reject(new Error("the disk is full"));
    await catalog.add(typed).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("the disk is full"),
    );
    expect(keys.size).toBe(0);
  });

  test.each([
    ["a name that is taken", { ...typed, name: "here" }, "record.handle-taken"],
    ["an unknown kind", { ...typed, kind: "oracle" }, "config.invalid"],
    ["an invalid URL", { ...typed, baseUrl: "ftp://x/" }, "config.invalid"],
    ["a name with a path", { ...typed, name: "../mine" }, "config.invalid"],
  ])("is not kept for %s", async (_what, provider, code) => {
    const { catalog, keys } = open({ config: '[providers.here]\nkind = "openai"\n' });
    const refused = await failure(catalog.add(provider));
    expect(refused.code).toBe(code);
    expect(refused.words).not.toContain("4711");
    expect(keys.size).toBe(0);
  });

  test("of two concurrent ones under one name is the first", async () => {
    const { catalog, keys, made } = open();
    const [first, second] = await Promise.allSettled([catalog.add(typed), catalog.add({ ...typed, key: "sk-late" })]);
    expect([first?.status, second?.status]).toEqual(["fulfilled", "rejected"]);
    expect([...keys.values()]).toEqual(["sk-typed-4711"]);
    await catalog.resolve("mine/m");
    expect(made[0]?.apiKey).toBe("sk-typed-4711");
  });

  test("never overwrites the key of another provider", async () => {
    const { catalog, keys, text } = open({
      config: '[providers.other]\nkind = "openai"\napi_key = "file:keys/mine"\n',
    });
    const before = await text();
    expect((await failure(catalog.add(typed))).words).toContain(
      "[providers.other] already uses the key file keys/mine",
    );
    expect([keys.size, await text()]).toEqual([0, before]);
  });

  test("stays when its provider is removed and another one uses it", async () => {
    const { catalog, keys } = open();
    await catalog.add(typed);
    await catalog.add({ name: "other", kind: "openai", apiKey: "file:keys/mine" });
    await catalog.remove("mine");
    expect([...keys.keys()]).toEqual(["keys/mine"]);
  });

  test("can replace a key from the environment", async () => {
    const { catalog, made } = open({ environment: { OPENAI_API_KEY: "sk-environment" } });
    await catalog.add({ ...typed, name: "openai" });
    await catalog.resolve("openai/m");
    expect(made.at(-1)?.apiKey).toBe("sk-typed-4711");
  });
});

describe("with the right providers instead of the level", () => {
  const ana = { agent: `agent_${"1".repeat(26)}`, via: "login", right: "providers" } as Actor;

  test("known vendors are added with a key, tested and removed", async () => {
    const { catalog, keys, text } = open({ script: [{ text: "Here." }] });
    for (const { name, kind, baseUrl } of knownVendors) {
      const vendor = { name, kind, ...(baseUrl === undefined ? {} : { baseUrl }), key: "a key of the vendor" };
      expect((await catalog.testNew(vendor, undefined, never, ana)).detail).not.toContain("known vendor");
      await catalog.add(vendor, ana);
    }
    expect(keys.size).toBe(knownVendors.length);
    for (const { name } of knownVendors) await catalog.remove(name, ana);
    expect([keys.size, await text()]).toEqual([0, expect.not.stringContaining("[providers")]);
  });

  test("A63: no name leads to another address, and no reference is sent", async () => {
    const config = `[providers.anthropic]\nkind = "anthropic"\nbase_url = "https://filter.example"\n\n[providers.den]\nkind = "openai"\nbase_url = "${DEN}"\n`;
    const { catalog, made, text } = open({ config });
    const before = await text();
    const evil = "https://evil.example/v1";
    for (const provider of [
      { name: "openai", kind: "openai", baseUrl: evil, key: "a key" },
      { name: "openrouter", kind: "openai", key: "a key" },
      { name: "mistral", kind: "anthropic", key: "a key" },
      { name: "house", kind: "openai", key: "a key" },
      { name: "chain", kind: "reliable" },
    ]) {
      expect([provider, (await failure(catalog.add(provider, ana))).code]).toEqual([provider, "auth.denied"]);
      expect((await failure(catalog.testNew(provider, "m", never, ana))).code).toBe("auth.denied");
    }
    for (const apiKey of ["file:run/token", "env:HOME", "secret:ONE"])
      expect((await failure(catalog.add({ name: "openai", kind: "openai", apiKey }, ana))).code).toBe("auth.denied");
    for (const name of ["anthropic", "den"])
      expect((await failure(catalog.remove(name, ana))).code).toBe("auth.denied");
    expect([await text(), made]).toEqual([before, []]);
  });
});
