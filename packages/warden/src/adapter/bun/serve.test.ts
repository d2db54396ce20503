import { afterEach, expect, test } from "bun:test";
import type { StoredEvent } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { localReach } from "../../fixtures/local-reach.ts";
import { createFakeHouse, type FakeHouse, type HouseParts } from "../../http/fakes/fake-house.ts";
import { serve } from "./serve.ts";
import { createBunWorld } from "./world.ts";

const world = createBunWorld();
let ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

type Init = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

interface Served extends FakeHouse {
  readonly port: number;
  readonly stop: () => Promise<void>;
  readonly fetch: (path: string, init?: Init) => Promise<Response>;
  readonly say: (text: string) => Promise<void>;
}

const start = async (over: HouseParts = {}): Promise<Served> => {
  let port = 0;
  const reach = () => localReach(`http://127.0.0.1:${port}`);
  const house = await createFakeHouse(world, { daemon: { reach }, ...over });
  const server = serve({ hostname: "127.0.0.1", port: 0, http: house.http });
  ends.push(server.stop);
  port = server.port;
  return {
    ...house,
    port,
    stop: server.stop,
    fetch: (path, init = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${house.key}`, ...init.headers },
      }),
    say: async (text) => void (await house.options.people.rooms.post(house.room.id, { text }, house.owner.id)),
  };
};

/** Sends bytes and returns the answer, once it is silent for a moment or the other side closes. */
const raw = async (port: number, bytes: string, until: (text: string) => boolean): Promise<string> => {
  let text = "";
  const done = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        text += chunk.toString("latin1");
        if (until(text)) done.resolve();
      },
      close: () => done.resolve(),
    },
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await done.promise;
  socket.end();
  return text;
};

const events = async function* (response: Response): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    yield* parts;
  }
};

const ids = (parts: readonly string[]): number[] =>
  parts.flatMap((part) => /^id: (\d+)-\w+$/m.exec(part)?.[1] ?? []).map(Number);

const take = async (source: AsyncGenerator<string>, count: number): Promise<string[]> => {
  const parts: string[] = [];
  while (parts.length < count) {
    const next = await source.next();
    if (next.done === true) break;
    parts.push(next.value);
  }
  return parts;
};

const connect = (house: Served, headers: Record<string, string> = { authorization: `Bearer ${house.key}` }) => {
  const socket = new WebSocket(`ws://127.0.0.1:${house.port}/ws`, { headers } as never);
  const frames: Record<string, unknown>[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  const opened = Promise.withResolvers<boolean>();
  let wake = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve(true);
  socket.onerror = () => opened.resolve(false);
  socket.onclose = ({ code, reason }) => {
    opened.resolve(false);
    closed.resolve({ code, reason });
  };
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)));
    wake.resolve();
    wake = Promise.withResolvers();
  };
  ends.push(() => socket.close());
  return {
    socket,
    frames,
    opened: opened.promise,
    closed: closed.promise,
    send: (frame: unknown) => socket.send(JSON.stringify(frame)),
    async until(holds: () => boolean) {
      while (!holds()) await wake.promise;
    },
  };
};

test("a port in use is named in the error, with a hint", async () => {
  const house = await start();
  const second = (): unknown => serve({ hostname: "127.0.0.1", port: house.port, http: house.http });
  expect(second).toThrow(
    expect.objectContaining({ code: "server.port-taken", hint: expect.stringContaining("--port") }),
  );
});

test("server-sent events resume from Last-Event-ID and then continue live", async () => {
  const house = await start();
  for (const text of ["one", "two", "three"]) await house.say(text);
  const response = await house.fetch(`/api/rooms/hall/events`, {
    headers: { accept: "text/event-stream", "last-event-id": "1" },
  });
  const source = events(response);
  const first = await take(source, 3);
  await house.say("four");
  expect(ids([...first, ...(await take(source, 1))])).toEqual([2, 3, 4]);
  await source.return(undefined);
});

