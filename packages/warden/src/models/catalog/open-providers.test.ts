/**
 * Providers created by the catalog: with retries, as chains, as routers, and with their failures
 * shown.
 */
import { isHearthError, noUsage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createCatalog } from "./house-catalog.ts";
import { createMemoryKeyFiles } from "../../kernel/config/key-files.ts";
import { ask, collect } from "../provider.conformance.ts";
import type { ProviderOptions } from "../provider.ts";
import { createScriptedProvider, type ScriptedProvider, type ScriptedReply } from "../scripted/scripted.ts";
import { failing, instantSleepClock } from "../scripted/scripted-harness.conformance.ts";
import type { RequestOutcome, ChargeGate } from "../resilience/charge.ts";

const never = new AbortController().signal;
/** The time limit of a person's test. Nothing else in these tests takes that long. */
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

/** Providers by their `base_url`; their replies are given by name. */
const open = (config: string, says: (name: string, call: number) => ScriptedReply) => {
  const text = `version = 1\n${config}`.replace(
    /\[providers\.(\w+)\]\nkind = "wire"/g,
    '[providers.$1]\nkind = "wire"\nbase_url = "http://$1"',
  );
  const file = createMemoryConfigFile(text);
  const source = createConfigSource(file, parseConfig(text, file.name));
  const made = new Map<string, ScriptedProvider>();
  const world = createFakeWorld({ hash: () => "" });
  const hurry = instantSleepClock(world);
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
        return { ...scripted, traits: { offline: false, carries: scripted.traits.carries } };
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
    async ask(model: string, fallback?: readonly string[], chargeGate?: ChargeGate) {
      const resolved = await catalog.resolve(model, fallback);
      const events = resolved.provider.stream({ ...ask("Hello"), model: resolved.model }, never, { chargeGate });
      return chargeGate === undefined ? (await collect(events)).last : (await Array.fromAsync(events)).at(-1);
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
  test("is called up to four times unless the config says otherwise", async () => {
    const { ask: askFor, asked } = open(`${house}[providers.three]\nkind = "wire"\nretries = 1\n`, () => down);
    await askFor("one/a");
    await askFor("three/a");
    expect([asked("one").length, asked("three").length]).toEqual([4, 2]);
  });

  test("is recreated when its config changes", async () => {
    const { ask: askFor, asked, source } = open(house, () => down);
    await askFor("one/a");
    await source.edit((text) => text.replace('base_url = "http://one"', 'base_url = "http://one"\nretries = 0'));
    await askFor("one/a");
    expect(asked("one")).toHaveLength(1);
  });

  test("is called once in a person's test", async () => {
    const { catalog, asked } = open(house, () => down);
    expect(await catalog.test("one", "a", never)).toMatchObject({ ok: false, detail: "It is so written." });
    expect(asked("one")).toHaveLength(1);
  });

  test("that needs no network makes no charge", async () => {
    const { catalog } = open(house, () => down);
    const { provider, model } = await catalog.resolve("offline/basic");
    const chargeGate: ChargeGate = { admit: () => Promise.reject(new Error("it costs nothing")) };
    const { last } = await collect(provider.stream({ ...ask("Hello"), model }, never, { chargeGate }));
    expect(last.type).not.toBe("retry");
    expect(provider.traits.offline).toBe(true);
  });
});

describe("fallback models", () => {
  test("are called in order, each at most twice", async () => {
    const says = (name: string) => (name === "three" ? { text: "Me." } : down);
    const { ask: askFor, asked } = open(`${house}[providers.three]\nkind = "wire"\n`, says);
    expect(await askFor("one/a", ["two/b", "three/org/c"])).toMatchObject({ type: "end", model: "three/org/c" });
    expect([asked("one"), asked("two"), asked("three")]).toEqual([["a", "a"], ["b", "b"], ["org/c"]]);
  });

  test("are reached without long waits", async () => {
    const says = (name: string): ScriptedReply =>
      name === "two" ? { text: "Me." } : { ...down, retryAfterMs: 15_000 };
    const { ask: askFor, world } = open(house, says);
    expect(await askFor("one/a", ["two/b"])).toMatchObject({ type: "end", model: "two/b" });
    expect(world.clock.monotonic()).toBe(0);
  });

  test("may replace a provider that does not exist", async () => {
    const { ask: askFor } = open(house, () => ({ text: "Me." }));
    expect(await askFor("nowhere/x", ["one/a"])).toMatchObject({ type: "end", model: "one/a" });
    expect(await askFor("nowhere/x", ["nobody/y"])).toMatchObject({
      error: { code: "provider.unknown", message: expect.stringContaining("None of the 2 models answered.") },
    });
  });

  test("all have to be models", async () => {
    const { catalog } = open(house, () => down);
    expect(await codeOf(catalog.resolve("one/a", ["two"]))).toContain('provider.unknown: "two" is not a model name');
  });
});

