/** How the proxy ends a connection, and what it leaves behind. */
import { expect, test } from "bun:test";
import type { ActivationId, ByteStream } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { AGENT, TURN } from "../../fixtures/egress.ts";
import type { ExchangeResponse, OutgoingRequest } from "./exchange.ts";
import { fromLatin1, toLatin1 } from "./head.ts";
import type { Connection, Tls } from "./network/network.ts";
import { serveProxy } from "./proxy.ts";

const TOKEN = `Proxy-Authorization: Basic ${btoa("hearth:good")}\r\n`;
const GET = `GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n${TOKEN}\r\n`;
const CONNECT = `CONNECT a.example:443 HTTP/1.1\r\n${TOKEN}\r\n`;
const INSIDE = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";

/** A signal that counts its listeners. */
const createCountedSignal = () => {
  const signal = new AbortController().signal;
  const calls: string[] = [];
  const add = signal.addEventListener.bind(signal);
  let isOver = (): boolean => false;
  Object.assign(signal, {
    addEventListener(type: string, listener: () => void, options?: AddEventListenerOptions) {
      if (options?.signal !== undefined) {
        calls.push("listens");
        const { signal: until } = options;
        isOver = () => until.aborted;
      }
      add(type, listener, options);
    },
  });
  return { signal, calls, isOver: () => isOver() };
};

const start = (input: readonly string[], over: { readonly tls?: Tls } = {}) => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const events: string[] = [];
  const asked: OutgoingRequest[] = [];
  const counted = createCountedSignal();
  const caller = { agent: AGENT, activation: TURN as ActivationId, signal: counted.signal };
  const stream: ByteStream = {
    bytes: (async function* () {
      for (const piece of input) yield fromLatin1(piece);
    })(),
    async write(bytes: Uint8Array) {
      const text = toLatin1(bytes);
      if (text.startsWith("HTTP/")) events.push(text.split(" ")[1] ?? "");
    },
    end: () => events.push("end"),
    reset: () => events.push("reset"),
  } as unknown as ByteStream;
  const answer: ExchangeResponse = {
    ...{ status: 200, reason: "OK", headers: [], framing: { kind: "none" } },
    isFromPublicWeb: false,
    body: (async function* () {})(),
    close: async () => void events.push("close"),
  };
  const served = serveProxy(stream, {
    clock,
    tls: over.tls ?? { terminate: () => Promise.reject(new Error("never")), certificate: async () => "" },
    async exchange(outgoing) {
      asked.push(outgoing);
      return answer;
    },
    openUpstream: () => ({ connect: () => Promise.reject(new Error("never")), drop: () => events.push("drop") }),
    callerOf: (token) => (token === "good" ? caller : undefined),
  });
  return { events, asked, counted, served, advance };
};

test("a connection that the cell ends is ended, and its upstream connection dropped", async () => {
  const { served, events, asked } = start([GET, GET]);
  await served;
  expect(events).toEqual(["200", "close", "200", "close", "end", "drop"]);
  expect(asked.length).toBe(2);
});

test("a connection that breaks off within a head is reset", async () => {
  const { served, events } = start([GET, GET.slice(0, 20)]);
  await served;
  expect(events).toEqual(["200", "close", "reset", "drop"]);
});

test("a turn is listened to once per connection, and no longer than the connection", async () => {
  const { served, counted } = start([GET, GET, GET]);
  await served;
  expect([counted.calls, counted.isOver()]).toEqual([["listens"], true]);
});

/** TLS whose client sends `input` and then ends, or never does. */
const createTls = (input: readonly string[], ends: "at once" | "never") => {
  const events: string[] = [];
  const inner: Connection = {
    bytes: (async function* () {
      for (const piece of input) yield fromLatin1(piece);
      if (ends === "never") await new Promise(() => {});
      events.push("client ends");
    })(),
    write: async () => {},
    end: () => events.push("end"),
    reset: () => events.push("reset"),
  };
  return { events, tls: { terminate: async () => inner, certificate: async () => "" } satisfies Tls };
};

test("TLS is ended in order: the house ends it, waits for the client, and resets", async () => {
  const { events, tls } = createTls([INSIDE.replace("\r\n", "\r\nConnection: close\r\n"), "late"], "at once");
  const { served, asked, counted } = start([CONNECT, "\x16"], { tls });
  await served;
  expect([asked.length, events]).toEqual([1, ["end", "client ends", "reset"]]);
  expect([counted.calls, counted.isOver()]).toEqual([["listens"], true]);
});

test("TLS is reset 2 s after its end if the client does not end it", async () => {
  const { events, tls } = createTls([INSIDE.replace("\r\n", "\r\nConnection: close\r\n")], "never");
  const { served, advance } = start([CONNECT, "\x16"], { tls });
  await new Promise((resolve) => setImmediate(resolve));
  await advance(1999);
  expect(events).toEqual(["end"]);
  await advance(1);
  await served;
  expect(events).toEqual(["end", "reset"]);
});