test("a long poll answers with the first event, or empty at its timeout", async () => {
  const house = await start();
  const polling = house.fetch("/api/rooms/hall/events?wait=30000");
  await house.say("there");
  expect(await (await polling).json()).toMatchObject({ events: [{ offset: 1 }], next: 1 });
  expect(await (await house.fetch("/api/rooms/hall/events?after=1&wait=20")).json()).toMatchObject({
    events: [],
    next: 1,
    head: 1,
  });
});

/** A house whose hall has a thousand large messages. */
const startWithHistory = async (): Promise<Served> => {
  const house = await start();
  for (let index = 0; index < 1000; index += 1) await house.say("x".repeat(50_000));
  return house;
};

/**
 * Ten megabytes in batches of at most a quarter megabyte. All messages would be two hundred
 * batches.
 */
const MOST_BATCHES = 40;

/** How many batches were read once reading has stopped, which only time can show. */
const settled = async (reading: { readonly batches: number }): Promise<number> => {
  for (;;) {
    const { batches } = reading;
    await world.clock.sleep(100);
    if (batches > 0 && reading.batches === batches) return batches;
  }
};

test("a reader that disconnects leaves no follower behind", async () => {
  const house = await start();
  const gone = new AbortController();
  const response = await house.fetch("/api/rooms/hall/events", {
    headers: { accept: "text/event-stream" },
    signal: gone.signal,
  });
  await house.say("hi");
  await take(events(response), 2);
  expect(house.reading.followers).toBe(1);
  gone.abort();
  await until(() => house.reading.followers === 0);
});

