/** Which models may answer for a model's name. */
import { expect, test } from "bun:test";
import type { Entry } from "../catalog/entry.ts";
import { candidateModels } from "./candidate-models.ts";

const entries = new Map<string, Entry>(
  (
    [
      { name: "offline", kind: "offline" },
      { name: "anthropic", kind: "anthropic" },
      { name: "work", kind: "openai", baseUrl: "https://openrouter.ai/api/v1" },
      { name: "proxy", kind: "openai", baseUrl: "https://proxy.example/v1" },
      { name: "local", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1" },
      { name: "home", kind: "openai", baseUrl: "http://[::1]:1234/v1" },
      { name: "main", kind: "reliable", models: ["anthropic/claude-opus-5", "local/", "any/fast"] },
      {
        name: "any",
        kind: "router",
        routes: new Map([
          ["fast", "proxy/small"],
          ["", "main/"],
        ]),
      },
    ] as const
  ).map((entry) => [entry.name, { ...entry, source: "config" }]),
);
const names = (...models: readonly string[]): readonly string[] =>
  candidateModels(models, entries).map(({ name }) => name);

test("a wire answers itself, a chain with all its targets, a router with the matching target", () => {
  expect(names("anthropic/x")).toEqual(["anthropic/x"]);
  expect(names("main/llama")).toEqual(["anthropic/claude-opus-5", "local/llama", "proxy/small"]);
  expect(names("any/fast")).toEqual(["proxy/small"]);
  expect(names("any/other", "anthropic/claude-opus-5")).toEqual([
    "anthropic/claude-opus-5",
    "local/other",
    "proxy/small",
  ]);
});

test("a missing provider has no candidates", () => {
  expect(names("nobody/x")).toEqual([]);
});

test("a vendor is recognized by its URL under any name, and so is this machine", () => {
  const about = (model: string) => candidateModels([model], entries).map(({ vendor, location }) => [vendor, location]);
  expect(about("anthropic/x")).toEqual([["anthropic", "elsewhere"]]);
  expect(about("work/x")).toEqual([["openrouter", "elsewhere"]]);
  expect(about("proxy/x")).toEqual([[undefined, "elsewhere"]]);
  for (const model of ["local/x", "home/x"]) expect(about(model)).toEqual([[undefined, "local"]]);
  expect(about("offline/basic")).toEqual([[undefined, "built-in"]]);
});
