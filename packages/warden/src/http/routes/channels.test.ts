import { describe, expect, test } from "bun:test";
import {
  ChannelList,
  ChannelTest,
  Delivery,
  DeliveryList,
  Pairing,
  PairingList,
  RefusedInboundList,
} from "@hearth/protocol";
import { FatePage, MAX_BODY_SIZE } from "@hearth/protocol/api";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createNotices } from "../../kernel/outbox/notices.ts";
import { createOutbox } from "../../channels/outbox/house-outbox.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { noSpeeches } from "../../fixtures/no-speeches.ts";
import { passAll } from "../../fixtures/pass-all.ts";
import { update } from "../../fixtures/channel-house.ts";
import { createStubChannels, createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import { createFakeHouse, type HouseParts } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

const open = async (parts: Pick<HouseParts, "table"> = {}) => {
  const world = createFakeWorld({ hash });
  const platform = createStubPlatform();
  const channels = createStubChannels({ tele: platform }, world);
  const house = await createFakeHouse(world, {
    ...parts,
    ...(parts.table === undefined ? { messaging: { channels } } : {}),
  });
  const ask = async (method: string, path: string, body?: unknown, key = house.key) => {
    const response = await house.call(path, {
      method,
      headers: { authorization: key === "" ? "" : `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  };
  /** Calls like the platform: without a credential, under the host name that it knows. */
  const hook = async (body: string, headers: Record<string, string> = {}, name = "tele") => {
    const response = await house.call(`/hooks/${name}`, {
      method: "POST",
      headers: { authorization: "", host: "house.example", "content-type": "application/json", ...headers },
      body,
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  /** Sends pending deliveries until there is nothing left. */
  const deliver = async () => {
    const closing = new AbortController();
    const { log } = house.options.kernel;
    const notices = createNotices({ world, store: house.store });
    const uploads = createTestUploads({ world, store: house.store });
    const outbox = createOutbox({
      world,
      log,
      store: house.store,
      channels,
      notices,
      pass: passAll,
      uploads,
      speeches: noSpeeches,
    });
    const running = outbox.run(closing.signal);
    for (let turn = 0; turn < 5; turn += 1) await world.advance(0);
    closing.abort();
    await running;
  };
  const code = async (): Promise<string> => {
    const notices = await house.store.select({ table: "outbox" });
    return notices.flatMap(({ body }) => /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(body)?.[0] ?? []).at(-1) ?? "";
  };
  return { house, world, platform, channels, ask, hook, deliver, code };
};

describe("a hook", () => {
  test("accepts the platform's updates under any host, and answers when they are stored", async () => {
    const { hook, house } = await open();
    expect(await hook(JSON.stringify([update(1)]))).toEqual({ status: 200, json: { ok: true } });
    expect(await house.store.select({ table: "inbound" })).toMatchObject([{ external: "u1", fate: "unpaired" }]);
  });

  test("refuses web pages of any origin, and unknown channels", async () => {
    const { hook, house } = await open();
    for (const headers of [{ origin: "http://house.example" }, { origin: "null" }, { "sec-fetch-site": "same-origin" }])
      expect((await hook("[]", headers as Record<string, string>)).status).toBe(403);
    expect(await hook("[]", {}, "nobody")).toMatchObject({ status: 404, json: { error: { code: "channel.unknown" } } });
    expect((await house.call("/hooks/tele", { headers: { host: "house.example" } })).status).toBe(421);
  });

  test("accepts at most 1 MiB, with or without a declared length", async () => {
    const { house, hook } = await open();
    const large = "x".repeat(MAX_BODY_SIZE + 1);
    expect((await hook(large)).status).toBe(413);
    expect((await hook(large, { "content-length": String(large.length) })).status).toBe(413);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
    const request = new Request("http://house.example/hooks/tele", { method: "POST", body: endless });
    request.headers.set("host", "house.example");
    expect((await house.http.handle(request)).status).toBe(413);
    expect(await house.store.select({ table: "inbound" })).toEqual([]);
  });
});

test("channels report their state and pending deliveries", async () => {
  const { ask, hook, channels, platform, deliver } = await open();
  expect((await ask("GET", "/api/channels")).json).toEqual([
    { name: "tele", kind: "tele", mode: "poll", agent: "main", state: "ready", queued: 0, unknown: 0 },
  ]);
  await hook(JSON.stringify([update(1), update(2, { sender: { id: "s2", name: "Ben" } })]));
  platform.outcomes.push(() => ({ kind: "unknown", error: problem() }));
  platform.outcomes.push(() => ({ kind: "later", error: problem() }));
  await deliver();
  channels.report("tele", "in", problem());
  expect(ChannelList.parse((await ask("GET", "/api/channels")).json)).toMatchObject([
    { state: "failing", error: problem(), queued: 1, unknown: 1 },
  ]);
  expect(ChannelTest.parse((await ask("POST", "/api/channels/tele/test")).json)).toEqual({
    ok: true,
    detail: "it is the stub",
  });
  expect((await ask("POST", "/api/channels/other/test")).status).toBe(404);
});

test("deliveries are listed by state, and an unknown one waits for a person's decision", async () => {
  const { ask, hook, platform, deliver } = await open();
  await hook(JSON.stringify([update(1)]));
  platform.outcomes.push(() => ({ kind: "unknown", error: problem() }));
  await deliver();
  const [unknown] = DeliveryList.parse((await ask("GET", "/api/channels/tele/outbox?state=unknown")).json);
  expect(unknown).toMatchObject({ channel: "tele", conversation: "d1", state: "unknown", error: problem() });
  expect((await ask("GET", "/api/channels/tele/outbox?state=sent")).json).toEqual([]);
  const path = `/api/outbox/${unknown?.id ?? ""}`;
  expect((await ask("POST", path, { decision: "perhaps" })).status).toBe(400);
  expect(Delivery.parse((await ask("POST", path, { decision: "resend" })).json).state).toBe("queued");
  expect(await ask("POST", path, { decision: "leave" })).toMatchObject({
    status: 409,
    json: { error: { code: "record.version" } },
  });
  await deliver();
  expect((await ask("GET", "/api/channels/tele/outbox?state=sent")).json).toHaveLength(1);
  expect((await ask("GET", "/api/channels/other/outbox")).status).toBe(404);
});

test("strangers are listed, paired by code, blocked and forgotten; their messages are listed as refused", async () => {
  const { ask, hook, house, code } = await open();
  await hook(JSON.stringify([update(1)]));
  expect(PairingList.parse((await ask("GET", "/api/pairings")).json)).toMatchObject([
    { sender: "s1", state: "pending" },
  ]);
  expect(RefusedInboundList.parse((await ask("GET", "/api/channels/tele/refused")).json)).toMatchObject([
    { fate: "unpaired" },
  ]);
  expect((await ask("POST", "/api/pairings", { code: "0000-0000" })).status).toBe(404);
  const paired = Pairing.parse((await ask("POST", "/api/pairings", { code: await code(), as: "owner" })).json);
  expect(paired).toMatchObject({ state: "allowed", person: house.owner.id });

  await hook(JSON.stringify([update(2)]));
  const { id } = await house.options.people.rooms.direct(house.owner.id, house.bot.id);
  const fates = FatePage.parse((await ask("GET", `/api/rooms/${id}/fates`)).json);
  expect(fates).toMatchObject({ fates: [{ channel: "tele", fate: { kind: "ignored" } }], next: 1 });
  expect((await ask("GET", "/api/rooms/nowhere/fates")).status).toBe(404);

  expect((await ask("DELETE", "/api/pairings/tele/s1")).status).toBe(204);
  expect((await ask("GET", "/api/pairings")).json).toMatchObject([{ state: "blocked" }]);
  expect((await ask("DELETE", "/api/pairings/tele/s1?how=forget")).status).toBe(204);
  expect((await ask("GET", "/api/pairings")).json).toEqual([]);
  expect((await ask("DELETE", "/api/pairings/tele/s1")).status).toBe(404);
});

test("bots may see none of it except the fates in their own rooms", async () => {
  const { ask, house } = await open();
  const paths = ["/api/channels", "/api/channels/tele/outbox", "/api/channels/tele/refused", "/api/pairings"];
  for (const path of paths)
    expect([path, (await ask("GET", path, undefined, house.botKey)).status]).toEqual([path, 403]);
  expect((await ask("POST", "/api/pairings", { code: "x" }, house.botKey)).status).toBe(403);
  expect((await ask("GET", `/api/rooms/${house.room.id}/fates`, undefined, house.botKey)).status).toBe(200);
});

describe("a channel that the API adds", () => {
  const TOKEN = "4242:typed-token";
  const openEmpty = () => open({ table: { stub: async () => () => createStubPlatform().channel } });
  const stub = { name: "tele", kind: "stub", token: TOKEN };

  test("is listed, has its token in a separate file, and is gone after its removal", async () => {
    const { ask } = await openEmpty();
    const added = await ask("POST", "/api/channels", stub);
    expect(added).toMatchObject({ status: 201, json: { name: "tele", agent: "main", state: "ready" } });
    expect(JSON.stringify(added)).not.toContain(TOKEN);
    expect(await ask("POST", "/api/channels", stub)).toMatchObject({
      status: 409,
      json: { error: { code: "record.handle-taken" } },
    });
    expect((await ask("DELETE", "/api/channels/tele")).status).toBe(204);
    expect((await ask("GET", "/api/channels")).json).toEqual([]);
    expect((await ask("DELETE", "/api/channels/tele")).json.error.code).toBe("channel.unknown");
  });

  test.each([
    [{ kind: "pigeon" }, "config.invalid"],
    [{ agent: "owner" }, "config.invalid"],
    [{ agent: "unknown" }, "record.not-found"],
    [{ token: undefined }, "request.invalid"],
    [{ tokenReference: "env:TOKEN" }, "request.invalid"],
    [{ name: "../tele" }, "request.invalid"],
  ])("is refused with %j", async (wrong, code) => {
    const { ask } = await openEmpty();
    const answer = await ask("POST", "/api/channels", { ...stub, ...wrong });
    expect(answer.json.error.code).toBe(code);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect((await ask("GET", "/api/channels")).json).toEqual([]);
  });

  test("is checked at the platform before it is added, and nothing is stored", async () => {
    const { ask } = await openEmpty();
    const account = { kind: stub.kind, token: TOKEN };
    const checked = await ask("POST", "/api/channel-tests", account);
    expect(checked).toEqual({ status: 200, json: { ok: true, detail: "it is the stub" } });
    expect((await ask("GET", "/api/channels")).json).toEqual([]);
    const unknown = await ask("POST", "/api/channel-tests", { ...account, kind: "pigeon" });
    expect(unknown.json.error.code).toBe("config.invalid");
    expect(JSON.stringify(unknown)).not.toContain(TOKEN);
  });

  test("has the admission of the request, and a fresh login admits everyone", async () => {
    const { ask, house } = await openEmpty();
    const admission = { mode: "allow", allow: ["7"], directOnly: true };
    expect((await ask("POST", "/api/channels", { ...stub, admission })).status).toBe(201);
    expect(house.options.kernel.config.current().channels.get("tele")?.admission).toEqual({
      ...{ mode: "allow", allow: ["7"], directOnly: true },
    });
    const open = await ask("POST", "/api/channels", { ...stub, name: "all", admission: { mode: "open" } });
    expect(open).toMatchObject({ status: 403, json: { error: { code: "auth.denied" } } });
  });

  test("with a reference needs a fresh login", async () => {
    const { ask } = await openEmpty();
    const { token: _token, ...rest } = stub;
    const answer = await ask("POST", "/api/channels", { ...rest, tokenReference: "env:TOKEN" });
    expect(answer).toMatchObject({ status: 403, json: { error: { code: "auth.denied" } } });
  });
});

describe("a channel that the API changes", () => {
  const [OLD, NEXT] = ["4242:typed-token", "4242:next-token"];
  const openWith = async (refused = "") => {
    const tokens: string[] = [];
    const house = await open({
      table: {
        stub: async () => (options) => {
          tokens.push(options.token);
          const { channel } = createStubPlatform();
          const isRefused = options.token === refused;
          return {
            ...channel,
            probe: async () => ({ ok: !isRefused, detail: isRefused ? "it is wrong" : "it is right" }),
          };
        },
      },
    });
    await house.ask("POST", "/api/channels", { name: "tele", kind: "stub", token: OLD });
    const { config } = house.house.options.kernel;
    const change = (body: unknown) => house.ask("PATCH", "/api/channels/tele", body);
    return { ...house, tokens, change, token: () => config.current().channels.get("tele")?.token };
  };

  test("has the new agent at once, and keeps its token", async () => {
    const { change, token, ask, house } = await openWith();
    const content = { name: "Helper", kind: "bot", model: "offline/echo" };
    await ask("POST", "/api/agents", { content });
    const before = token();
    const changed = await change({ agent: "helper" });
    expect(changed).toMatchObject({
      status: 200,
      json: { channel: { name: "tele", agent: "helper", state: "ready" } },
    });
    expect(changed.json.test).toBeUndefined();
    expect(token()).toEqual(before);
    expect(house.options.kernel.config.current().channels.get("tele")?.agent).toBe("helper");
  });

  test("has the new token after a test, in another key file, and shows neither", async () => {
    const { change, token, tokens } = await openWith();
    expect(token()).toEqual({ kind: "file", path: "keys/channel.tele" });
    const changed = await change({ token: NEXT });
    expect(changed.json).toMatchObject({ channel: { state: "ready" }, test: { ok: true, detail: "it is right" } });
    expect(JSON.stringify(changed)).not.toContain("next-token");
    expect(token()).toEqual({ kind: "file", path: "keys/channel.tele-2" });
    expect(tokens.at(-1)).toBe(NEXT);
    await change({ token: OLD });
    expect(token()).toEqual({ kind: "file", path: "keys/channel.tele" });
  });

  test("keeps its token and its agent if the platform refuses the new token", async () => {
    const { change, token, ask } = await openWith(NEXT);
    const before = token();
    expect((await change({ token: NEXT })).json).toMatchObject({
      channel: { agent: "main", state: "ready" },
      test: { ok: false, detail: "it is wrong" },
    });
    expect(token()).toEqual(before);
    expect((await ask("GET", "/api/channels")).json).toMatchObject([{ state: "ready" }]);
  });

  test.each([
    [{}, "request.invalid"],
    [{ token: NEXT, tokenReference: "env:X" }, "request.invalid"],
    [{ agent: "owner" }, "config.invalid"],
    [{ agent: "unknown" }, "record.not-found"],
    [{ tokenReference: "env:TOKEN" }, "auth.denied"],
  ])("is refused with %j", async (wrong, code) => {
    const { change, token } = await openWith();
    const before = token();
    expect((await change(wrong)).json.error.code).toBe(code);
    expect(token()).toEqual(before);
  });

  test("must exist", async () => {
    const { ask } = await openWith();
    expect((await ask("PATCH", "/api/channels/other", { agent: "main" })).json.error.code).toBe("channel.unknown");
  });
});