test("a stalled reader of server-sent events pauses the reading and misses nothing later", async () => {
  const house = await startWithHistory();
  let received = "";
  const done = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: house.port,
    socket: {
      data(_, chunk) {
        received += chunk.toString("latin1").replace(/x+/g, "");
        if (received.includes("id: 1000-")) done.resolve();
      },
    },
  });
  socket.pause();
  socket.write(
    `GET /api/rooms/hall/events HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\nAuthorization: Bearer ${house.key}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const before = process.memoryUsage.rss();
  expect(await settled(house.reading)).toBeLessThan(MOST_BATCHES);
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  socket.resume();
  await done.promise;
  expect(ids(received.split("\n\n"))).toHaveLength(1000);
  socket.end();
});

test("a stalled socket pauses the reading and misses nothing later", async () => {
  const house = await startWithHistory();
  const { received, resume, close } = await connectRaw(house, {
    op: "subscribe",
    id: 1,
    stream: `room:${house.room.id}`,
  });
  expect(await settled(house.reading)).toBeLessThan(MOST_BATCHES);
  resume();
  await received((text) => text.includes(`"next":1000}`));
  close();
});

/** A hand-written WebSocket client that can stop reading. */
const connectRaw = async (house: Served, frame: unknown) => {
  let text = "";
  let check: (() => void) | undefined;
  const opened = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: house.port,
    socket: {
      data(_, chunk) {
        text += chunk.toString("latin1").replace(/x+/g, "x");
        if (text.startsWith("HTTP/1.1 101")) opened.resolve();
        check?.();
      },
    },
  });
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\nAuthorization: Bearer ${house.key}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  await opened.promise;
  socket.pause();
  // A masked text frame with a mask of zeros.
  const body = Buffer.from(JSON.stringify(frame));
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]));
  return {
    resume: () => socket.resume(),
    close: () => socket.end(),
    received: (holds: (all: string) => boolean) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (holds(text)) resolve();
        };
        check();
      }),
  };
};

test("a malformed request line or target is refused, and the server keeps running", async () => {
  const house = await start();
  const head = `Host: 127.0.0.1:${house.port}\r\nAuthorization: Bearer ${house.key}\r\n\r\n`;
  const answered = (text: string): boolean => text.includes("\r\n\r\n");
  for (const line of [
    "GET //%ff%00 HTTP/1.1",
    "GET /api/rooms/%e0%a4 HTTP/1.1",
    "GARBAGE",
    "GET \xff\xfe HTTP/1.1",
    "GET * HTTP/1.1",
  ]) {
    expect(await raw(house.port, `${line}\r\n${head}`, answered)).toStartWith("HTTP/1.1 400");
  }
  expect(await raw(house.port, "GET / HTTP/1.0\r\n\r\n", answered)).toStartWith("HTTP/1.1 421");
  expect(await raw(house.port, `GET / HTTP/1.1\r\nHost: evil\r\n${head}`, answered)).toStartWith("HTTP/1.1 421");
  expect((await house.fetch("/healthz")).status).toBe(200);
});

test("a body over the limit is refused with our own error, with and without a length", async () => {
  const house = await start();
  const path = "/api/rooms/hall/messages";
  const headers = { "content-type": "application/json" };
  const large = "x".repeat(1_200_000);
  const known = await house.fetch(path, { method: "POST", headers, body: large });
  expect([known.status, (await known.json()).error.code]).toEqual([413, "request.too-large"]);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(large));
      controller.close();
    },
  });
  const unknown = await house.fetch(path, { method: "POST", headers, body: chunks });
  expect([unknown.status, (await unknown.json()).error.code]).toEqual([413, "request.too-large"]);
});

test("an upgrade without a credential, or from another site's page, is refused before any frame", async () => {
  const house = await start();
  const good = `Bearer ${house.key}`;
  for (const headers of [
    {},
    { authorization: "Bearer hearth_no" },
    { authorization: good, origin: "http://evil.example" },
    { authorization: good, origin: "null" },
  ]) {
    const refused = connect(house, headers as never);
    expect(await refused.opened).toBe(false);
    expect(refused.frames).toEqual([]);
  }
  expect(await connect(house).opened).toBe(true);
});

test("an attempt with a wrong key counts for the address of its connection, whatever its headers claim", async () => {
  const peers: unknown[] = [];
  const guess = () => ({ confirm: () => {} });
  const attempts = {
    recordInvalidCredential: (peer: unknown) => void peers.push(peer),
    guess,
    guessCode: guess,
    challenge: () => {},
  };
  const house = await start({ people: { attempts } });
  const headers = { authorization: "Bearer hearth_no", "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.8" };
  expect((await house.fetch("/api/me", { headers })).status).toBe(401);
  expect(await connect(house, headers).opened).toBe(false);
  expect(peers).toEqual(["127.0.0.1", "127.0.0.1"]);
});

test("a socket posts, follows, and resumes by offset", async () => {
  const house = await start();
  const first = connect(house);
  await first.opened;
  first.send({ op: "subscribe", id: 1, stream: `room:${house.room.id}` });
  first.send({ op: "post", id: 2, room: house.room.id, message: { text: "hello" } });
  await first.until(
    () => first.frames.some((frame) => frame["type"] === "events") && first.frames.some((frame) => frame["id"] === 2),
  );
  first.socket.close();
  await first.closed;
  await house.say("meanwhile");
  const second = connect(house);
  await second.opened;
  second.send({ op: "subscribe", id: 1, stream: `room:${house.room.id}`, after: 1 });
  await second.until(() => second.frames.some((frame) => frame["type"] === "events"));
  const got = second.frames.flatMap((frame) => (frame["events"] ?? []) as StoredEvent[]);
  expect(got.map((event) => event.offset)).toEqual([2]);
});

test("a frame over the limit closes the socket", async () => {
  const house = await start();
  const large = connect(house);
  await large.opened;
  large.socket.send("x".repeat(1024 * 1024 + 1));
  expect((await large.closed).code).toBe(1009);
  expect((await house.fetch("/healthz")).status).toBe(200);
});

test("revoking a key closes its sockets and streams even when they are idle", async () => {
  const house = await start();
  const socket = connect(house);
  await socket.opened;
  const stream = events(await house.fetch("/api/rooms/hall/events", { headers: { accept: "text/event-stream" } }));
  await take(stream, 1);
  const [record] = await house.options.people.keys.list();
  if (record === undefined) throw new Error("no key");
  await house.options.people.keys.revoke(record.id, house.owner.id);
  expect((await socket.closed).code).toBe(1008);
  expect(await take(stream, 1)).toEqual([]);
});

test("stopping ends streams, polls and sockets, and lets running requests finish", async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const house = await start({
    reports: {
      doctor: async () => {
        asked.resolve();
        await go.promise;
        return [];
      },
    },
  });
  const socket = connect(house);
  await socket.opened;
  const stream = events(await house.fetch("/api/rooms/hall/events", { headers: { accept: "text/event-stream" } }));
  await take(stream, 1);
  const poll = house.fetch("/api/rooms/hall/events?wait=60000");
  const slow = house.fetch("/api/doctor");
  await asked.promise;
  const stopped = house.stop();
  expect((await socket.closed).code).toBe(1001);
  expect(await take(stream, 1)).toEqual([]);
  expect(await (await poll).json()).toMatchObject({ events: [], next: 0, head: 0 });
  go.resolve();
  expect((await slow).status).toBe(200);
  await stopped;
  await expect(fetch(`http://127.0.0.1:${house.port}/healthz`)).rejects.toThrow();
});

