/** The table `[memory]`: its settings, and refusals with their lines. */
import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";

const read = (...lines: readonly string[]) =>
  parseConfig(`version = 1\n[memory]\n${lines.join("\n")}\n`, "hearth.toml");

const refusal = (...lines: readonly string[]): HearthError => {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof HearthError) return error;
  }
  throw new Error("it was taken");
};

test("without settings, memory uses the local model, five facts per answer, and the learned ranking", () => {
  expect(read("").config.memory).toEqual({
    ...{ backend: "sqlite", embedder: "local", idleSeconds: 600, topK: 5, tuning: {} },
  });
});

test("Ollama's default is this machine; a trailing slash of a URL is removed", () => {
  const lines = ['embedder = "ollama"', 'model = "nomic-embed-text"', "dimensions = 768"];
  const peer = { kind: "ollama", model: "nomic-embed-text", dimensions: 768 };
  expect(read(...lines).config.memory.embedder).toEqual({ ...peer, baseUrl: "http://127.0.0.1:11434" } as never);
  expect(read(...lines, 'base_url = "http://den:11434/"').config.memory.embedder).toEqual({
    ...{ ...peer, baseUrl: "http://den:11434" },
  } as never);
});

test("a server with OpenAI's protocol has a URL, a model, its dimensions, and a key by reference", () => {
  const { memory } = read(
    'embedder = "openai-compatible"',
    'base_url = "https://api.openai.com/v1"',
    'model = "text-embedding-3-small"',
    "dimensions = 1536",
    'api_key = "env:OPENAI_API_KEY"',
  ).config;
  expect(memory).toMatchObject({
    embedder: { kind: "openai-compatible", baseUrl: "https://api.openai.com/v1", dimensions: 1536 },
    apiKey: { kind: "env", name: "OPENAI_API_KEY" },
  });
});

test("ranking settings are taken unchanged", () => {
  expect(read("top_k = 8", "semantic = 0.7", "lexical = 0.3", "half_life_days = 90").config.memory).toMatchObject({
    ...{ topK: 8, tuning: { semantic: 0.7, lexical: 0.3, halfLifeDays: 90 } },
  });
});

const PEER = 'embedder = "openai-compatible"';
const WHOLE = [PEER, 'base_url = "http://127.0.0.1:1/v1"', 'model = "m"', "dimensions = 3"];

describe("is refused with its line:", () => {
  test.each([
    ["an unknown embedder", ['embedder = "openai"'], "line 3", '"local" or "none" or "ollama"'],
    ["an HTTP embedder without a URL", [PEER, 'model = "m"', "dimensions = 3"], "line 2", "memory.base_url is missing"],
    [
      "an HTTP embedder without a model",
      [PEER, 'base_url = "http://x"', "dimensions = 3"],
      "line 2",
      "memory.model is missing",
    ],
    [
      "an HTTP embedder without dimensions",
      [PEER, 'base_url = "http://x"', 'model = "m"'],
      "line 2",
      "memory.dimensions is missing",
    ],
    [
      "a URL for an embedder that has none",
      ['embedder = "local"', 'base_url = "http://x"'],
      "line 4",
      "memory.base_url is only valid for",
    ],
    ["a key for an embedder that has none", ['api_key = "env:KEY"'], "line 3", "memory.api_key is only valid for"],
    ["a key itself", [...WHOLE, 'api_key = "sk-1234"'], "line 7", "never the key itself"],
    ["a password in a URL", [...WHOLE.slice(0, 1), 'base_url = "http://me:pw@x/v1"'], "line 4", "plain URL"],
    ["a URL with another scheme", [PEER, 'base_url = "file:///etc"'], "line 4", "http://"],
    ["dimensions of 0", ['embedder = "ollama"', 'model = "m"', "dimensions = 0"], "line 5", "from 1 to 8192"],
    ["an HTTP embedder with the markdown backend", [...WHOLE, 'backend = "markdown"'], "line 3", "has no effect"],
    ["one weight without the other", ["semantic = 0.7"], "line 2", "memory.lexical is missing"],
    ["two weights of 0", ["semantic = 0", "lexical = 0"], "line 3", "must be above 0"],
    ["a negative weight", ["semantic = -1", "lexical = 1"], "line 3", "from 0 to 100"],
    ["a half-life of 0 days", ["half_life_days = 0"], "line 3", "from 1 to 36500"],
    ["0 answers", ["top_k = 0"], "line 3", "from 1 to 50"],
    ["too many answers", ["top_k = 51"], "line 3", "from 1 to 50"],
  ])("%s", (_what, lines, line, words) => {
    const { code, message } = refusal(...lines);
    expect(code).toBe("config.invalid");
    expect(message).toContain(words);
    expect(message).toContain(`hearth.toml ${line}`);
    expect(message).not.toContain("sk-1234");
  });

  test("an unknown backend", () => {
    expect(() => parseConfig('version = 1\n[agents.main]\nretrieval = "vectors"\n', "hearth.toml")).toThrow("line 3");
    const { config } = parseConfig('version = 1\n[agents.main]\nretrieval = "lexical"\n', "hearth.toml");
    expect(config.agents.get("main")).toEqual({ retrieval: "lexical" });
  });
});
