import { expect, test } from "bun:test";
import { CreatedKey, KeyInfo, KeyList, LoginLink } from "@hearth/protocol";
import {
  ActivationDetail,
  ActivationList,
  CheckList,
  LogReport,
  Me,
  ProviderInfo,
  ProviderTest,
  Status,
} from "@hearth/protocol/api";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { redeem } from "../../fixtures/redeem.ts";
import { createFakeHouse, type HouseParts, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const setUp = async (over: HouseParts = {}) => {
  const house = await createFakeHouse(createFakeWorld({ hash }), over);
  const ask = async (method: string, path: string, body?: unknown, key = RUN_TOKEN) => {
    const headers = { authorization: key === "" ? "" : `Bearer ${key}` };
    const response = await house.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const woken = async () =>
    house.wake(await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  return { house, ask, woken };
};

test("health and readiness are open and show only their status", async () => {
  let ready = false;
  const { ask } = await setUp({ daemon: { ready: async () => ready } });
  expect(await ask("GET", "/healthz", undefined, "")).toEqual({ status: 200, body: { status: "ok" } });
  expect(await ask("GET", "/readyz", undefined, "")).toEqual({ status: 503, body: { status: "not ready" } });
  ready = true;
  expect(await ask("GET", "/readyz", undefined, "")).toEqual({ status: 200, body: { status: "ready" } });
});

test("a key is shown once, works at once, is listed without its text, and is revoked permanently", async () => {
  const { house, ask } = await setUp();
  const created = CreatedKey.strict().parse((await ask("POST", "/api/keys", { name: "phone" })).body);
  expect(created.agent).toBe(house.owner.id);
  expect((await ask("GET", "/api/status", undefined, created.key)).status).toBe(200);
  const list = await ask("GET", "/api/keys");
  expect(KeyList.parse(list.body).map(({ name }) => name)).toEqual(["owner's", "bot's", "phone"]);
  expect(JSON.stringify(list.body)).not.toContain(created.key);
  const revoked = await ask("DELETE", `/api/keys/${created.id}`);
  expect(KeyInfo.strict().parse(revoked.body).revokedAt).toBe(house.options.kernel.world.clock.now());
  expect((await ask("GET", "/api/status", undefined, created.key)).status).toBe(401);
});

test("a key may stand for another existing agent", async () => {
  const { house, ask } = await setUp();
  expect((await ask("POST", "/api/keys", { name: "k", agent: house.bot.id })).body.agent).toBe(house.bot.id);
  const nobody = await ask("POST", "/api/keys", { name: "k", agent: `agent_${"0".repeat(26)}` });
  expect([nobody.status, nobody.body.error.code]).toEqual([404, "record.not-found"]);
  expect((await ask("DELETE", `/api/keys/key_${"0".repeat(26)}`)).status).toBe(404);
});

test("providers are listed, added, tested and removed", async () => {
  const { ask } = await setUp();
  const added = await ask("POST", "/api/providers", {
    name: "mine",
    kind: "openai",
    baseUrl: "http://127.0.0.1:1/v1",
    key: "sk-typed-4711",
  });
  expect([added.status, ProviderInfo.parse(added.body).name]).toEqual([201, "mine"]);
  expect((await ask("GET", "/api/providers")).body.map(({ name }: ProviderInfo) => name)).toEqual(["offline", "mine"]);
  expect(ProviderTest.parse((await ask("POST", "/api/providers/mine/test", { model: "small" })).body).ok).toBe(true);
  expect(await ask("DELETE", "/api/providers/mine")).toEqual({ status: 204, body: undefined });
  expect((await ask("DELETE", "/api/providers/mine")).body.error.code).toBe("provider.unknown");
});

test("status and doctor show their inputs", async () => {
  const { house, ask } = await setUp();
  expect(Status.strict().parse((await ask("GET", "/api/status")).body)).toEqual(await house.options.reports.status());
  expect(CheckList.parse((await ask("GET", "/api/doctor")).body)).toEqual([
    { name: "store", ok: true, detail: "fine" },
  ]);
});

test("the log is read with the level and the limit of the request", async () => {
  const { house, ask } = await setUp();
  const queries: unknown[] = [];
  Object.assign(house.options.reports, {
    log: async (query: unknown) => {
      queries.push(query);
      return { lines: [{ at: 1, level: "warn", message: "late", fields: { by: "a" } }], isWritten: true };
    },
  });
  const { body } = await ask("GET", "/api/log?level=warn&limit=3");
  expect(LogReport.parse(body).lines).toEqual([{ at: 1, level: "warn", message: "late", fields: { by: "a" } }]);
  await ask("GET", "/api/log");
  expect(queries).toEqual([
    { level: "warn", limit: 3 },
    { level: "debug", limit: 200 },
  ]);
  for (const query of ["level=loud", "limit=0", "limit=1001"])
    expect((await ask("GET", `/api/log?${query}`)).status).toBe(400);
});

test("a stop is requested once and answered before it happens", async () => {
  const { house, ask } = await setUp();
  expect(await ask("POST", "/api/stop", {})).toEqual({ status: 202, body: { stopping: true } });
  expect(house.stops()).toBe(1);
});

test("a login link is for the caller only: a body that names a person is refused", async () => {
  const { ask } = await setUp();
  expect(await ask("POST", "/api/login-links", { agent: "main" })).toMatchObject({
    status: 400,
    body: { error: { code: "request.invalid", message: 'body: takes no "agent"' } },
  });
  expect((await ask("POST", "/api/login-links", {})).status).toBe(201);
});

test("a login link is for the caller", async () => {
  const { house, ask } = await setUp();
  const { url } = LoginLink.parse((await ask("POST", "/api/login-links", {})).body);
  const session = await redeem(house.options.people.logins, new URL(url).searchParams.get("code") ?? "");
  expect(await house.options.people.logins.authenticate(session?.cookie ?? "")).toMatchObject({
    agent: house.owner.id,
    via: "login",
  });
});

test("activations are listed by agent, and one shows its calls but not their outputs", async () => {
  const { house, ask, woken } = await setUp();
  const { id } = await woken();
  await woken();
  await house.finish(id, { state: "replied" });
  expect(ActivationList.parse((await ask("GET", "/api/agents/main/activations")).body)).toHaveLength(2);
  expect(
    (await ask("GET", "/api/agents/main/activations?state=replied")).body.map(
      (activation: { id: string }) => activation.id,
    ),
  ).toEqual([id]);
  const shown = await ask("GET", `/api/activations/${id}`);
  expect(ActivationDetail.strict().parse(shown.body).steps).toHaveLength(1);
  expect(JSON.stringify(shown.body)).not.toContain("not for the port");
});

test("an activation shows the beginning of its message, until the message is deleted", async () => {
  const { house, ask } = await setUp();
  const { rooms } = house.options.people;
  const message = await rooms.post(house.room.id, { text: `look\ninto ${"it ".repeat(200)}` }, house.owner.id);
  const { id } = await house.wake(message);
  const shown = async () => ActivationDetail.parse((await ask("GET", `/api/activations/${id}`)).body);
  const { message: told } = await shown();
  expect(told).toMatchObject({ author: house.owner.id, at: message.at });
  expect(told?.text).toStartWith("look into it it");
  expect(told?.text).toHaveLength(200);
  await rooms.remove(house.room.id, message.id, house.owner.id);
  expect((await shown()).message).toBeUndefined();
});

test("a stop and its end are reported in the house's log with their author", async () => {
  const { house, ask } = await setUp();
  const { id } = house.bot;
  for (const path of ["agents/main/stop", "stop-all", "agents/main/resume", "agents/main/resume"])
    await ask("POST", `/api/${path}`);
  const { events } = (await ask("GET", `/api/houses/${house.owner.house}/log?after=2`)).body;
  const told = { type: "hold-changed", by: house.owner.id };
  expect(events).toMatchObject([
    { ...told, scope: id, isHeld: true },
    { ...told, scope: "house", isHeld: true },
    { ...told, scope: id, isHeld: false },
  ]);
});

test("stopping an activation ends it; one that has ended stays unchanged", async () => {
  const { house, ask, woken } = await setUp();
  const running = await woken();
  const over = await woken();
  await house.finish(over.id, { state: "replied" });
  expect((await ask("POST", `/api/activations/${running.id}/stop`)).body.state).toBe("stopped");
  expect((await ask("POST", `/api/activations/${over.id}/stop`)).body.state).toBe("replied");
  expect((await ask("POST", `/api/activations/act_${"0".repeat(26)}/stop`)).status).toBe(404);
});

test("a bot stops and sees its own activations, and others' as its levels allow", async () => {
  const { house, ask, woken } = await setUp();
  const { id } = await woken();
  const other = await house.options.people.records.mutate(
    { kind: "create", type: "agent", level: "none", content: { name: "Other", kind: "bot" } },
    house.owner.id,
  );
  const { key } = await house.options.people.keys.create(
    { name: "other's", agent: other.id as typeof house.bot.id },
    { agent: house.owner.id },
  );
  expect((await ask("GET", "/api/agents/main/activations", undefined, house.botKey)).status).toBe(200);
  expect((await ask("GET", `/api/activations/${id}`, undefined, house.botKey)).status).toBe(200);
  expect((await ask("GET", "/api/agents/main/activations", undefined, key)).status).toBe(404);
  expect((await ask("GET", `/api/activations/${id}`, undefined, key)).status).toBe(404);
  expect((await ask("GET", `/api/activations/${id}/egress`, undefined, key)).status).toBe(404);
  const onRoom = { agent: other.id as typeof house.bot.id, on: house.room.id, level: "r" } as const;
  await house.options.people.permissions.grant(onRoom, { agent: house.owner.id });
  expect((await ask("GET", "/api/agents/main/activations", undefined, key)).status).toBe(403);
  expect((await ask("GET", `/api/activations/${id}`, undefined, key)).status).toBe(200);
  expect((await ask("GET", `/api/activations/${id}/egress`, undefined, key)).status).toBe(200);
  expect((await ask("POST", `/api/activations/${id}/stop`, undefined, key)).status).toBe(403);
  expect((await ask("POST", `/api/activations/${id}/stop`, undefined, house.botKey)).body.state).toBe("stopped");
});

test("/ws without an upgrade explains itself", async () => {
  const { ask } = await setUp();
  const { status, body } = await ask("GET", "/ws");
  expect([status, body.error.hint]).toEqual([400, expect.stringContaining("WebSocket")]);
});

test("a caller learns its identity, its house, and the running version", async () => {
  const { house, ask } = await setUp();
  for (const [key, agent] of [
    [house.key, house.owner],
    [house.botKey, house.bot],
  ] as const) {
    const me = Me.parse((await ask("GET", "/api/me", undefined, key)).body);
    expect(me).toMatchObject({
      agent: { id: agent.id },
      house: { id: house.house },
      version: house.options.daemon.version,
      home: house.house,
    });
  }
  expect((await ask("GET", "/api/me", undefined, "")).status).toBe(401);
});

test("the activations of a room are listed newest first, for callers who see the room", async () => {
  const { house, ask, woken } = await setUp();
  const [first, second] = [await woken(), await woken()];
  await house.finish(first.id, { state: "replied" }, "hi");
  const path = "/api/rooms/hall/activations";
  const ids = async (query: string, key = house.key) =>
    ActivationList.parse((await ask("GET", path + query, undefined, key)).body).map(({ id }) => id);
  expect(await ids("")).toEqual([second.id, first.id]);
  expect(await ids("?limit=1")).toEqual([second.id]);
  expect(await ids("?state=replied", house.botKey)).toEqual([first.id]);
  expect((await ask("GET", `${path}?state=tired`)).body.error.code).toBe("request.invalid");
  expect((await ask("GET", "/api/rooms/nowhere/activations")).body.error.code).toBe("record.not-found");
  const content = { name: "Closed", members: [house.owner.id] };
  const { id } = (await ask("POST", "/api/rooms", { content })).body;
  expect((await ask("GET", `/api/rooms/${id}/activations`)).body).toEqual([]);
  expect((await ask("GET", `/api/rooms/${id}/activations`, undefined, house.botKey)).status).toBe(404);
});

test("an activation shows its text", async () => {
  const { ask, woken } = await setUp();
  const { body } = await ask("GET", `/api/activations/${(await woken()).id}`);
  expect(ActivationDetail.parse(body).parts).toEqual([{ kind: "text", text: "what it said" }]);
});

test("a house stores when its owner was welcomed, and this can be cleared", async () => {
  const { ask } = await setUp();
  const edit = async (welcomedAt: unknown) => ask("PATCH", "/api/houses/home", { content: { welcomedAt } });
  expect((await edit(1_700_000_000_000)).body.content.welcomedAt).toBe(1_700_000_000_000);
  expect((await edit("yesterday")).body.error.code).toBe("record.invalid");
  expect((await edit(null)).body.content).not.toHaveProperty("welcomedAt");
});