describe("composite providers", () => {
  test("can be a chain under one name", async () => {
    const { ask: askFor, catalog } = open(house, (name) => (name === "one" ? down : { text: "Me." }));
    expect(await askFor("main/default")).toMatchObject({ model: "two/b" });
    expect(await catalog.models("main", never)).toEqual(["default"]);
    expect(await codeOf(catalog.resolve("main/gpt"))).toBe(
      'provider.unknown: "main" is a chain of models. Write it as main/default.',
    );
  });

  test("try each part once, because the parts retry on their own", async () => {
    const { ask: askFor, asked } = open(house, () => down);
    expect(await askFor("any/whatever")).toMatchObject({ type: "error" });
    expect([asked("one").length, asked("two").length]).toEqual([2, 2]);
  });

  test("are recreated when their config changes", async () => {
    const { ask: askFor, source } = open(house, () => ({ text: "Me." }));
    expect(await askFor("main/default")).toMatchObject({ model: "one/a" });
    expect(await askFor("any/fast")).toMatchObject({ model: "two/b" });
    await source.edit((text) => text.replace('"one/a", "two/b"', '"two/b"').replace('"two/b", ""', '"one/a", ""'));
    expect(await askFor("main/default")).toMatchObject({ model: "two/b" });
    expect(await askFor("any/fast")).toMatchObject({ model: "one/a" });
  });

  test("can be a router that leads to a chain", async () => {
    const { ask: askFor, asked } = open(house, (name) => (name === "one" ? down : { text: "Me." }));
    expect(await askFor("any/fast")).toMatchObject({ model: "two/b" });
    expect(asked("one")).toEqual([]);
    expect(await askFor("any/whatever")).toMatchObject({ model: "two/b" });
    expect(asked("one")).toEqual(["a", "a"]);
  });

  test("report their parts, and which part is missing", async () => {
    const { detail } = open(`${house}[providers.more]\nkind = "reliable"\nmodels = ["one/a", "gone/x"]\n`, () => down);
    expect(await detail("main")).toMatchObject({ ready: true, detail: "one/a, two/b", suggestedModel: "default" });
    expect(await detail("any")).toMatchObject({ ready: true, detail: "two/b, main/default" });
    expect(await detail("more")).toMatchObject({
      ready: true,
      detail: "one/a, gone/x; gone is not ready: it does not exist",
    });
  });

  test("are not ready when no part is", async () => {
    const { detail } = open('[providers.main]\nkind = "reliable"\nmodels = ["gone/x"]\n', () => down);
    expect(await detail("main")).toMatchObject({ ready: false });
  });
});

describe("a model with an open circuit", () => {
  test("is reported in the list and in tests of its provider until it answers a call", async () => {
    let up = false;
    const {
      ask: askFor,
      catalog,
      detail,
      asked,
    } = open(house, (name) => (name === "two" || up ? { text: "Me." } : down));
    for (let call = 0; call < 3; call += 1) await askFor("main/default");
    expect(asked("one")).toHaveLength(6);
    expect(await detail("one")).toMatchObject({ ready: true, detail: "no key; one/a is paused for 30 s" });
    expect(await catalog.test("one", "a", never)).toMatchObject({
      ok: false,
      detail: "It is so written. At present one/a is paused for 30 s.",
    });
    // Other chains of the house share the circuit.
    expect(await askFor("one/a", ["two/b"])).toMatchObject({ model: "two/b" });
    expect(asked("one")).toHaveLength(7);
    up = true;
    expect(await catalog.test("one", "a", never)).toMatchObject({ ok: true, detail: "a answered: Me." });
    expect(await detail("one")).toMatchObject({ detail: "no key" });
    expect(await askFor("main/default")).toMatchObject({ model: "one/a" });
  });
});

describe("the budget gate of a call", () => {
  /** Admits this many requests, each with a shorter answer than the last. */
  const paying = (most: number) => {
    const begun: string[] = [];
    const came: RequestOutcome["end"][] = [];
    const chargeGate: ChargeGate = {
      async admit(model) {
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
    return { chargeGate, begun, came };
  };

  test.each([
    ["a provider", "one/a", [], ["one/a", "one/a", "one/a", "one/a"]],
    ["an agent's own chain", "one/a", ["two/b"], ["one/a", "one/a", "two/b", "two/b"]],
    ["a chain of the config", "main/default", [], ["one/a", "one/a", "two/b", "two/b"]],
    ["a router", "any/fast/x", [], ["two/b", "two/b", "two/b", "two/b"]],
    ["a router to a chain", "any/x", [], ["one/a", "one/a", "two/b", "two/b"]],
  ] as const)("admits each request of %s separately, and receives its outcome", async (_, model, fallback, asked) => {
    const { chargeGate, begun, came } = paying(Infinity);
    const opened = open(house, () => down);
    const last = await opened.ask(model, fallback, chargeGate);
    expect(begun).toEqual([...asked]);
    expect(came).toEqual(asked.map(() => "provider.overloaded" as const));
    expect(last).toMatchObject({ type: "error", usage: { cost: 10 * asked.length } });
    const requests = ["one", "two"].flatMap((name) => opened.made.get(name)?.requests ?? []);
    expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual(asked.map((_name, index) => 99 - index));
  });

  test("ends the attempts when the budget is used up, with both reasons, and without blame on the model", async () => {
    const { chargeGate } = paying(2);
    const { ask: askFor, asked, detail } = open(house, () => down);
    expect(await askFor("one/a", [], chargeGate)).toMatchObject({
      error: {
        code: "budget.spent",
        message: "It is so written. It was not retried: It is used up.",
        hint: "Raise it.",
      },
      usage: { cost: 20 },
    });
    expect(asked("one")).toHaveLength(2);
    for (let calls = 0; calls < 5; calls += 1) await askFor("one/a", ["two/b"], paying(0).chargeGate);
    expect(asked("one")).toHaveLength(2);
    expect((await detail("one"))?.detail).not.toContain("rests");
  });

  test("charges nothing for a request that was stopped before it was sent", async () => {
    const { chargeGate, begun } = paying(Infinity);
    const { catalog } = open(house, () => ({ text: "Here." }));
    const { provider, model } = await catalog.resolve("one/a");
    const { last } = await collect(provider.stream({ ...ask("Hello"), model }, AbortSignal.abort(), { chargeGate }));
    expect(last).toMatchObject({ error: { code: "provider.aborted" } });
    expect(begun).toEqual([]);
  });
});
