import { type Clock, HearthError, noUsage, type Usage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { type Circuit, createCircuit } from "./circuit.ts";
import { ask, codeOf, collect, collectModels, providerConformance } from "../provider.conformance.ts";
import type { Provider } from "../provider.ts";
import { createReliableProvider } from "./reliable.ts";
import { createScriptedProvider, type Script, type ScriptedModels } from "../scripted/scripted.ts";
import { failing, scriptedHarness } from "../scripted/scripted-harness.conformance.ts";

const never = new AbortController().signal;

const createCircuits = (clock: Clock): ((model: string) => Circuit) => {
  const circuits = new Map<string, Circuit>();
  return (model) => {
    const circuit = circuits.get(model) ?? createCircuit(clock);
    circuits.set(model, circuit);
    return circuit;
  };
};

providerConformance(
  "reliable",
  scriptedHarness((provider, { clock }) =>
    createReliableProvider({
      targets: ["inner/"],
      open: () => Promise.resolve(provider),
      circuitOf: createCircuits(clock),
    }),
  ),
);

providerConformance(
  "reliable, second in a chain",
  scriptedHarness((provider, { clock }) => {
    const down = createScriptedProvider(() => failing("provider.unreachable"), {
      error: { code: "provider.unreachable", message: "It is so written." },
    });
    return createReliableProvider({
      targets: ["down/", "inner/"],
      open: (name) => Promise.resolve(name === "down" ? down : provider),
      circuitOf: createCircuits(clock),
    });
  }),
);

const cost = (inputTokens: number): Usage => ({ ...noUsage, inputTokens });

/** A chain of models with their scripts, in order: `a/one`, `b/two`, `c/three`. */
const open = (scripts: readonly Script[], models: readonly ScriptedModels[] = []) => {
  const world = createFakeWorld({ hash: () => "" });
  const targets = ["a/one", "b/two", "c/three"].slice(0, scripts.length);
  const scripted = scripts.map((script, index) => createScriptedProvider(script, models[index]));
  const circuitOf = createCircuits(world.clock);
  const parts = new Map(targets.map((target, index) => [target.slice(0, 1), scripted[index] as Provider]));
  const chainOf = (names: readonly string[]): Provider =>
    createReliableProvider({
      targets: names,
      circuitOf,
      open: async (name) => {
        const part = parts.get(name);
        if (part === undefined) throw new HearthError("provider.unknown", `There is no provider "${name}".`);
        return part;
      },
    });
  const provider = chainOf(targets);
  const answer = async () => collect(provider.stream(ask("Hello"), never));
  return {
    world,
    provider,
    answer,
    chainOf,
    circuitOf,
    asked: () => scripted.map(({ requests }) => requests.length),
    scripted,
  };
};

describe("a chain of models", () => {
  test("is answered by the first model, and names it", async () => {
    const { answer, asked, scripted } = open([[{ text: "Here." }], []]);
    expect((await answer()).last).toMatchObject({ type: "end", model: "a/one", message: { text: "Here." } });
    expect(asked()).toEqual([1, 0]);
    expect(scripted[0]?.requests[0]?.model).toBe("one");
  });

  test.each([
    "provider.auth",
    "provider.rate-limited",
    "provider.overloaded",
    "provider.unreachable",
    "provider.timeout",
    "provider.refused",
    "provider.malformed",
    "provider.truncated",
    "provider.unknown",
    "provider.failed",
  ] as const)("continues with the next after %s, and adds the usage of both", async (code) => {
    const { answer, scripted } = open([[{ ...failing(code), usage: cost(3) }], [{ text: "Me.", usage: cost(4) }]]);
    expect((await answer()).last).toMatchObject({ model: "b/two", message: { text: "Me." }, usage: cost(7) });
    expect(scripted[1]?.requests[0]?.model).toBe("two");
  });

  test.each(["provider.context-overflow", "provider.aborted"] as const)("ends with %s", async (code) => {
    const { answer, asked } = open([[failing(code)], [{ text: "Never." }]]);
    expect(codeOf(await answer())).toBe(code);
    expect(asked()).toEqual([1, 0]);
  });

  test("ends with a failure once text was shown, because another model would repeat it", async () => {
    const { answer, asked } = open([[{ ...failing("provider.overloaded"), text: "I begin, and" }], [{ text: "x" }]]);
    const { deltas, last } = await answer();
    expect([deltas.join(""), codeOf({ deltas, last }), asked()]).toEqual([
      "I begin, and",
      "provider.overloaded",
      [1, 0],
    ]);
  });

  test("treats a stream without an end as a failure", async () => {
    const { world, circuitOf } = open([]);
    const silent: Provider = { ...createScriptedProvider([]), async *stream() {} };
    const provider = createReliableProvider({ targets: ["a/one"], open: async () => silent, circuitOf });
    expect(codeOf(await collect(provider.stream(ask("Hello"), never)))).toBe("provider.truncated");
    expect(world.clock.monotonic()).toBe(0);
  });

  test("names the model that answered, also inside a nested chain", async () => {
    const { provider: inner, circuitOf } = open([[failing("provider.failed")], [{ text: "Me." }]]);
    const outer = createReliableProvider({ targets: ["inner/default"], open: async () => inner, circuitOf });
    expect((await collect(outer.stream(ask("Hello"), never))).last).toMatchObject({ model: "b/two" });
  });

  test("skips a provider that does not exist", async () => {
    const { chainOf } = open([[], [{ text: "Me." }]]);
    const { last } = await collect(chainOf(["gone/model", "b/two"]).stream(ask("Hello"), never));
    expect(last).toMatchObject({ model: "b/two" });
  });

  test("rethrows unexpected errors", async () => {
    const { circuitOf } = open([]);
    const provider = createReliableProvider({
      targets: ["a/one", "b/two"],
      open: () => Promise.reject(new TypeError("a bug")),
      circuitOf,
    });
    await collect(provider.stream(ask("Hello"), never)).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("a bug"),
    );
  });

  test("without an answer describes each failure, with the last code and the total usage", async () => {
    const { answer } = open([
      [{ error: { code: "provider.overloaded", message: "one.example is overloaded (529)" }, usage: cost(1) }],
      [{ error: { code: "provider.auth", message: "two.example does not accept the key.", hint: "Check the key." } }],
    ]);
    expect((await answer()).last).toEqual({
      type: "error",
      usage: cost(1),
      error: {
        code: "provider.auth",
        message:
          "None of the 2 models answered. a/one: one.example is overloaded (529). b/two: two.example does not accept the key.",
        hint: "Check the key.",
      },
    });
  });

  test("reports a wait only if all models request one, and the shortest of them", async () => {
    const wait = (retryAfterMs: number) => [{ ...failing("provider.rate-limited"), retryAfterMs }];
    expect((await open([wait(9_000), wait(5_000)]).answer()).last).toMatchObject({ retryAfterMs: 5_000 });
    expect((await open([wait(9_000), [failing("provider.failed")]]).answer()).last).not.toHaveProperty("retryAfterMs");
  });
});

