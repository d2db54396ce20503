/** What the catalog makes of providers: asked again, chained, routed, and shown with their troubles. */
import { isHearthError, noUsage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createCatalog } from "./house-catalog.ts";
import { createMemoryKeyFiles } from "./key-files.ts";
import { ask, collect } from "../provider.conformance.ts";
import type { ProviderOptions } from "../provider.ts";
import { createScriptedProvider, type ScriptedProvider, type ScriptedReply } from "../scripted/scripted.ts";
import { failing, hurried } from "../scripted/scripted-harness.conformance.ts";
import type { RequestOutcome, ChargeGate } from "../resilience/charge.ts";

const never = new AbortController().signal;
/** A person waits so long for a trial; nothing else here does. */
const TRIAL_MS = 20_000;
const down = failing("provider.overloaded");

const house = `
[providers.one]
kind = "wire"
[providers.two]
kind = "wire"
[providers.main]
kind = "reliable"
models = ["one/a", "two/b"]
[providers.any]
kind = "router"
routes = { "fast/" = "two/b", "" = "main/default" }
`;

/** Providers by their `base_url`; what they answer is given by name. */
const open = (config: string, says: (name: string, call: number) => ScriptedReply) => {
  const text = `version = 1\n${config}`.replace(
    /\[providers\.(\w+)\]\nkind = "wire"/g,
    '[providers.$1]\nkind = "wire"\nbase_url = "http://$1"',
  );
  const file = createMemoryConfigFile(text);
  const source = createConfigSource(file, parseConfig(text, file.name));
  const made = new Map<string, ScriptedProvider>();
  const world = createFakeWorld({ hash: () => "" });
  const hurry = hurried(world);
  const offline = createScriptedProvider([]);
  const catalog = createCatalog({
    world: {
      ...world,
      clock: { ...world.clock, sleep: (ms, signal) => (ms < TRIAL_MS ? hurry : world.clock).sleep(ms, signal) },
    },
    table: {
      wire({ baseUrl = "" }: ProviderOptions) {
        const name = baseUrl.slice("http://".length);
        const scripted = createScriptedProvider((_request, call) => says(name, call), [`${name}-model`]);
        made.set(name, scripted);
        return { ...scripted, traits: { offline: false } };
      },
      offline: () => offline,
    },
    config: source,
    environment: () => undefined,
    readFile: async () => undefined,
    keyFiles: createMemoryKeyFiles(),
    localServers: [],
  });
  return {
    world,
    catalog,
    offline,
    source,
    made,
    async ask(model: string, fallback?: readonly string[], toll?: ChargeGate) {
      const resolved = await catalog.resolve(model, fallback);
      const events = resolved.provider.stream({ ...ask("Hello"), model: resolved.model }, never, toll);
      return toll === undefined ? (await collect(events)).last : (await Array.fromAsync(events)).at(-1);
    },
    asked: (name: string) => (made.get(name)?.requests ?? []).map((request) => request.model),
    detail: async (name: string) => (await catalog.list()).find((info) => info.name === name),
  };
};

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (isHearthError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

describe("a provider of the catalog", () => {
  test("is asked four times unless the config says otherwise", async () => {
    const { ask: askFor, asked } = open(`${house}[providers.three]\nkind = "wire"\nretries = 1\n`, () => down);
    await askFor("one/a");
    await askFor("three/a");
    expect([asked("one").length, asked("three").length]).toEqual([4, 2]);
  });

  test("is made anew when the config says something else of it", async () => {
    const { ask: askFor, asked, source } = open(house, () => down);
    await askFor("one/a");
    await source.edit((text) => text.replace('base_url = "http://one"', 'base_url = "http://one"\nretries = 0'));
    await askFor("one/a");
    expect(asked("one")).toHaveLength(1);
  });

  test("is tried once when a person tries it", async () => {
    const { catalog, asked } = open(house, () => down);
    expect(await catalog.test("one", "a", never)).toMatchObject({ ok: false, detail: "It is so written." });
    expect(asked("one")).toHaveLength(1);
  });

  test("that needs no network is not wrapped at all", async () => {
    const { catalog, offline } = open(house, () => down);
    expect((await catalog.resolve("offline/basic")).provider).toBe(offline);
  });
});

describe("models to fall back on", () => {
  test("are asked in their order, each twice at most", async () => {
    const says = (name: string) => (name === "three" ? { text: "Me." } : down);
    const { ask: askFor, asked } = open(`${house}[providers.three]\nkind = "wire"\n`, says);
    expect(await askFor("one/a", ["two/b", "three/org/c"])).toMatchObject({ type: "end", model: "three/org/c" });
    expect([asked("one"), asked("two"), asked("three")]).toEqual([["a", "a"], ["b", "b"], ["org/c"]]);
  });

  test("are not waited for long", async () => {
    const says = (name: string): ScriptedReply =>
      name === "two" ? { text: "Me." } : { ...down, retryAfterMs: 15_000 };
    const { ask: askFor, world } = open(house, says);
    expect(await askFor("one/a", ["two/b"])).toMatchObject({ type: "end", model: "two/b" });
    expect(world.clock.monotonic()).toBe(0);
  });

  test("may stand in for a provider that is not there", async () => {
    const { ask: askFor } = open(house, () => ({ text: "Me." }));
    expect(await askFor("nowhere/x", ["one/a"])).toMatchObject({ type: "end", model: "one/a" });
    expect(await askFor("nowhere/x", ["nobody/y"])).toMatchObject({
      error: { code: "provider.unknown", message: expect.stringContaining("None of 2 models answered.") },
    });
  });

  test("are models, every one", async () => {
    const { catalog } = open(house, () => down);
    expect(await codeOf(catalog.resolve("one/a", ["two"]))).toContain('provider.unknown: "two" is no model');
  });
});

describe("providers made of others", () => {
  test("are a chain by one name", async () => {
    const { ask: askFor, catalog } = open(house, (name) => (name === "one" ? down : { text: "Me." }));
    expect(await askFor("main/default")).toMatchObject({ model: "two/b" });
    expect(await catalog.models("main", never)).toEqual(["default"]);
    expect(await codeOf(catalog.resolve("main/gpt"))).toBe(
      'provider.unknown: "main" is a chain of models, and is named as one: main/default.',
    );
  });

  test("are asked once around, as each of their parts asks again itself", async () => {
    const { ask: askFor, asked } = open(house, () => down);
    expect(await askFor("any/whatever")).toMatchObject({ type: "error" });
    expect([asked("one").length, asked("two").length]).toEqual([2, 2]);
  });

  test("are made anew when the config says something else of them", async () => {
    const { ask: askFor, source } = open(house, () => ({ text: "Me." }));
    expect(await askFor("main/default")).toMatchObject({ model: "one/a" });
    expect(await askFor("any/fast")).toMatchObject({ model: "two/b" });
    await source.edit((text) => text.replace('"one/a", "two/b"', '"two/b"').replace('"two/b", ""', '"one/a", ""'));
    expect(await askFor("main/default")).toMatchObject({ model: "two/b" });
    expect(await askFor("any/fast")).toMatchObject({ model: "one/a" });
  });

  test("are a router, that may lead to a chain", async () => {
    const { ask: askFor, asked } = open(house, (name) => (name === "one" ? down : { text: "Me." }));
    expect(await askFor("any/fast")).toMatchObject({ model: "two/b" });
    expect(asked("one")).toEqual([]);
    expect(await askFor("any/whatever")).toMatchObject({ model: "two/b" });
    expect(asked("one")).toEqual(["a", "a"]);
  });

  test("tell what they are made of, and which part is missing", async () => {
    const { detail } = open(`${house}[providers.more]\nkind = "reliable"\nmodels = ["one/a", "gone/x"]\n`, () => down);
    expect(await detail("main")).toMatchObject({ ready: true, detail: "one/a, two/b", suggestedModel: "default" });
    expect(await detail("any")).toMatchObject({ ready: true, detail: "two/b, main/default" });
    expect(await detail("more")).toMatchObject({
      ready: true,
      detail: "one/a, gone/x; gone is not ready: there is none",
    });
  });

  test("are not ready when no part is", async () => {
    const { detail } = open('[providers.main]\nkind = "reliable"\nmodels = ["gone/x"]\n', () => down);
    expect(await detail("main")).toMatchObject({ ready: false });
  });
});

describe("a model that rests", () => {
  test("is told of where its provider is listed and tried, until it answers somebody", async () => {
    let up = false;
    const {
      ask: askFor,
      catalog,
      detail,
      asked,
    } = open(house, (name) => (name === "two" || up ? { text: "Me." } : down));
    for (let call = 0; call < 3; call += 1) await askFor("main/default");
    expect(asked("one")).toHaveLength(6);
    expect(await detail("one")).toMatchObject({ ready: true, detail: "no key; one/a rests for 30 s" });
    expect(await catalog.test("one", "a", never)).toMatchObject({
      ok: false,
      detail: "It is so written. At present one/a rests for 30 s.",
    });
    // Another chain of the house knows it too.
    expect(await askFor("one/a", ["two/b"])).toMatchObject({ model: "two/b" });
    expect(asked("one")).toHaveLength(7);
    up = true;
    expect(await catalog.test("one", "a", never)).toMatchObject({ ok: true, detail: "a answered: Me." });
    expect(await detail("one")).toMatchObject({ detail: "no key" });
    expect(await askFor("main/default")).toMatchObject({ model: "one/a" });
  });
});

describe("whoever pays for a call", () => {
  /** Lets so many requests on, each with a shorter answer than the last. */
  const paying = (most: number) => {
    const begun: string[] = [];
    const came: RequestOutcome["end"][] = [];
    const toll: ChargeGate = {
      async begin(model) {
        if (begun.length === most)
          return { error: { code: "budget.spent", message: "It is used up.", hint: "Raise it." } };
        begun.push(model);
        return {
          maxOutputTokens: 100 - begun.length,
          settle(one) {
            if (one.end !== "left") came.push(one.end);
            return { ...(one.usage ?? noUsage), cost: 10 };
          },
        };
      },
    };
    return { toll, begun, came };
  };

  test.each([
    ["a provider", "one/a", [], ["one/a", "one/a", "one/a", "one/a"]],
    ["an agent's own chain", "one/a", ["two/b"], ["one/a", "one/a", "two/b", "two/b"]],
    ["a chain of the config", "main/default", [], ["one/a", "one/a", "two/b", "two/b"]],
    ["a router", "any/fast/x", [], ["two/b", "two/b", "two/b", "two/b"]],
    ["a router to a chain", "any/x", [], ["one/a", "one/a", "two/b", "two/b"]],
  ] as const)(
    "lets each request of %s on by itself, and is told what each came to",
    async (_, model, fallback, asked) => {
      const { toll, begun, came } = paying(Infinity);
      const opened = open(house, () => down);
      const last = await opened.ask(model, fallback, toll);
      expect(begun).toEqual([...asked]);
      expect(came).toEqual(asked.map(() => "provider.overloaded" as const));
      expect(last).toMatchObject({ type: "error", usage: { cost: 10 * asked.length } });
      const requests = ["one", "two"].flatMap((name) => opened.made.get(name)?.requests ?? []);
      expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual(asked.map((_name, index) => 99 - index));
    },
  );

  test("ends the attempts when nothing is left, in words of both, and the model is not blamed", async () => {
    const { toll } = paying(2);
    const { ask: askFor, asked, detail } = open(house, () => down);
    expect(await askFor("one/a", [], toll)).toMatchObject({
      error: {
        code: "budget.spent",
        message: "It is so written. It was not asked again: It is used up.",
        hint: "Raise it.",
      },
      usage: { cost: 20 },
    });
    expect(asked("one")).toHaveLength(2);
    for (let calls = 0; calls < 5; calls += 1) await askFor("one/a", ["two/b"], paying(0).toll);
    expect(asked("one")).toHaveLength(2);
    expect((await detail("one"))?.detail).not.toContain("rests");
  });

  test("pays nothing for one that was stopped before it was made", async () => {
    const { toll, begun } = paying(Infinity);
    const { catalog } = open(house, () => ({ text: "Here." }));
    const { provider, model } = await catalog.resolve("one/a");
    const { last } = await collect(provider.stream({ ...ask("Hello"), model }, AbortSignal.abort(), toll));
    expect(last).toMatchObject({ error: { code: "provider.aborted" } });
    expect(begun).toEqual([]);
  });
});
