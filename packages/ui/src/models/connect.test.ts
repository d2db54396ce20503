import { expect, test } from "bun:test";
import { type CreateProvider, HearthError, type ProviderInfo } from "@hearth/protocol";
import { connect, createSetup, type ProviderCalls } from "./connect.ts";

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

/** Providers as the house keeps them: a name in the config is taken, one from the environment is not. */
const createFakeProviders = (begin: readonly ProviderInfo[], refuse: (call: string) => boolean = () => false) => {
  const there = new Map(begin.map((info) => [info.name, info]));
  const keys = new Map<string, string>();
  const done: string[] = [];
  /** Fails when two calls run at once that change something. */
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

test("a provider that is not there is made", async () => {
  const { calls, keys } = createFakeProviders([]);
  expect((await connect(calls, anthropic)).name).toBe("anthropic");
  expect([...keys]).toEqual([["anthropic", "new"]]);
});

test("a typed key goes before one in the environment, under the same name", async () => {
  const { calls, done } = createFakeProviders([toInfo(anthropic, { source: "environment" })]);
  expect((await connect(calls, anthropic)).name).toBe("anthropic");
  expect(done).toEqual(["create anthropic"]);
});

test("the same server without a new key is used as it is, whatever it is called", async () => {
  const den = { name: "den", kind: "openai", baseUrl: local };
  const { calls, done } = createFakeProviders([toInfo(den)]);
  expect((await connect(calls, { ...den, name: "local-8080" })).name).toBe("den");
  expect(done).toEqual([]);
});

test("a new key takes the place of the old one, and at no time there is none", async () => {
  const { calls, keys, done } = createFakeProviders([toInfo(anthropic)]);
  expect((await connect(calls, anthropic)).name).toBe("anthropic");
  expect([...keys]).toEqual([["anthropic", "new"]]);
  expect(done).toEqual(["create anthropic-2", "remove anthropic", "create anthropic", "remove anthropic-2"]);
});

test("a new key that cannot be set up leaves the old one", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call.startsWith("create"));
  await expect(connect(calls, anthropic)).rejects.toThrow("refused: create anthropic-2");
  expect([...there.keys()]).toEqual(["anthropic"]);
});

test("an old key that cannot be removed stays alone", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call === "remove anthropic");
  await expect(connect(calls, anthropic)).rejects.toThrow("refused: remove anthropic");
  expect([...there.keys()]).toEqual(["anthropic"]);
});

test("a new key that cannot take the old name serves under its own", async () => {
  const { calls, there } = createFakeProviders([toInfo(anthropic)], (call) => call === "create anthropic");
  expect((await connect(calls, anthropic)).name).toBe("anthropic-2");
  expect([...there.keys()]).toEqual(["anthropic-2"]);
});

test("what is left over after a change is no failure of it", async () => {
  const { calls, keys } = createFakeProviders([toInfo(anthropic)], (call) => call === "remove anthropic-2");
  expect((await connect(calls, anthropic)).name).toBe("anthropic");
  expect(keys.get("anthropic")).toBe("new");
});

test("another server's name is left alone", async () => {
  const { calls } = createFakeProviders([toInfo({ ...anthropic, baseUrl: "https://proxy.example.com" })]);
  expect((await connect(calls, anthropic)).name).toBe("anthropic-2");
});

test("the same wish twice is met once, and two wishes after each other", async () => {
  const { calls, keys, done } = createFakeProviders([]);
  const wish = createSetup(calls);
  const [first, second, other] = [wish(anthropic), wish({ ...anthropic }), wish({ ...anthropic, key: "newer" })];
  expect(second).toBe(first);
  expect((await other).name).toBe("anthropic");
  expect(keys.get("anthropic")).toBe("newer");
  expect(done[0]).toBe("create anthropic");
});

test("a wish that failed is tried again", async () => {
  let fails = true;
  const { calls } = createFakeProviders([], () => fails);
  const wish = createSetup(calls);
  await expect(wish(anthropic)).rejects.toThrow("refused");
  fails = false;
  expect((await wish(anthropic)).name).toBe("anthropic");
});