describe("a model of a chain that is down", () => {
  const down = () => failing("provider.overloaded");
  const up = () => ({ text: "Me." });

  test("is called three times, then skipped during a pause, then called once", async () => {
    const { world, answer, asked } = open([down, up]);
    for (let call = 0; call < 5; call += 1) expect((await answer()).last).toMatchObject({ model: "b/two" });
    expect(asked()).toEqual([3, 5]);
    await world.advance(30_000);
    await answer();
    await answer();
    expect(asked()).toEqual([4, 7]);
  });

  test("is called as usual once it answers", async () => {
    const { world, answer, asked } = open([(_request, call) => (call < 3 ? down() : up()), up]);
    for (let call = 0; call < 3; call += 1) await answer();
    await world.advance(30_000);
    await answer();
    expect((await answer()).last).toMatchObject({ model: "a/one" });
    expect(asked()).toEqual([5, 3]);
  });

  test("starts counting failures again after an answer", async () => {
    const { world, answer, asked, circuitOf } = open([(_request, call) => (call % 3 === 2 ? up() : down()), up]);
    for (let call = 0; call < 9; call += 1) await answer();
    expect([asked()[0], circuitOf("a/one").remainingPause()]).toEqual([9, undefined]);
    expect(world.clock.monotonic()).toBe(0);
  });

  test("does not include one whose provider does not exist", async () => {
    const { chainOf, circuitOf } = open([up]);
    for (let call = 0; call < 4; call += 1) await collect(chainOf(["gone/x", "a/one"]).stream(ask("Hello"), never));
    expect(circuitOf("gone/x").remainingPause()).toBeUndefined();
  });

  test("is skipped in every chain", async () => {
    const { answer, chainOf, asked } = open([down, up]);
    for (let call = 0; call < 3; call += 1) await answer();
    const { last } = await collect(chainOf(["a/one"]).stream(ask("Hello"), never));
    expect(asked()[0]).toBe(3);
    expect(last).toEqual({
      type: "error",
      retryAfterMs: 30_000,
      error: {
        code: "provider.overloaded",
        message: "a/one: skipped: it is paused for 30 s after 3 failures. Last error: It is so written.",
      },
    });
  });

  test("is explained without a call when all models are down", async () => {
    const { world, answer, asked } = open([down, down]);
    for (let call = 0; call < 3; call += 1) await answer();
    await world.advance(10_000);
    expect((await answer()).last).toMatchObject({
      retryAfterMs: 20_000,
      error: {
        code: "provider.overloaded",
        message:
          "None of the 2 models answered. a/one: skipped: it is paused for 20 s after 3 failures. Last error: It is so written. b/two: skipped: it is paused for 20 s after 3 failures. Last error: It is so written.",
      },
    });
    expect(asked()).toEqual([3, 3]);
  });

  test.each(["provider.refused", "provider.context-overflow"] as const)(
    "does not include one that answers %s",
    async (code) => {
      const { answer, asked } = open([() => failing(code), up]);
      for (let call = 0; call < 5; call += 1) await answer();
      expect(asked()[0]).toBe(5);
    },
  );

  test("does not include one whose reader abandoned the stream", async () => {
    const { world, provider, circuitOf } = open([() => ({ text: "one two three" })]);
    for (let call = 0; call < 3; call += 1)
      circuitOf("a/one").admit()?.reportFailure({ code: "provider.failed", message: "x" });
    await world.advance(30_000);
    for await (const event of provider.stream(ask("Hello"), never)) {
      expect(event.type).toBe("text-delta");
      break;
    }
    expect(circuitOf("a/one").admit()).toBeDefined();
  });
});

describe("the models of a chain", () => {
  test("are one, if each target names its own", async () => {
    const { provider } = open([[], []]);
    expect(await collectModels(provider.models(never))).toEqual(["default"]);
  });

  test("are those of the first that answers, if the name is passed on", async () => {
    const gone = { error: { code: "provider.unreachable", message: "Gone." } } as const;
    const { chainOf } = open([[], [], []], [["own"], gone, ["x", "y"]]);
    expect(await collectModels(chainOf(["a/one", "b/", "c/"]).models(never))).toEqual(["x", "y"]);
    expect(await collectModels(chainOf(["b/", "nobody/"]).models(never))).toMatchObject({ code: "provider.unknown" });
  });

  test("are called by the same name everywhere", async () => {
    const { chainOf, scripted } = open([[failing("provider.failed")], [{ text: "Me." }]]);
    const { last } = await collect(chainOf(["a/", "b/"]).stream(ask("Hello"), never));
    expect(last).toMatchObject({ model: "b/some-model" });
    expect(scripted.map(({ requests }) => requests[0]?.model)).toEqual(["some-model", "some-model"]);
  });
});
