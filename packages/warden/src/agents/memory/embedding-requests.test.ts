/**
 * Embedding requests use the daemon's network: none is sent under a stop, and the key is read for
 * each.
 */
import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { MemoryConfig } from "../../kernel/config/text/memory-text.ts";
import type { SecretReference } from "../../kernel/config/reference.ts";
import { createEmbeddingRequests } from "./embedding-requests.ts";

const PEER = {
  ...({ kind: "openai-compatible", baseUrl: "https://api.openai.com/v1" } as const),
  ...{ model: "text-embedding-3-small", dimensions: 8 },
};

const open = (apiKey?: SecretReference, embedder: MemoryConfig["embedder"] = PEER) => {
  const asked: string[] = [];
  const paid: string[] = [];
  const state = { isHeld: false, isSpent: false, key: "one" as string | undefined };
  const world = createFakeWorld({
    hash: () => "",
    fetch: async (input) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return new Response("{}");
    },
  });
  const requests = createEmbeddingRequests({
    world,
    memoryConfig: () => ({ embedder, ...(apiKey === undefined ? {} : { apiKey }) }),
    async admitHome({ leaf, inputTokens }) {
      paid.push(`${leaf.name} ${leaf.vendor} ${leaf.location} ${inputTokens}`);
      return state.isSpent
        ? { kind: "stop", text: "The budget is used up.", hint: "Raise it." }
        : { kind: "allowed", settle: (tokens) => paid.push(`settled ${tokens}`) };
    },
    references: { environment: () => state.key, readFile: async () => undefined },
    redact: (text) => text.replaceAll("secret", "…"),
    isHeld: () => state.isHeld,
  });
  return { requests, state, asked, paid };
};

const refusalOf = async (asking: Promise<unknown>): Promise<{ message: string; hint?: string }> => {
  const error: unknown = await asking.catch((thrown: unknown) => thrown);
  if (!isHearthError(error, "memory.no-embedder")) throw new Error("it was not refused");
  return error as { message: string; hint?: string };
};

test("a request is sent, except while everything is stopped", async () => {
  const { requests, state, asked } = open();
  await requests.fetch("http://den/");
  state.isHeld = true;
  expect((await refusalOf(requests.fetch("http://den/"))).message).toContain("All agents are stopped");
  expect(asked).toEqual(["http://den/"]);
});

test("the key is read at each request; no key is read if the config names none", async () => {
  const { requests, state } = open({ kind: "env", name: "KEY" });
  expect(await requests.readKey()).toBe("one");
  state.key = "two";
  expect(await requests.readKey()).toBe("two");
  expect(await open().requests.readKey()).toBeUndefined();
});

test("an error about a missing or invalid key names its reference and never its value", async () => {
  const { requests, state } = open({ kind: "env", name: "KEY" });
  state.key = undefined;
  expect(await refusalOf(requests.readKey())).toMatchObject({
    message: "The embedder's key cannot be read: env:KEY is not set.",
    hint: expect.stringContaining("Set KEY"),
  });
  state.key = "two words\nof a file";
  const { message } = await refusalOf(requests.readKey());
  expect([message.includes("does not hold a key"), message.includes("words")]).toEqual([true, false]);
});

test("the house's budget pays each request by its model; one over budget is not sent, with the reason", async () => {
  const { requests, state, paid } = open();
  (await requests.reserve(100)).settle(7);
  expect(paid).toEqual(["openai-compatible/text-embedding-3-small openai elsewhere 100", "settled 7"]);
  state.isSpent = true;
  expect(await refusalOf(requests.reserve(100))).toMatchObject({
    message: "The budget is used up.",
    hint: "Raise it.",
  });
  const here = open(undefined, { ...PEER, kind: "ollama", baseUrl: "http://127.0.0.1:11434", model: "m" });
  await here.requests.reserve(1);
  expect(here.paid).toEqual(["ollama/m undefined local 1"]);
  const own = open(undefined, "local");
  (await own.requests.reserve(1)).settle(1);
  expect(own.paid).toEqual([]);
});
