import { HearthError } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import { ask, codeOf, collect, collectModels, providerConformance } from "../provider.conformance.ts";
import { createRouterProvider } from "./router.ts";
import { createScriptedProvider } from "../scripted/scripted.ts";
import { scriptedHarness } from "../scripted/scripted-harness.conformance.ts";

const never = new AbortController().signal;

providerConformance(
  "router",
  scriptedHarness((provider) =>
    createRouterProvider({ routes: new Map([["", "inner/"]]), open: () => Promise.resolve(provider) }),
  ),
);

const open = (routes: Readonly<Record<string, string>>) => {
  const scripted = createScriptedProvider(() => ({ text: "ok" }), ["x", "y"]);
  const opened: string[] = [];
  const provider = createRouterProvider({
    routes: new Map(Object.entries(routes)),
    async open(name) {
      opened.push(name);
      if (name === "gone") throw new HearthError("provider.unknown", 'There is no provider "gone".');
      return scripted;
    },
  });
  return {
    provider,
    /** Returns the called provider and model, and the reported answerer. */
    async route(model: string) {
      const { last } = await collect(provider.stream({ ...ask("Hello"), model }, never));
      if (last.type === "error") return last.error;
      return [opened.at(-1), scripted.requests.at(-1)?.model, last.model];
    },
  };
};

describe("a router", () => {
  const { route } = open({
    "fast/": "den/llama",
    "fast/big/": "den/llama-large",
    "local/": "den/",
    "": "main/default",
  });

  test.each([
    ["fast/", ["den", "llama", "den/llama"]],
    ["fast", ["den", "llama", "den/llama"]],
    ["fast/whatever", ["den", "llama", "den/llama"]],
    ["fast/big/one", ["den", "llama-large", "den/llama-large"]],
    ["local/org/model:7b", ["den", "org/model:7b", "den/org/model:7b"]],
    ["faster", ["main", "default", "main/default"]],
    ["default", ["main", "default", "main/default"]],
  ])("routes %p by its longest prefix", async (model, expected) => {
    expect(await route(model)).toEqual(expected);
  });

  test("without a matching prefix lists the prefixes", async () => {
    const { provider, route: only } = open({ "fast/": "den/llama" });
    expect(await only("slow")).toMatchObject({
      code: "provider.unknown",
      message: 'No route of this provider matches "slow". Available: fast/.',
    });
    expect(codeOf(await collect(provider.stream({ ...ask(""), model: "slow" }, never)))).toBe("provider.unknown");
  });

  test("to a missing provider returns its error", async () => {
    expect(await open({ "": "gone/model" }).route("x")).toEqual({
      code: "provider.unknown",
      message: 'There is no provider "gone".',
    });
  });

  test("lists its routes, and the models of those that pass the name on", async () => {
    const { provider } = open({ "fast/": "den/llama", "local/": "den/", "": "main/default" });
    expect(await collectModels(provider.models(never))).toEqual(["fast", "local/x", "local/y", "default"]);
  });

  test("rethrows unexpected errors", async () => {
    const provider = createRouterProvider({
      routes: new Map([["", "a/"]]),
      open: () => Promise.reject(new TypeError("a bug")),
    });
    await collect(provider.stream(ask("Hello"), never)).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("a bug"),
    );
  });
});
