import { FoundServerList, KnownProviderList, MediaList, ModelList } from "@hearth/protocol/api";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expect, test } from "bun:test";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { NewProvider } from "../../models/catalog/catalog.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const added: NewProvider[] = [];
  const { add } = house.options.models.providers;
  // The port only passes its input on; the catalog handles it.
  house.options.models.providers.add = (provider) => {
    added.push(provider);
    return add(provider);
  };
  const ask = async (method: string, path: string, body?: unknown, key = RUN_TOKEN) => {
    const headers = { authorization: `Bearer ${key}` };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await house.call(path, init);
    const text = await response.text();
    return { status: response.status, text, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { house, ask, added };
};

test("choices are listed: vendors, local servers, models of a provider", async () => {
  const { ask } = await setUp();
  expect(KnownProviderList.parse((await ask("GET", "/api/providers/known")).body)).toMatchObject([{ name: "vendor" }]);
  expect(FoundServerList.parse((await ask("GET", "/api/providers/found")).body)).toMatchObject([{ name: "ollama" }]);
  expect(ModelList.parse((await ask("GET", "/api/providers/offline/models")).body)).toEqual(["offline-small"]);
  const none = await ask("GET", "/api/providers/nowhere/models");
  expect([none.status, none.body.error.code]).toEqual([400, "provider.unknown"]);
});

test("a provider may have the name of a neighbouring path", async () => {
  const { ask } = await setUp();
  for (const name of ["found", "known"]) {
    expect((await ask("POST", "/api/providers", { name, kind: "openai" })).status).toBe(201);
    expect((await ask("GET", `/api/providers/${name}/models`)).body).toEqual([`${name}-small`]);
    expect((await ask("POST", `/api/providers/${name}/test`, { model: "m" })).status).toBe(200);
    expect((await ask("POST", `/api/providers/${name}/test`, {})).status).toBe(200);
    expect((await ask("DELETE", `/api/providers/${name}`)).status).toBe(204);
  }
});

test("a change of a provider needs the run token or a fresh login; a key of the owner is not enough", async () => {
  const { house, ask, added } = await setUp();
  const wanted = { name: "mine", kind: "openai", key: "sk-typed-4711" };
  const changes = [
    ["POST", "/api/providers", wanted],
    ["PUT", "/api/providers/offline/key", { key: "sk-typed-4711" }],
    ["DELETE", "/api/providers/offline", undefined],
  ] as const;
  for (const [method, path, body] of changes) {
    const refused = await ask(method, path, body, house.key);
    expect([path, refused.status, refused.body.error.code, added]).toEqual([path, 403, "auth.denied", []]);
  }
  const call = async (headers: Record<string, string>) =>
    (await house.call("/api/providers", { method: "POST", headers, body: JSON.stringify(wanted) })).status;
  expect([await call(await house.logIn(undefined, { isOld: true })), await call(await house.logIn())]).toEqual([
    403, 201,
  ]);
});

test("a typed key is passed on, and is in no answer and no log line", async () => {
  const { house, ask, added } = await setUp();
  const key = "sk-typed-4711";
  const made = await ask("POST", "/api/providers", { name: "mine", kind: "openai", key });
  expect(made.status).toBe(201);
  expect(added).toEqual([{ name: "mine", kind: "openai", key }]);
  const refusals = await Promise.all(
    [
      { name: "mine", kind: "openai", key: `${key} and more` },
      { name: "mine", kind: "openai", key: `${key}\n` },
      { name: "mine", kind: "openai", key: key.repeat(50) },
      { name: "mine", kind: "openai", key, apiKey: "env:KEY" },
      { name: "No name", kind: "openai", key },
    ].map((body) => ask("POST", "/api/providers", body)),
  );
  expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual(
    refusals.map(() => [400, "request.invalid"]),
  );
  expect(refusals[3]?.body.error.message).toContain("both apiKey and key");
  expect(added).toHaveLength(1);
  for (const { text } of [made, ...refusals, await ask("GET", "/api/providers")]) expect(text).not.toContain("4711");
  expect(house.lines.join("\n")).not.toContain("4711");
});

test("a provider is tested without being added, and its key is in no answer and no log line", async () => {
  const { house, ask, added } = await setUp();
  const wanted = { name: "mine", kind: "openai", key: "sk-typed-4711" };
  const tested = await ask("POST", "/api/provider-tests", { ...wanted, model: "small" });
  expect([tested.status, tested.body]).toEqual([200, { ok: true, detail: "mine/small answers", durationMs: 1 }]);
  expect((await ask("POST", "/api/provider-tests", wanted)).status).toBe(200);
  expect((await ask("POST", "/api/provider-tests", { ...wanted, apiKey: "env:KEY" })).status).toBe(400);
  expect((await ask("POST", "/api/provider-tests", wanted, house.botKey)).status).toBe(403);
  expect(added).toEqual([]);
  expect((await ask("GET", "/api/providers")).body).toHaveLength(1);
  expect(tested.text + house.lines.join("\n")).not.toContain("4711");
});

test("only people manage providers", async () => {
  const { house, ask } = await setUp();
  for (const path of ["/api/providers/known", "/api/providers/found", "/api/providers/offline/models"])
    expect((await ask("GET", path, undefined, house.botKey)).status).toBe(403);
});

test("a call to a provider ends when the house closes", async () => {
  const { house, ask } = await setUp();
  const begun = Promise.withResolvers<void>();
  house.options.models.providers.findLocalServers = (signal) => {
    begun.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve([])));
  };
  const asking = ask("GET", "/api/providers/found");
  await begun.promise;
  house.http.close();
  expect((await asking).body).toEqual([]);
});

