/** Alerts of a house in memory: on devices through a push service, and in conversations. */
import { expect, test } from "bun:test";
import type { AgentId, QuietHours, RoomId, SessionId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../../http/fakes/fake-house.ts";
import { createFakePushService } from "../../fixtures/push-service.ts";
import { createPush } from "../push/house-push.ts";
import { createNotices } from "../../kernel/outbox/notices.ts";
import { createAlerts, RETRY_MS } from "./house-alerts.ts";

const { hash } = createBunWorld();
const HOUR_MS = 60 * 60_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1";

const open = async () => {
  const service = createFakePushService();
  const world = createFakeWorld({ hash, fetch: service.fetch });
  const house = await createFakeHouse(world);
  const { owner, bot, options, store } = house;
  const { records, permissions, logins, rooms } = options.people;
  const { streams, config, log } = options.kernel;
  const push = createPush({
    kernel: { world, log, store, streams, config },
    people: { house: house.house, records, permissions, logins },
    own: options.secrets.vault.own,
    subtle: crypto.subtle,
    resolver: { resolve: async () => ["1.1.1.1"] },
    clean: (text) => text,
  });
  const notices = createNotices({ world, store });
  const channels = { list: () => [{ name: "chat", kind: "fake", mode: "poll" as const, agent: "main" }] };
  const start = () => {
    const alerts = createAlerts({
      kernel: { world, log, store, streams, notices },
      people: { records },
      channels,
      push,
    });
    const stop = new AbortController();
    const ended = alerts.run(stop.signal);
    return {
      alerts,
      async stop() {
        stop.abort();
        await ended;
      },
    };
  };
  const logIn = async (about: string, address = "192.0.2.1", person: AgentId = owner.id) =>
    (await logins.begin(person, { about, peer: address }))!;
  const add = (device: string, session?: SessionId, agent: AgentId = owner.id) =>
    push
      .key()
      .then(() => push.add({ agent, ...(session === undefined ? {} : { session }) }, service.subscribe(device)));
  /** Resolves when all logins of the person are done. */
  const settle = async (person: AgentId = owner.id): Promise<void> => {
    await until(async () => {
      await world.advance(0);
      const events = await store.select({
        table: "events",
        where: { stream: `agent:${person}`, type: "session-began" },
      });
      const [row] = await store.select({ table: "readers", where: { reader: "alerts", stream: `agent:${person}` } });
      return (row?.offset ?? 0) === Math.max(0, ...events.map(({ offset }) => offset));
    });
  };
  /** Links a conversation of the channel to a person. */
  const link = async (
    external: string,
    person: AgentId,
    state: "allowed" | "blocked" = "allowed",
    sender = external,
  ) => {
    const room = (await rooms.direct(person, bot.id)).id as RoomId;
    const at = world.clock.now();
    const about = { channel: "chat", created_at: at };
    await store.commit({
      writes: [
        {
          kind: "put",
          table: "conversations",
          row: { ...about, conversation: external, kind: "direct", name: "", room },
        },
        {
          kind: "put",
          table: "senders",
          row: { ...about, external: sender, name: "Ana", person, state, code_hash: null, code_expires_at: null },
        },
        {
          kind: "put",
          table: "inbound",
          row: {
            channel: "chat",
            external: `update ${external}`,
            at,
            conversation: external,
            message: "1",
            sender,
            room,
            event: null,
            fate: "accepted",
            received_at: at,
          },
        },
      ],
    });
  };
  const noticed = async () =>
    (await store.select({ table: "outbox" })).map(({ conversation, body }) => `${conversation}: ${body}`);
  const devices = () => service.parcels.map(({ device }) => device);
  return {
    ...{ service, world, house, owner, records, store, push },
    start,
    logIn,
    add,
    settle,
    link,
    noticed,
    devices,
  };
};

test("a login from an unknown device reaches the person's other devices, and a known device is silent", async () => {
  const { service, start, logIn, add, settle, devices } = await open();
  const laptop = await logIn(FIREFOX);
  await add("laptop", laptop.id);
  const running = start();
  const phone = await logIn(IPHONE, "198.51.100.7");
  await add("phone", phone.id);
  await settle();
  expect(devices()).toEqual(["laptop"]);
  expect(service.parcels[0]?.payload).toMatchObject({
    title: "New login to Hearth",
    body: "Safari on iPhone, from 198.51.100.7. If this was not you, log the device out: Settings → Account.",
    path: "/settings/account",
  });
  await logIn(IPHONE, "198.51.100.7");
  await logIn(FIREFOX);
  await settle();
  expect(devices()).toEqual(["laptop"]);
  // The same browser from another address is another device.
  await logIn(FIREFOX, "203.0.113.9");
  await settle();
  expect(devices().toSorted()).toEqual(["laptop", "laptop", "phone"]);
  await running.stop();
});

test("the first login of a person, and logins before the alerts began, cause no alert", async () => {
  const { world, start, logIn, add, settle, devices } = await open();
  await add("tablet");
  await logIn(FIREFOX);
  await logIn("curl/8");
  await world.advance(HOUR_MS);
  const running = start();
  await settle();
  await running.stop();
  expect(devices()).toEqual([]);
});

test("a login that a stopped house did not announce is announced after the start", async () => {
  const { start, logIn, add, settle, devices } = await open();
  await add("tablet");
  await logIn(FIREFOX);
  const before = start();
  await settle();
  await before.stop();
  await logIn(IPHONE);
  const after = start();
  await settle();
  await after.stop();
  expect(devices()).toEqual(["tablet"]);
});

test("linked conversations get the alert once; those of blocked senders, other people and strangers do not", async () => {
  const { start, logIn, settle, link, noticed, records, owner, world } = await open();
  const content = { name: "Ana", kind: "human" } as const;
  const ana = await records.mutate({ kind: "create", type: "agent", content, level: "none" }, owner.id);
  await logIn(FIREFOX);
  await link("mine", owner.id);
  await link("blocked", owner.id, "blocked");
  await link("hers", ana.id as AgentId);
  const running = start();
  const { id } = await logIn("Unheard/1.0");
  await settle();
  const expected =
    "mine: New login to Hearth\nUnheard/1.0, from 192.0.2.1. If this was not you, log the device out: Settings → Account.";
  expect(await noticed()).toEqual([expected]);
  const alert = { title: "New login to Hearth", text: "x", path: "/", about: `login ${id}`, at: world.clock.now() };
  expect(await running.alerts.send(owner.id, alert, new AbortController().signal)).toBe("sent");
  expect(await noticed()).toEqual([expected]);
  await running.stop();
});

test("quiet hours delay an alert, and a person who wants no notifications gets none", async () => {
  const { world, start, logIn, add, settle, push, owner, devices } = await open();
  await add("tablet");
  await logIn(FIREFOX);
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const now = world.clock.now();
  const quiet: QuietHours = { from: clock(now), to: clock(now + 2 * HOUR_MS), timezone: "UTC" };
  await push.change({ agent: owner.id }, { quiet });
  const running = start();
  await logIn(IPHONE);
  await world.advance(HOUR_MS);
  expect(devices()).toEqual([]);
  await world.advance(HOUR_MS + RETRY_MS);
  await settle();
  expect(devices()).toEqual(["tablet"]);
  await push.change({ agent: owner.id }, { quiet: null, rule: "none" });
  await logIn("curl/8");
  await settle();
  expect(devices()).toEqual(["tablet"]);
  await running.stop();
});
