import { expect, test } from "bun:test";
import type { ProviderInfo } from "@hearth/protocol";
import {
  checkModel,
  chooseSource,
  chooseVendor,
  findProviderWithKey,
  type ModelDraft,
  modelOf,
  type Plan,
  planOf,
  sourceOf,
  toAddress,
  toDraft,
  vendorOf,
} from "./model-draft.ts";
import { createFakeAgent } from "../house/fake-ui.tsx";
import type { Offers } from "./sources.ts";

const anthropic: ProviderInfo = {
  name: "anthropic",
  kind: "anthropic",
  source: "environment",
  ready: true,
  detail: "key from env:ANTHROPIC_API_KEY",
  suggestedModel: "claude-sonnet-5-5",
};
const offers: Offers = {
  providers: [anthropic],
  foundServers: [{ name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3", "llama"] }],
  knownProviders: [
    { name: "anthropic", kind: "anthropic", suggestedModel: "claude-sonnet-5-5" },
    { name: "groq", kind: "openai", baseUrl: "https://api.groq.com/openai/v1" },
  ],
};
const source = (draft: ModelDraft) => sourceOf(draft, offers, false);
const plan = (draft: ModelDraft, key = ""): Plan => planOf(draft, source(draft), key, offers);
const model = (draft: ModelDraft): string =>
  modelOf(draft, source(draft), { knownProviders: offers.knownProviders, agents: [] });

test("a draft is created from the agent's model", () => {
  expect(toDraft("openrouter/meta/llama")).toEqual({ source: "provider:openrouter", model: "meta/llama" });
  expect(toDraft("offline/basic")).toEqual({ source: "offline" });
  expect(toDraft(undefined)).toEqual({});
});

test("nothing is preselected before the available sources are known", () => {
  expect(sourceOf({}, offers, true)).toBeUndefined();
  expect(sourceOf({}, offers, false)?.id).toBe("provider:anthropic");
  expect(sourceOf({ source: "server" }, offers, true)?.id).toBe("server");
  expect(sourceOf({ source: "provider:gone" }, offers, false)).toBeUndefined();
});

test("a provider without a suggested model suggests one that an agent uses", () => {
  const provider: ProviderInfo = { name: "den", kind: "openai", source: "config", ready: true, detail: "no key" };
  const chosen = sourceOf({}, { ...offers, providers: [provider] }, false);
  const suggest = (model: string): string =>
    modelOf({}, chosen, { knownProviders: offers.knownProviders, agents: [createFakeAgent(3, "Scout", { model })] });
  expect([suggest("den/large"), suggest("dens/large")]).toEqual(["large", ""]);
});

test("a suggested model name is replaced by a typed one, and cleared with its source or vendor", () => {
  expect(model({})).toBe("claude-sonnet-5-5");
  expect(model({ source: "found:ollama" })).toBe("qwen3");
  expect(model({ source: "key", vendor: "groq" })).toBe("");
  expect(model({ source: "key" })).toBe("claude-sonnet-5-5");
  expect(model({ source: "offline", model: "left over" })).toBe("basic");
  expect(model({ source: "key", model: "" })).toBe("");
  const typed = { source: "key", vendor: "groq", address: "a", model: "typed" };
  expect(model(typed)).toBe("typed");
  expect(chooseSource(typed, "server")).toEqual({ source: "server", vendor: "groq", address: "a" });
  expect(chooseVendor(typed, "anthropic")).toEqual({ source: "key", vendor: "anthropic", address: "a" });
});

test("a model name is one word", () => {
  expect(checkModel("meta/llama-4")).toBeUndefined();
  expect(checkModel("")?.field).toBe("model");
  expect(checkModel("two words")?.field).toBe("model");
  expect(checkModel("x".repeat(121))?.field).toBe("model");
});

test("a configured provider needs no setup", () => {
  expect(plan({})).toEqual({ kind: "existing", name: "anthropic" });
  expect(plan({ source: "offline" })).toEqual({ kind: "existing", name: "offline" });
});

test("a discovered server is configured as discovered", () => {
  expect(plan({ source: "found:ollama" })).toEqual({
    kind: "create",
    provider: { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1" },
  });
});

test("a pasted key is configured with its vendor's address", () => {
  expect(plan({ source: "key", vendor: "groq" }, " gsk-1\n")).toEqual({
    kind: "create",
    provider: { name: "groq", kind: "openai", baseUrl: "https://api.groq.com/openai/v1", key: "gsk-1" },
  });
  expect(plan({ source: "key" }, "sk-1")).toEqual({
    kind: "create",
    provider: { name: "anthropic", kind: "anthropic", key: "sk-1" },
  });
});

test("a missing or invalid key shows an error", () => {
  expect(plan({ source: "key" })).toMatchObject({ kind: "incomplete", problem: { field: "key" } });
  expect(plan({ source: "key" }, "two words")).toMatchObject({ kind: "incomplete", problem: { field: "key" } });
  expect(plan({ source: "server", address: "localhost:1/v1" }, "two words")).toMatchObject({
    problem: { field: "key" },
  });
  expect(plan({ source: "server" })).toMatchObject({ kind: "incomplete", problem: { field: "address" } });
  expect(planOf({ source: "gone" }, undefined, "", offers)).toMatchObject({ problem: { field: "source" } });
});

test("a stored key need not be typed again", () => {
  const kept = { ...offers, providers: [{ ...anthropic, source: "config" as const }] };
  const vendor = vendorOf({}, kept.knownProviders);
  expect(findProviderWithKey(vendor!, kept.providers)?.name).toBe("anthropic");
  expect(findProviderWithKey(vendor!, offers.providers)).toBeUndefined();
  expect(planOf({ source: "key" }, sourceOf({ source: "key" }, kept, false), "", kept)).toEqual({
    kind: "existing",
    name: "anthropic",
  });
});

test("a server is named after its host, with its optional key", () => {
  const nameOf = (address: string): unknown => plan({ source: "server", address });
  expect(nameOf("api.example.com/v1/")).toEqual({
    kind: "create",
    provider: { name: "example-com", kind: "openai", baseUrl: "https://api.example.com/v1" },
  });
  expect(nameOf("http://127.0.0.1:8080/v1")).toMatchObject({ provider: { name: "local-8080" } });
  expect(plan({ source: "server", address: "localhost:8080" }, "k")).toMatchObject({
    provider: { name: "localhost-8080", baseUrl: "http://localhost:8080", key: "k" },
  });
});

test("an address may omit its scheme; invalid ones and passwords are rejected", () => {
  expect(toAddress(" 10.0.0.2:1234/v1/ ")).toBe("http://10.0.0.2:1234/v1");
  expect(toAddress("[::1]:1234/v1")).toBe("http://[::1]:1234/v1");
  for (const typed of ["", "   ", "ftp://example.com", "https://me:secret@example.com", "https://", "not an address"])
    expect(toAddress(typed)).toBeUndefined();
});
