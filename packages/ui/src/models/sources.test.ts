import { expect, test } from "bun:test";
import type { ProviderInfo } from "@hearth/protocol";
import { findSource, firstSource, isNew, type Offers, sourcesOf, tellProvider } from "./sources.ts";

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
const known = [{ name: "anthropic", kind: "anthropic" }];
const all: Offers = { providers: [offline, broken, provider("den"), environment], found: [ollama], known };
const idsOf = (offers: Offers): readonly string[] => sourcesOf(offers).map(({ id }) => id);

test("keys of the environment come first, then what is set up, found, not ready, and new; no model is last", () => {
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

test("what could not be found out hides nothing else", () => {
  expect(idsOf({ providers: [], found: [], known: [] })).toEqual(["server", "offline"]);
  expect(idsOf({ ...all, known: [] })).not.toContain("key");
});

test("only what is not set up yet is new", () => {
  expect(
    sourcesOf(all)
      .filter(isNew)
      .map(({ id }) => id),
  ).toEqual(["found:ollama", "key", "server"]);
});

test("a source says where its key is, or what it lacks", () => {
  expect(tellProvider(environment)).toBe("Key found in ANTHROPIC_API_KEY");
  expect(tellProvider(provider("den", { baseUrl: "http://127.0.0.1:8080/v1" }))).toBe(
    "Key kept by Hearth, at 127.0.0.1:8080",
  );
  expect(tellProvider(provider("den", { detail: "key from env:DEN_KEY" }))).toBe("Key from DEN_KEY");
  expect(tellProvider(provider("den", { detail: "no key" }))).toBe("Needs no key");
  expect(tellProvider(broken)).toBe("WORK_KEY is not set, at llm.example.com");
  expect(tellProvider(offline)).toBe("No language model; needs no key");
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

test("a found server that has become a provider is still the same choice", () => {
  const later = { ...all, found: [], providers: [provider("ollama")] };
  expect(findSource(sourcesOf(later), "found:ollama")?.id).toBe("provider:ollama");
  expect(findSource(sourcesOf(later), "provider:gone")).toBeUndefined();
});

test("one begins with what answers at once, else with a key", () => {
  const first = (offers: Partial<Offers>): string | undefined => firstSource(sourcesOf({ ...all, ...offers }))?.id;
  expect(first({})).toBe("provider:anthropic");
  expect(first({ providers: [broken, offline] })).toBe("found:ollama");
  expect(first({ providers: [offline], found: [] })).toBe("key");
  expect(first({ providers: [broken], found: [] })).toBe("key");
});
