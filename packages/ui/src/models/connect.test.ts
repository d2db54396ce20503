import { expect, test } from "bun:test";
import { type CreateProvider, HearthError, type ProviderInfo } from "@hearth/protocol";
import { ensureProvider, createProviderSetup, type ProviderCalls } from "./connect.ts";

const local = "http://127.0.0.1:8080/v1";

const toInfo = ({ name, kind, baseUrl }: CreateProvider, more: Partial<ProviderInfo> = {}): ProviderInfo => ({
  name,
  kind,
  source: "config",
  ready: true,
  detail: "key",
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...more,
});

/** A fake provider API: configured names are taken, discovered ones are not. */
const createFakeProviders = (begin: readonly ProviderInfo[], refuse: (call: string) => boolean = () => false) => {
  const there = new Map(begin.map((info) => [info.name, info]));
  const keys = new Map<string, string>();
  const done: string[] = [];
  /** Fails when two mutating calls overlap. */
  let changing = 0;
  const change = async (call: string, make: () => void): Promise<void> => {
    changing += 1;
    expect(changing).toBe(1);
    await Promise.resolve();
    changing -= 1;
    if (refuse(call)) throw new HearthError("config.invalid", `refused: ${call}`);
    done.push(call);
    make();
  };
  const calls: ProviderCalls = {
    list: async () => [...there.values()],
    async create(provider) {
      const old = there.get(provider.name);
      if (old !== undefined && old.source !== "environment") throw new HearthError("record.handle-taken", "taken");
      await change(`create ${provider.name}`, () => {
        there.set(provider.name, toInfo(provider));
        if (provider.key !== undefined) keys.set(provider.name, provider.key);
      });
      return toInfo(provider);
    },
    remove: (name) =>
      change(`remove ${name}`, () => {
        there.delete(name);
        keys.delete(name);
      }),
  };
  return { calls, there, keys, done };
};

const anthropic: CreateProvider = { name: "anthropic", kind: "anthropic", key: "new" };

test("a missing provider is created", async () => {
  const { calls, keys } = createFakeProviders([]);
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic");
  expect([...keys]).toEqual([["anthropic", "new"]]);
});

test("a typed key takes precedence over one in the environment, under the same name", async () => {
  const { calls, done } = createFakeProviders([toInfo(anthropic, { source: "environment" })]);
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic");
  expect(done).toEqual(["create anthropic"]);
});

test("the same server without a new key is used as it is, under any name", async () => {
  const den = { name: "den", kind: "openai", baseUrl: local };
  const { calls, done } = createFakeProviders([toInfo(den)]);
  expect((await ensureProvider(calls, { ...den, name: "local-8080" })).name).toBe("den");
  expect(done).toEqual([]);
});

test("a new key replaces the old one without a gap", async () => {
  const { calls, keys, done } = createFakeProviders([toInfo(anthropic)]);
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic");
  expect([...keys]).toEqual([["anthropic", "new"]]);
  expect(done).toEqual(["create anthropic-2", "remove anthropic", "create anthropic", "remove anthropic-2"]);
});

test("a new key that cannot be set up leaves the old one", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call.startsWith("create"));
  await expect(ensureProvider(calls, anthropic)).rejects.toThrow("refused: create anthropic-2");
  expect([...there.keys()]).toEqual(["anthropic"]);
});

test("an old key that cannot be removed stays the only one", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call === "remove anthropic");
  await expect(ensureProvider(calls, anthropic)).rejects.toThrow("refused: remove anthropic");
  expect([...there.keys()]).toEqual(["anthropic"]);
});

test("a new key that cannot take the old name keeps its own", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call === "create anthropic");
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic-2");
  expect([...there.keys()]).toEqual(["anthropic-2"]);
});

test("leftovers after a change are not an error", async () => {
  const { calls, keys } = createFakeProviders([toInfo(anthropic)], (call) => call === "remove anthropic-2");
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic");
  expect(keys.get("anthropic")).toBe("new");
});

test("the name of another server is not reused", async () => {
  const { calls } = createFakeProviders([toInfo({ ...anthropic, baseUrl: "https://proxy.example.com" })]);
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic-2");
});

test("a provider without an address is reused only under its own name", async () => {
  const { calls, done } = createFakeProviders([toInfo({ name: "work", kind: "anthropic" })]);
  expect((await ensureProvider(calls, anthropic)).name).toBe("anthropic");
  expect(done).toEqual(["create anthropic"]);
});

test("a provider that is not ready is set up again under its name, also without a new key", async () => {
  const den = { name: "den", kind: "openai", baseUrl: local };
  const { calls, done } = createFakeProviders([toInfo(den, { ready: false })]);
  expect((await ensureProvider(calls, { ...den, name: "other" })).name).toBe("den");
  expect(done).toEqual(["create den-2", "remove den", "create den", "remove den-2"]);
});

test("a provider of another kind at the same address is not reused", async () => {
  const { calls } = createFakeProviders([toInfo({ name: "den", kind: "openai", baseUrl: local })]);
  expect((await ensureProvider(calls, { name: "den", kind: "ollama", baseUrl: local })).name).toBe("den-2");
});

test("identical requests run once, different ones after each other", async () => {
  const { calls, keys, done } = createFakeProviders([]);
  const wish = createProviderSetup(calls);
  const [first, second, other] = [wish(anthropic), wish({ ...anthropic }), wish({ ...anthropic, key: "newer" })];
  expect(second).toBe(first);
  expect((await other).name).toBe("anthropic");
  expect(keys.get("anthropic")).toBe("newer");
  expect(done[0]).toBe("create anthropic");
});

test("a failed request can be repeated", async () => {
  let fails = true;
  const { calls } = createFakeProviders([], () => fails);
  const wish = createProviderSetup(calls);
  await expect(wish(anthropic)).rejects.toThrow("refused");
  fails = false;
  expect((await wish(anthropic)).name).toBe("anthropic");
});
