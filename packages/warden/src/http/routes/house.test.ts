import { expect, test } from "bun:test";
import {
  ActivationDetail,
  ActivationList,
  CheckList,
  CreatedKey,
  KeyInfo,
  KeyList,
  LoginLink,
  ProviderInfo,
  ProviderTest,
  Status,
} from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { HttpOptions } from "../http.ts";
import { createFakeHouse } from "../fake-house.ts";

const { hash } = createBunWorld();
const setUp = async (over: Partial<HttpOptions> = {}) => {
  const house = await createFakeHouse(createFakeWorld({ hash }), over);
  const ask = async (method: string, path: string, body?: unknown, key = house.key) => {
    const headers = { authorization: key === "" ? "" : `Bearer ${key}` };
    const response = await house.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const woken = async () => house.wake(await house.options.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  return { house, ask, woken };
};

test("health and readiness are open and say nothing but their status", async () => {
  let ready = false;
  const { ask } = await setUp({ ready: async () => ready });
  expect(await ask("GET", "/healthz", undefined, "")).toEqual({ status: 200, body: { status: "ok" } });
  expect(await ask("GET", "/readyz", undefined, "")).toEqual({ status: 503, body: { status: "not ready" } });
  ready = true;
  expect(await ask("GET", "/readyz", undefined, "")).toEqual({ status: 200, body: { status: "ready" } });
});

test("a key is shown once, works at once, is listed without its text, and revoked for good", async () => {
  const { house, ask } = await setUp();
  const created = CreatedKey.strict().parse((await ask("POST", "/api/keys", { name: "phone" })).body);
  expect(created.agent).toBe(house.owner.id);
  expect((await ask("GET", "/api/status", undefined, created.key)).status).toBe(200);
  const list = await ask("GET", "/api/keys");
  expect(KeyList.parse(list.body).map(({ name }) => name)).toEqual(["owner's", "bot's", "phone"]);
  expect(JSON.stringify(list.body)).not.toContain(created.key);
  const revoked = await ask("DELETE", `/api/keys/${created.id}`);
  expect(KeyInfo.strict().parse(revoked.body).revokedAt).toBe(house.options.world.clock.now());
  expect((await ask("GET", "/api/status", undefined, created.key)).status).toBe(401);
});

test("a key may stand for another agent that is there", async () => {
  const { house, ask } = await setUp();
  expect((await ask("POST", "/api/keys", { name: "k", agent: house.bot.id })).body.agent).toBe(house.bot.id);
  const nobody = await ask("POST", "/api/keys", { name: "k", agent: `agent_${"0".repeat(26)}` });
  expect([nobody.status, nobody.body.error.code]).toEqual([404, "record.not-found"]);
  expect((await ask("DELETE", `/api/keys/key_${"0".repeat(26)}`)).status).toBe(404);
});

test("providers are listed, added, tried and removed", async () => {
  const { ask } = await setUp();
  const added = await ask("POST", "/api/providers", {
    name: "mine",
    kind: "openai",
    baseUrl: "http://127.0.0.1:1/v1",
    apiKey: "env:KEY",
  });
  expect([added.status, ProviderInfo.parse(added.body).name]).toEqual([201, "mine"]);
  expect((await ask("GET", "/api/providers")).body.map(({ name }: ProviderInfo) => name)).toEqual(["offline", "mine"]);
  expect(ProviderTest.parse((await ask("POST", "/api/providers/mine/test", { model: "small" })).body).ok).toBe(true);
  expect(await ask("DELETE", "/api/providers/mine")).toEqual({ status: 204, body: undefined });
  expect((await ask("DELETE", "/api/providers/mine")).body.error.code).toBe("provider.unknown");
});

test("status and doctor answer what they were given", async () => {
  const { house, ask } = await setUp();
  expect(Status.strict().parse((await ask("GET", "/api/status")).body)).toEqual(await house.options.status());
  expect(CheckList.parse((await ask("GET", "/api/doctor")).body)).toEqual([
    { name: "store", ok: true, detail: "fine" },
  ]);
});

test("a stop is asked for once and answered before it happens", async () => {
  const { house, ask } = await setUp();
  expect(await ask("POST", "/api/stop", {})).toEqual({ status: 202, body: { stopping: true } });
  expect(house.stops()).toBe(1);
});

test("a login link is for whoever asks", async () => {
  const { house, ask } = await setUp();
  const { url } = LoginLink.parse((await ask("POST", "/api/login-links")).body);
  const session = await house.options.logins.redeem(new URL(url).searchParams.get("code") ?? "");
  expect(await house.options.logins.authenticate(session?.cookie ?? "")).toEqual({
    agent: house.owner.id,
    via: "login",
  });
});

test("activations are listed by agent, and one shows its calls but not what they said", async () => {
  const { house, ask, woken } = await setUp();
  const { id } = await woken();
  await woken();
  await house.finish(id, { state: "replied" });
  expect(ActivationList.parse((await ask("GET", "/api/agents/main/activations")).body)).toHaveLength(2);
  expect(
    (await ask("GET", "/api/agents/main/activations?state=replied")).body.map((one: { id: string }) => one.id),
  ).toEqual([id]);
  const shown = await ask("GET", `/api/activations/${id}`);
  expect(ActivationDetail.strict().parse(shown.body).steps).toHaveLength(1);
  expect(JSON.stringify(shown.body)).not.toContain("not for the port");
});

test("stopping an activation ends it; one that is over stays as it is", async () => {
  const { house, ask, woken } = await setUp();
  const running = await woken();
  const over = await woken();
  await house.finish(over.id, { state: "replied" });
  expect((await ask("POST", `/api/activations/${running.id}/stop`)).body.state).toBe("stopped");
  expect((await ask("POST", `/api/activations/${over.id}/stop`)).body.state).toBe("replied");
  expect((await ask("POST", `/api/activations/act_${"0".repeat(26)}/stop`)).status).toBe(404);
});

test("a bot stops and sees its own activations and no other's", async () => {
  const { house, ask, woken } = await setUp();
  const { id } = await woken();
  const other = await house.options.records.mutate(
    { kind: "create", type: "agent", content: { name: "Other", kind: "bot" } },
    house.owner.id,
  );
  const { key } = await house.options.keys.create("other's", other.id as typeof house.bot.id, house.owner.id);
  expect((await ask("GET", "/api/agents/main/activations", undefined, house.botKey)).status).toBe(200);
  expect((await ask("GET", `/api/activations/${id}`, undefined, house.botKey)).status).toBe(200);
  expect((await ask("GET", "/api/agents/main/activations", undefined, key)).status).toBe(403);
  expect((await ask("GET", `/api/activations/${id}`, undefined, key)).status).toBe(403);
  expect((await ask("POST", `/api/activations/${id}/stop`, undefined, key)).status).toBe(403);
  expect((await ask("POST", `/api/activations/${id}/stop`, undefined, house.botKey)).body.state).toBe("stopped");
});

test("/ws without an upgrade says what it is", async () => {
  const { ask } = await setUp();
  const { status, body } = await ask("GET", "/ws");
  expect([status, body.error.hint]).toEqual([400, expect.stringContaining("WebSocket")]);
});
