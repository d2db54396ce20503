import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hearth/client";
import { spend } from "@hearth/protocol/until";
import { createHome, type Daemon, startDaemon, type Json } from "./daemon.ts";

const COUNT = 200;

/** Creates a room without agents. */
const group = async (house: Daemon): Promise<string> =>
  (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json.id;
const postAll = async (house: Daemon, room: string, from: number, to: number): Promise<void> => {
  for (let index = from; index < to; index += 4) {
    await Promise.all(
      [0, 1, 2, 3].map((more) =>
        house.ask("POST", `/api/rooms/${room}/messages`, {
          text: `m${index + more}`,
          idempotencyKey: `k${index + more}`,
        }),
      ),
    );
  }
};
const expectAll = (events: readonly { offset: number; body: { text: string } }[]): void => {
  expect(events.map(({ offset }) => offset)).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  expect(new Set(events.map(({ body }) => body.text)).size).toBe(COUNT);
};

/** Reads over a socket, disconnects after every few events and resumes from its offset. */
const readSocket = async (house: () => Daemon, room: string): Promise<Json[]> => {
  const events: Json[] = [];
  while (events.length < COUNT) {
    await new Promise<void>((resolve) => {
      const { url, token } = house();
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, {
        headers: { authorization: `Bearer ${token}` },
      } as never);
      let seen = 0;
      socket.onopen = () =>
        socket.send(JSON.stringify({ op: "subscribe", id: 1, stream: `room:${room}`, after: events.length }));
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(String(data));
        if (frame.type !== "events" || seen > 30) return;
        events.push(...frame.events);
        seen += frame.events.length;
        if (seen > 30 || events.length >= COUNT) socket.close();
      };
      socket.onclose = () => resolve();
      socket.onerror = () => {};
    });
    await spend(1);
  }
  return events;
};

const readLongPoll = async (house: () => Daemon, room: string): Promise<Json[]> => {
  const events: Json[] = [];
  let after = 0;
  while (events.length < COUNT) {
    try {
      const { json } = await house().ask("GET", `/api/rooms/${room}/events?after=${after}&limit=7&wait=2000`);
      if (json?.events === undefined) throw new Error("the daemon is on its way out");
      events.push(...json.events);
      after = json.next;
    } catch {
      await spend(5);
    }
  }
  return events;
};

const readClient = async (house: () => Daemon, room: string): Promise<Json[]> => {
  const events: Json[] = [];
  while (events.length < COUNT) {
    const { url, token } = house();
    const over = new AbortController();
    const client = createClient({
      baseUrl: url,
      token,
      fetch: (...input: Parameters<typeof fetch>) => fetch(...input),
      sleep: spend,
    });
    for await (const item of client.rooms.follow(room, { after: events.length, signal: over.signal })) {
      if (item.kind === "event") events.push(item.event);
      // The port and the token change at a restart, so the reader looks them up again.
      if (events.length >= COUNT || item.kind === "lost" || item.kind === "failed") break;
    }
    over.abort();
    await spend(5);
  }
  return events;
};

test("readers by long poll, server-sent events and socket get every message once across a kill of the daemon", async () => {
  using home = createHome();
  let house = await startDaemon(home.folder);
  const room = await group(house);
  const reading = [readLongPoll, readClient, readSocket].map((read) => read(() => house, room));
  await postAll(house, room, 0, COUNT / 2);
  await house.kill();
  house = await startDaemon(home.folder);
  await postAll(house, room, COUNT / 2, COUNT);
  try {
    for (const events of await Promise.all(reading)) expectAll(events);
  } finally {
    await house.stop();
  }
});

test("a message that its writer repeats after a kill is stored once", async () => {
  using home = createHome();
  let house = await startDaemon(home.folder);
  const room = await group(house);
  await postAll(house, room, 0, COUNT);
  await house.kill();
  house = await startDaemon(home.folder);
  try {
    await postAll(house, room, 0, COUNT);
    expectAll((await house.ask("GET", `/api/rooms/${room}/events?limit=1000`)).json.events);
  } finally {
    await house.stop();
  }
});

test("a reader that was disconnected continues from any offset, page by page", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const room = await group(house);
  await postAll(house, room, 0, COUNT);
  const { json } = await house.ask("GET", `/api/rooms/${room}/events?after=150&limit=20`);
  expect(json.events).toHaveLength(20);
  expect(json.next).toBe(170);
  const last = await house.ask("GET", `/api/rooms/${room}/events?after=${COUNT}`);
  expect(last.json).toMatchObject({ events: [], next: COUNT, head: COUNT });
});

test("every route requires a credential, from this machine too", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), "version = 1\n");
  await using house = await startDaemon(home.folder);
  for (const path of ["/api/rooms", "/api/status", "/docs", "/openapi.json", "/api/rooms/main/events"]) {
    const answer = await fetch(house.url + path, { redirect: "manual", headers: { "x-forwarded-for": "127.0.0.1" } });
    expect([path, [401, 302, 303].includes(answer.status)]).toEqual([path, true]);
  }
  expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${house.url}/readyz`)).status).toBe(200);
});
