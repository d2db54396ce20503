import { expect, test } from "bun:test";
import type { ProviderInfo } from "@hearth/protocol";
import { findSource, findFirstSource, isNew, type Offers, sourcesOf, describeProvider } from "./sources.ts";

const provider = (name: string, more: Partial<ProviderInfo> = {}): ProviderInfo => ({
  name,
  kind: "openai",
  source: "config",
  ready: true,
  detail: "key from file:keys/x",
  ...more,
});
const environment = provider("anthropic", { source: "environment", detail: "key from env:ANTHROPIC_API_KEY" });
const offline = provider("offline", { kind: "offline", source: "built-in", detail: "no language model; needs no key" });
const broken = provider("work", {
  ready: false,
  detail: "env:WORK_KEY is not set",
  baseUrl: "https://llm.example.com/v1",
});
const ollama = { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3"] };
const knownProviders = [{ name: "anthropic", kind: "anthropic" }];
const all: Offers = {
  providers: [offline, broken, provider("den"), environment],
  foundServers: [ollama],
  knownProviders,
};
const idsOf = (offers: Offers): readonly string[] => sourcesOf(offers).map(({ id }) => id);

test("sources are sorted: keys in the environment, configured, discovered, not ready, new, offline helper", () => {
  expect(idsOf(all)).toEqual([
    "provider:anthropic",
    "provider:den",
    "found:ollama",
    "provider:work",
    "key",
    "server",
    "offline",
  ]);
});

test("a failed request hides no other sources", () => {
  expect(idsOf({ providers: [], foundServers: [], knownProviders: [] })).toEqual(["server", "offline"]);
  expect(idsOf({ ...all, knownProviders: [] })).not.toContain("key");
});

test("only unconfigured sources are new", () => {
  expect(
    sourcesOf(all)
      .filter(isNew)
      .map(({ id }) => id),
  ).toEqual(["found:ollama", "key", "server"]);
});

test("a source shows where its key is, or what is missing", () => {
  expect(describeProvider(environment)).toBe("Key found in ANTHROPIC_API_KEY");
  expect(describeProvider(provider("den", { baseUrl: "http://127.0.0.1:8080/v1" }))).toBe(
    "Key stored by Hearth, at 127.0.0.1:8080",
  );
  expect(describeProvider(provider("den", { detail: "key from env:DEN_KEY" }))).toBe("Key from DEN_KEY");
  expect(describeProvider(provider("den", { detail: "no key" }))).toBe("No key needed");
  expect(describeProvider(broken)).toBe("WORK_KEY is not set, at llm.example.com");
  expect(describeProvider(offline)).toBe("No language model; needs no key");
  expect(sourcesOf(all).map(({ badge }) => badge)).toEqual([
    undefined,
    undefined,
    "Found",
    "Not ready",
    undefined,
    undefined,
    undefined,
  ]);
  expect(sourcesOf(all).map(({ title }) => title)).toContain("Ollama");
});

test("a discovered server stays the same choice after it was configured", () => {
  const later = { ...all, foundServers: [], providers: [provider("ollama")] };
  expect(findSource(sourcesOf(later), "found:ollama")?.id).toBe("provider:ollama");
  expect(findSource(sourcesOf(later), "provider:gone")).toBeUndefined();
});

test("the default is a source that works immediately, otherwise a key", () => {
  const first = (offers: Partial<Offers>): string | undefined => findFirstSource(sourcesOf({ ...all, ...offers }))?.id;
  expect(first({})).toBe("provider:anthropic");
  expect(first({ providers: [broken, offline] })).toBe("found:ollama");
  expect(first({ providers: [offline], foundServers: [] })).toBe("key");
  expect(first({ providers: [broken], foundServers: [] })).toBe("key");
});
