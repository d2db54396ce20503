import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const CONTROL = "/v1/stream/__ds";

const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await house.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text), headers: response.headers };
  };
  return { house, ask, bot: { authorization: `Bearer ${house.botKey}` } };
};

const pullWake = { type: "pull-wake", pattern: "events/*", wake_stream: "wake/pool", lease_ttl_ms: 1000 };
const webhook = { type: "webhook", pattern: "events/*", webhook: { url: "https://far.example/hook" } };

test("webhooks are for administrators: other callers cannot create, see or delete one", async () => {
  const { ask, bot } = await setUp();
  expect((await ask("PUT", `${CONTROL}/subscriptions/s`, webhook, bot)).status).toBe(403);
  const made = await ask("PUT", `${CONTROL}/subscriptions/s`, webhook);
  expect([made.status, made.json.webhook]).toEqual([
    201,
    {
      url: "https://far.example/hook",
      signing: { alg: "ed25519", kid: expect.stringMatching(/^ds_/), jwks_url: expect.stringMatching(/jwks\.json$/) },
    },
  ]);
  for (const method of ["GET", "DELETE"])
    expect((await ask(method, `${CONTROL}/subscriptions/s`, undefined, bot)).status).toBe(403);
  expect((await ask("POST", `${CONTROL}/subscriptions/s/streams`, { streams: ["x"] }, bot)).status).toBe(403);
  expect((await ask("PUT", `${CONTROL}/subscriptions/p`, pullWake, bot)).status).toBe(201);
  expect((await ask("GET", `${CONTROL}/subscriptions/p`, undefined, bot)).json).toMatchObject({ type: "pull-wake" });
});

test.each([
  ["http://127.0.0.1:1/hook"],
  ["https://169.254.169.254/latest"],
  ["https://10.0.0.1/"],
  ["http://far.example/hook"],
])("a webhook does not lead to %s", async (url) => {
  const { ask } = await setUp();
  const { status, json } = await ask("PUT", `${CONTROL}/subscriptions/s`, { ...webhook, webhook: { url } });
  expect([status, json.error.code]).toEqual([400, "WEBHOOK_URL_REJECTED"]);
});

test.each([
  ["no streams at all", { ...pullWake, pattern: undefined }],
  ["its own wake stream", { ...pullWake, pattern: "wake/*" }],
  ["its own wake stream by name", { ...pullWake, streams: ["wake/pool"] }],
  ["a lease that is too short", { ...pullWake, lease_ttl_ms: 999 }],
  ["no wake stream", { ...pullWake, wake_stream: undefined }],
  ["no webhook", { ...webhook, webhook: undefined }],
  ["a type that there is not", { ...webhook, type: "mail" }],
])("one with %s is refused", async (_what, body) => {
  const { ask } = await setUp();
  const { status, json } = await ask("PUT", `${CONTROL}/subscriptions/s`, body);
  expect([status, json.error.code]).toEqual([400, "INVALID_REQUEST"]);
});

test("a wake is reported with its token only, and without a key", async () => {
  const { house, ask } = await setUp();
  const stop = new AbortController();
  await ask("PUT", "/v1/stream/wake/pool", []);
  await ask("PUT", `${CONTROL}/subscriptions/s`, pullWake);
  await ask("PUT", "/v1/stream/events/a", { n: 1 });
  const running = (await house.options.daemon.durable()).subscriptions.run(stop.signal);
  const claimed = (await ask("POST", `${CONTROL}/subscriptions/s/claim`, { worker: "w" })).json;
  const report = { wake_id: claimed.wake_id, generation: claimed.generation, acks: [], done: true };
  const path = `${CONTROL}/subscriptions/s/ack`;
  const bad = [{ authorization: "Bearer nothing" }, { authorization: `Bearer ${house.key}` }];
  for (const headers of bad) {
    const { status, json } = await ask("POST", path, report, headers);
    expect([status, json.error.code]).toEqual([401, "INVALID_TOKEN"]);
  }
  const token = { authorization: `Bearer ${claimed.token}` };
  expect((await ask("GET", "/v1/stream/events/a", undefined, token)).status).toBe(401);
  expect((await ask("POST", `${CONTROL}/subscriptions/other/ack`, report, token)).status).toBe(401);
  const wrong = { ...report, acks: [{ stream: "events/a", offset: "7" }] };
  expect((await ask("POST", path, wrong, token)).json.error.code).toBe("INVALID_OFFSET");
  const acks = claimed.streams.map((stream: { path: string; tail_offset: string }) => ({
    stream: stream.path,
    offset: stream.tail_offset,
  }));
  expect((await ask("POST", path, { ...report, acks }, token)).json).toEqual({ ok: true, next_wake: false });
  expect((await ask("POST", path, { ...report, acks }, token)).json.error.code).toBe("FENCED");
  expect((await ask("POST", `${CONTROL}/subscriptions/s/claim`, { worker: "w" })).json.error.code).toBe(
    "NOTHING_PENDING",
  );
  stop.abort();
  await running;
});

test("the public keys of signatures are readable without a key", async () => {
  const { house, ask } = await setUp();
  await ask("PUT", `${CONTROL}/subscriptions/s`, webhook);
  const response = await house.call(`${CONTROL}/jwks.json`, { headers: { authorization: "" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/jwk-set+json"]);
  const { keys } = await response.json();
  expect(keys).toMatchObject([{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", kid: expect.stringMatching(/^ds_/) }]);
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test("subscriptions are not visible to other houses", async () => {
  const { house, ask } = await setUp();
  const annex = await house.options.people.records.mutate(
    { kind: "create", type: "house", content: { name: "Annex" } },
    house.owner.id,
  );
  await ask("PUT", `${CONTROL}/subscriptions/s`, pullWake);
  const there = `/v1/stream/houses/${annex.id}/__ds/subscriptions/s`;
  expect((await ask("GET", there)).status).toBe(404);
  expect((await ask("PUT", there, { ...pullWake, pattern: "**", wake_stream: "w", streams: [] })).status).toBe(400);
  expect((await ask("PUT", there, pullWake)).status).toBe(201);
  expect((await ask("DELETE", there)).status).toBe(204);
  expect((await ask("GET", `${CONTROL}/subscriptions/s`)).status).toBe(200);
});