test("a finished call is no longer tracked", async () => {
  const { house, ask } = await setUp();
  const signals: AbortSignal[] = [];
  house.options.models.providers.models = async (_name, signal) => {
    signals.push(signal);
    return [];
  };
  await ask("GET", "/api/providers/offline/models");
  expect(signals.map((signal) => signal.aborted)).toEqual([true]);
});

test("a provider of speech or pictures is set with a proof, tested, and removed", async () => {
  const { house, ask } = await setUp();
  const key = "sk-typed-4711";
  const wanted = { kind: "openai", key, voice: "coral", price: 1.5 };
  const refused = await ask("PUT", "/api/media/speak", wanted, house.key);
  expect([refused.status, refused.body.error.code]).toEqual([403, "auth.denied"]);
  const set = await ask("PUT", "/api/media/speak", wanted, RUN_TOKEN);
  expect([set.status, set.body.settings]).toEqual([
    200,
    { kind: "openai", voice: "coral", price: 1.5, apiKey: "file:keys/media.speak" },
  ]);
  const listed = MediaList.parse((await ask("GET", "/api/media")).body);
  expect(listed.map(({ part, state }) => [part, state])).toEqual([
    ["transcribe", "off"],
    ["speak", "ready"],
    ["pictures", "off"],
    ["describe", "off"],
  ]);
  expect((await ask("POST", "/api/media/speak/test")).body).toEqual({ ok: true, detail: "it answers", durationMs: 1 });
  expect((await ask("DELETE", "/api/media/speak")).status).toBe(204);
  expect((await ask("POST", "/api/media/speak/test")).body.ok).toBe(false);
  expect(set.text + refused.text + house.lines.join("\n")).not.toContain("4711");
});

test("settings of speech and pictures that do not match are refused, and agents reach none of it", async () => {
  const { house, ask } = await setUp();
  for (const body of [
    { kind: "openai", key: "k", apiKey: "env:K" },
    { kind: "x", price: -1 },
    { kind: "x", more: 1 },
    {},
  ])
    expect((await ask("PUT", "/api/media/speak", body, RUN_TOKEN)).status).toBe(400);
  expect((await ask("PUT", "/api/media/films", { kind: "x" }, RUN_TOKEN)).status).toBe(400);
  for (const [method, path, body] of [
    ["GET", "/api/media", undefined],
    ["PUT", "/api/media/speak", { kind: "fake" }],
    ["DELETE", "/api/media/speak", undefined],
    ["POST", "/api/media/speak/test", undefined],
  ] as const)
    expect((await ask(method, path, body, house.botKey)).status).toBe(403);
});

test("the test of a provider ends with its request, and is charged to the house", async () => {
  const { house, ask } = await setUp();
  const charged: string[] = [];
  house.options.models.media.test = async (_part, { admit, isUnpaid }, signal) => {
    charged.push(
      (await admit({ costAtMost: 5, model: "test/model", kind: "picture" })).kind,
      String(isUnpaid("provider.auth")),
      String(signal.aborted),
    );
    return { ok: true, detail: "fine", durationMs: 1 };
  };
  await ask("POST", "/api/media/pictures/test");
  expect(charged).toEqual(["allowed", "true", "false"]);
});
