import { type HearthError, isHearthError } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import { parseConfig } from "../read.ts";

const parse = (lines: string) => parseConfig(`version = 1\n${lines}`, "hearth.toml");

const refusal = (lines: string): HearthError => {
  try {
    parse(lines);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("a provider in the config", () => {
  test("can set its number of retries", () => {
    expect(parse('[providers.a]\nkind = "openai"\nretries = 0').config.providers.get("a")).toEqual({
      kind: "openai",
      retries: 0,
    });
  });

  test("can be a chain", () => {
    const { config } = parse('[providers.main]\nkind = "reliable"\nmodels = ["a/b", "openrouter/"]');
    expect(config.providers.get("main")).toEqual({ kind: "reliable", models: ["a/b", "openrouter/"] });
  });

  test("can be a router, with routes in their own table or inline", () => {
    const routes = new Map([
      ["fast/", "den/llama3.2:3b"],
      ["", "main/default"],
    ]);
    for (const lines of [
      '[providers.any]\nkind = "router"\nroutes = { "fast/" = "den/llama3.2:3b", "" = "main/default" }',
      '[providers.any]\nkind = "router"\n[providers.any.routes]\n"fast/" = "den/llama3.2:3b"\n"" = "main/default"',
    ])
      expect(parse(lines).config.providers.get("any")).toEqual({ kind: "router", routes });
  });

  test.each([
    [
      '[providers.a]\nkind = "openai"\nretries = 4',
      "providers.a.retries must be a whole number from 0 to 3; hearth.toml line 4",
    ],
    [
      '[providers.a]\nkind = "reliable"',
      "providers.a.models is missing: it must be a list of models in brackets; hearth.toml line 2",
    ],
    [
      '[providers.a]\nkind = "router"',
      "providers.a.routes is missing: it must be a table of routes; hearth.toml line 2",
    ],
    ['[providers.a]\nkind = "reliable"\nmodels = []', "providers.a.models must name a model; hearth.toml line 4"],
    [
      '[providers.a]\nkind = "reliable"\nmodels = ["b/1", "b/2", "b/3", "b/4", "b/5", "b/6", "b/7"]',
      "providers.a.models must have at most 6 entries; hearth.toml line 4",
    ],
    [
      '[providers.a]\nkind = "reliable"\nmodels = [\n"b/x",\n"claude",\n]',
      "providers.a.models.1 is neither provider/model nor provider/ to pass the model name on; hearth.toml line 6",
    ],
    [
      '[providers.a]\nkind = "openai"\nmodels = ["b/x"]',
      'providers.a.models is only valid with kind = "reliable"; hearth.toml line 4',
    ],
    [
      '[providers.a]\nkind = "reliable"\nmodels = ["b/x"]\nroutes = { "" = "b/x" }',
      'providers.a.routes is only valid with kind = "router"; hearth.toml line 5',
    ],
    [
      '[providers.a]\nkind = "reliable"\nmodels = ["b/x"]\nretries = 1\nbase_url = "http://x"\napi_key = "env:X"',
      [
        'providers.a.base_url is only valid for providers with a wire, and "reliable" is a composite; hearth.toml line 6',
        'providers.a.api_key is only valid for providers with a wire, and "reliable" is a composite; hearth.toml line 7',
        'providers.a.retries is only valid for providers with a wire, and "reliable" is a composite; hearth.toml line 5',
      ].join("\n"),
    ],
  ])("%p is refused with its line", (lines, message) => {
    expect(refusal(lines).message).toBe(message);
  });

  test("with an unknown key is still refused for its other errors", () => {
    const { message } = refusal('[providers.a]\nkind = "reliable"\ncolour = "red"');
    expect(message).toContain("providers.a.models is missing");
  });
});

describe("composite providers", () => {
  const chain = (name: string, ...targets: readonly string[]): string =>
    `[providers.${name}]\nkind = "reliable"\nmodels = ${JSON.stringify(targets)}\n`;
  const router = (name: string, target: string): string =>
    `[providers.${name}]\nkind = "router"\nroutes = { "x/" = "den/y", "" = "${target}" }\n`;

  test("can share their parts, and name providers that are not in the file", () => {
    expect(() => parse(chain("a", "b/default", "c/") + chain("b", "den/x") + router("c", "b/default"))).not.toThrow();
  });

  test.each([
    [chain("a", "a/default"), 4, "a → a"],
    [chain("a", "den/x", "b/x") + router("b", "a/default"), 7, "a → b → a"],
    [chain("a", "b/x") + chain("b", "c/x") + router("c", "b/"), 10, "b → c → b"],
  ])("may not form a cycle", (lines, line, circle) => {
    expect(refusal(lines).message).toMatch(
      new RegExp(`^providers\\..+ forms a cycle: ${circle}; hearth\\.toml line ${line}$`),
    );
  });
});

test("an agent can have fallback models, at most five", () => {
  const agent = (count: number): string =>
    `[agents.main]\nfallback = ${JSON.stringify(Array.from({ length: count }, (_, index) => `a/${index}`))}`;
  expect(parse(agent(2)).config.agents.get("main")).toEqual({ fallback: ["a/0", "a/1"] });
  expect(refusal(agent(6)).message).toBe("agents.main.fallback must have at most 5 entries; hearth.toml line 3");
});
