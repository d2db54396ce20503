/** Notifications of a house in memory, sent to a push service that decrypts them. */
import { expect, test } from "bun:test";
import type { AgentId, ChangePushChoices, EventId, ProposalId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../../http/fakes/fake-house.ts";
import { createFakePushService } from "../../fixtures/push-service.ts";
import { createPush } from "./house-push.ts";
import { MAX_DEVICES } from "./push-devices.ts";
import { BACKOFF_MS } from "./push-attempt.ts";
import { TTL_MS } from "./push-send.ts";

const { hash } = createBunWorld();

const open = async () => {
  const service = createFakePushService();
  const world = createFakeWorld({ hash, fetch: service.fetch });
  const house = await createFakeHouse(world);
  const { owner, bot, room, options, store } = house;
  const { records, permissions, logins } = options.people;
  const { streams, config } = options.kernel;
  let count = 0;

  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await house.call(`/api/notifications${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  };
  const add = async (device: string, headers?: Record<string, string>) => {
    await ask("POST", "/key", undefined, headers);
    return ask("POST", "/devices", service.subscribe(device), headers);
  };
  const say = async (text: string, author: AgentId = bot.id, more: object = {}, where: RoomId = room.id) => {
    count += 1;
    const id = `evt_${count.toString().padStart(26, "0")}` as EventId;
    const body = { format: "markdown" as const, text };
    const event = {
      type: "message" as const,
      room: where,
      author,
      at: world.clock.now(),
      body,
      mentions: [],
      causes: [],
    };
    await streams.append({ stream: `room:${where}`, id, event: { ...event, ...more } });
    return id;
  };
  const start = () => {
    const stop = new AbortController();
    const push = createPush({
      kernel: { world, log: options.kernel.log, store, streams, config },
      people: { house: house.house, records, permissions, logins },
      own: options.secrets.vault.own,
      subtle: crypto.subtle,
      resolver: { resolve: async () => ["1.1.1.1"] },
      clean: (text) => text.replaceAll("sk-secret", "[secret]"),
    });
    const ended = push.run(stop.signal);
    return {
      async stop() {
        stop.abort();
        await ended;
      },
    };
  };
  /** Resolves when the reader has read the whole room. */
  const settle = async (where: RoomId = room.id): Promise<void> => {
    const stream = `room:${where}` as const;
    await until(async () => {
      await world.advance(0);
      const head = (await streams.heads([stream])).get(stream)?.offset ?? 0;
      const [row] = await store.select({ table: "readers", where: { reader: "push", stream } });
      return (row?.offset ?? 0) === head;
    });
  };
  const change = (choices: ChangePushChoices) => ask("PATCH", "", choices);
  const shown = () => service.parcels.map(({ payload }) => payload.body);
  return {
    service,
    world,
    house,
    owner,
    bot,
    room,
    store,
    records,
    permissions,
    logins,
    ...{ ask, add, say, start, settle, change, shown },
  };
};

test("a mention reaches the phone encrypted and signed, and says no more than the agent and the room", async () => {
  const { service, add, say, start, settle, owner, bot, room } = await open();
  const { status, json } = await add("phone");
  expect([status, json.service, json.isThis]).toEqual([201, "push.test", false]);
  const reader = start();
  await say("the boiler is sk-secret on fire", bot.id, { mentions: [owner.id] });
  await settle();
  await reader.stop();
  expect(service.parcels).toHaveLength(1);
  const [parcel] = service.parcels;
  expect(parcel?.payload).toEqual({
    title: bot.content.name,
    body: room.content.name,
    path: `/rooms/${room.handle}`,
    tag: parcel?.topic ?? "none",
  });
  expect(parcel?.ttl).toBe(String(TTL_MS / 1000));
  expect(parcel?.claims.aud).toBe("https://push.test");
});

test("the key is made once, and signs every notification", async () => {
  const { service, ask, add } = await open();
  await add("phone");
  const { json } = await ask("POST", "/key");
  expect((await ask("POST", "/test")).json).toEqual({ sent: 1, failed: 0 });
  expect(service.parcels.map(({ key }) => key)).toEqual([json.publicKey]);
  expect((await ask("GET", "")).json.devices[0].sentAt).toBeNumber();
});

test("a person who chose to see text gets its beginning, without secrets of the house", async () => {
  const { add, say, start, settle, change, shown, owner } = await open();
  await add("phone");
  await change({ showsText: true });
  const reader = start();
  await say(`the key is sk-secret ${"x".repeat(1000)}`, undefined, { mentions: [owner.id] });
  await settle();
  await reader.stop();
  expect(shown()).toHaveLength(1);
  expect(shown()[0]).toStartWith("the key is [secret] xxx");
  expect(shown()[0]).toHaveLength(200);
});

test("rules apply per room: important is mentions and replies, all is everything, none is nothing", async () => {
  const { add, say, start, settle, change, service, owner, room } = await open();
  await add("phone");
  const reader = start();
  const count = async (more: object = {}, author?: AgentId): Promise<number> => {
    const before = service.parcels.length;
    await say("x", author, more);
    await settle();
    return service.parcels.length - before;
  };
  const own = await say("a question", owner.id);
  await settle();
  expect([await count(), await count({ causes: [own] }), await count({ mentions: [owner.id] })]).toEqual([0, 1, 1]);
  await change({ rule: "all" });
  expect([await count(), await count({}, owner.id)]).toEqual([1, 0]);
  await change({ rooms: { [room.id]: "none" } as never });
  expect(await count({ mentions: [owner.id] })).toBe(0);
  await change({ rooms: { [room.id]: null } as never });
  expect(await count()).toBe(1);
  await reader.stop();
});

test("A58: a person who cannot read a room, or logged the device out, learns nothing of it", async () => {
  const { add, say, start, settle, service, records, logins, owner, bot, ask, house } = await open();
  const content = { name: "Ana", kind: "human" } as const;
  const ana = await records.mutate({ kind: "create", type: "agent", content, level: "none" }, owner.id);
  const session = await logins.begin(ana.id as AgentId, { about: "" });
  const login = { authorization: "", cookie: `hearth_session=${session?.cookie}`, origin: "http://127.0.0.1:18789" };
  expect((await add("hers", login)).status).toBe(201);
  await add("his");
  const secret = await records.mutate(
    { kind: "create", type: "room", content: { name: "Secret", members: [owner.id, bot.id] }, level: "none" },
    owner.id,
  );
  const reader = start();
  await say("x", bot.id, { mentions: [owner.id, ana.id] }, secret.id as RoomId);
  await settle(secret.id as RoomId);
  expect(service.parcels.map(({ device }) => device)).toEqual(["his"]);
  // Her device ends with the session that added it.
  expect((await ask("GET", "", undefined, login)).json.devices).toMatchObject([{ name: "hers", isThis: true }]);
  await logins.endAll(ana.id as AgentId);
  await say("x", bot.id, { mentions: [owner.id] });
  await settle();
  await reader.stop();
  expect(service.parcels.map(({ device }) => device)).toEqual(["his", "his"]);
  expect((await house.store.select({ table: "push_devices" })).map(({ name }) => name)).toEqual(["his"]);
});

test("A59: an address that is not a public push service is refused, when it is added and at each request", async () => {
  const { ask, service, house } = await open();
  const device = service.subscribe("phone");
  for (const endpoint of [
    "http://push.test/phone",
    "https://127.0.0.1/phone",
    "https://localhost/phone",
    "https://10.0.0.1/phone",
    "https://[::1]/phone",
    "https://user:word@push.test/phone",
    "https://a.inner.test/phone",
    "https://169.254.169.254/latest",
  ]) {
    const { status, json } = await ask("POST", "/devices", { ...device, endpoint });
    expect([endpoint, status, json.error.code]).toEqual([endpoint, 400, "request.invalid"]);
  }
  await ask("POST", "/key");
  await ask("POST", "/devices", device);
  await house.store.commit({
    writes: [{ kind: "update", table: "push_devices", where: {}, set: { endpoint: "https://b.inner.test/phone" } }],
  });
  expect((await ask("POST", "/test")).json).toEqual({ sent: 0, failed: 1 });
  expect(service.requests).toEqual([]);
});

test("a service that is away is asked again, and a subscription that has ended is removed", async () => {
  const { add, say, start, settle, service, store, world, owner } = await open();
  await add("phone");
  const reader = start();
  service.answer(new TypeError("no network"), 503);
  await say("x", undefined, { mentions: [owner.id] });
  for (const [tries, pauseMs] of [BACKOFF_MS[0], BACKOFF_MS[1]].entries()) {
    await until(async () => {
      await world.advance(0);
      return service.requests.length === tries + 1;
    });
    await world.advance(pauseMs ?? 0);
  }
  await settle();
  expect([service.requests.length, service.parcels.length]).toEqual([3, 1]);
  service.answer(410);
  await say("y", undefined, { mentions: [owner.id] });
  await settle();
  await reader.stop();
  expect(await store.select({ table: "push_devices" })).toEqual([]);
});

test("messages that were posted while the house was down are sent after its start, once per room, unless they are old", async () => {
  const { add, say, start, settle, service, world, owner } = await open();
  await say("before the device", undefined, { mentions: [owner.id] });
  await world.advance(1);
  await add("phone");
  for (const text of ["one", "two", "three"]) await say(text, undefined, { mentions: [owner.id] });
  const first = start();
  await settle();
  await first.stop();
  expect(service.parcels).toHaveLength(1);
  await say("four", undefined, { mentions: [owner.id] });
  await world.advance(TTL_MS);
  const second = start();
  await settle();
  await second.stop();
  expect(service.parcels).toHaveLength(1);
});

test("a notification whose sending was cut off is sent after the next start", async () => {
  const { add, say, start, settle, service, world, owner } = await open();
  await add("phone");
  const first = start();
  service.answer(503);
  await say("x", undefined, { mentions: [owner.id] });
  await until(async () => {
    await world.advance(0);
    return service.requests.length === 1;
  });
  await first.stop();
  expect(service.parcels).toHaveLength(0);
  const second = start();
  await settle();
  await second.stop();
  expect(service.parcels).toHaveLength(1);
});

test("approvals reach people who may decide, and quiet hours are quiet", async () => {
  const { add, start, settle, service, change, house, bot, room, owner, world } = await open();
  await add("phone");
  const reader = start();
  const request = async (number: number, person?: AgentId) => {
    const { streams } = house.options.kernel;
    const approval = `apr_${number.toString().padStart(26, "0")}`;
    const event = {
      type: "approval-asked",
      room: room.id,
      at: world.clock.now(),
      approval,
      agent: bot.id,
      activation: `act_${"0".repeat(26)}`,
      tool: "shell",
      ...(person === undefined ? {} : { person }),
    };
    await streams.append({
      stream: `room:${room.id}`,
      id: `evt_9${approval.slice(5)}` as EventId,
      event: event as never,
    });
    await settle();
  };
  const row = {
    ...{
      id: `prop_${"0".repeat(26)}` as ProposalId,
      house: bot.house,
      agent: bot.id,
      activation: null,
      path: "NOTES.md",
    },
    ...{ before: null, after: null, why: "", halts: 0 as const, labels: "{}" as never, state: "pending" as const },
    ...{ at: world.clock.now(), by: null, reason: null, decided_at: null },
  };
  await house.store.commit({ writes: [{ kind: "put", table: "brain_proposals", row }] });
  await request(1);
  await request(2, "agent_other" as AgentId);
  await request(3, owner.id);
  expect(service.parcels.map(({ payload }) => payload.body)).toEqual(
    Array.from({ length: 2 }, () => `Asks for approval in ${room.content.name}`),
  );
  expect(service.parcels.map(({ payload }) => payload.pending)).toEqual([1, 1]);
  await change({ quiet: { from: "00:00", to: "23:59", timezone: "UTC" } });
  await request(4);
  expect(service.parcels).toHaveLength(2);
  await reader.stop();
});

test("a person has a limited number of devices, and removes each", async () => {
  const { add, ask } = await open();
  for (let number = 0; number <= MAX_DEVICES; number += 1) await add(`device-${number}`);
  const { devices } = (await ask("GET", "")).json;
  expect(devices).toHaveLength(MAX_DEVICES);
  expect((await ask("DELETE", `/devices/${devices[0].id}`)).json.devices).toHaveLength(MAX_DEVICES - 1);
  expect((await ask("DELETE", `/devices/${devices[0].id}`)).status).toBe(404);
});