test("A16: a request whose end a proxy could see elsewhere is refused, and what follows is not a request", async () => {
  const house = await start();
  const host = `Host: 127.0.0.1:${house.port}`;
  const hidden = `GET /healthz?hidden HTTP/1.1\r\n${host}\r\n\r\n`;
  const both = `Content-Length: ${5 + hidden.length}`;
  const chunked = "Transfer-Encoding: chunked";
  for (const headers of [
    `${both}\r\n${chunked}`,
    `${chunked}\r\n${both}`,
    `Content-Length: 0\r\n${both}`,
    `Content-Length: 0, ${hidden.length}`,
    "Content-Length: +0",
    `Content-Length : ${hidden.length}`,
    `Transfer-Encoding : chunked\r\n${both}`,
    `Transfer-Encoding:\r\n chunked\r\n${both}`,
    `Transfer-Encoding: \x0bchunked\r\n${both}`,
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked, identity",
    `${chunked}\r\nTransfer-Encoding: identity`,
    `X: a\n${chunked}\r\n${both}`,
    `X: a\r${chunked}\r\n${both}`,
    `X: a\0b\r\nContent-Length: 0`,
  ]) {
    const text = await raw(
      house.port,
      `POST /login HTTP/1.1\r\n${host}\r\n${headers}\r\n\r\n0\r\n\r\n${hidden}`,
      () => false,
    );
    expect([headers, text]).toEqual([headers, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"]);
  }
  for (const chunks of ["0 \r\n\r\n", "0x0\r\n\r\n", "0;a=\n\r\n\r\n", "1\r\naXX0\r\n\r\n"]) {
    const text = await raw(
      house.port,
      `POST /login HTTP/1.1\r\n${host}\r\n${chunked}\r\n\r\n${chunks}${hidden}`,
      () => false,
    );
    // The first answer is to the request itself, which had no type of body.
    expect([chunks, text.match(/HTTP\/1\.1 \d+/g)]).toEqual([chunks, ["HTTP/1.1 415", "HTTP/1.1 400"]]);
  }
});

test("A12: a request with two Host headers is refused", async () => {
  const house = await start();
  const [own, other] = [`Host: 127.0.0.1:${house.port}`, "Host: evil.example"];
  for (const hosts of [`${own}\r\n${other}`, `${other}\r\n${own}`, `${own}\r\n${own}`]) {
    const text = await raw(house.port, `GET /healthz HTTP/1.1\r\n${hosts}\r\n\r\n`, (answer) =>
      answer.includes("\r\n\r\n"),
    );
    expect([hosts, text.slice(0, 12)]).toEqual([hosts, "HTTP/1.1 421"]);
  }
});
