import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createByteReader } from "./byte-reader.ts";
import { createConnectionPair } from "./network/fake-network.ts";
import { createUpstreamConnection, type Wire } from "./upstream-connection.ts";
import type { Connection } from "./network/network.ts";
import { roundTrip } from "./round-trip.ts";

const world = () => createFakeWorld({ hash: () => "" });
const never = new AbortController().signal;
const meter = () => ({ allowance: { left: () => Infinity, use: () => {} }, sent: 0, received: 0 });

test("a connection that opens after its deadline is reset", async () => {
  const { clock, advance } = world();
  const late = Promise.withResolvers<Connection>();
  const signals: AbortSignal[] = [];
  const line = createUpstreamConnection({
    clock,
    mayDial: () => true,
    resolver: { resolve: async () => ["93.184.216.34"] },
    network: {
      dial: (_request, signal) => {
        signals.push(signal);
        return late.promise;
      },
    },
  });
  const taking = line
    .take({ scheme: "http", host: "a.example", port: 80 }, meter(), never)
    .catch((error: unknown) => error);
  await clock.turn();
  await advance(16_000);
  expect(isHearthError(await taking, "egress.failed")).toBe(true);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const [near, far] = createConnectionPair();
  late.resolve(near);
  const read = (async () => {
    for await (const _ of far.bytes) continue;
  })();
  expect(await read.catch(() => "given up")).toBe("given up");
});

test("resolving a name has a deadline", async () => {
  const { clock, advance } = world();
  const line = createUpstreamConnection({
    ...{ clock, mayDial: () => true, network: { dial: () => Promise.reject(new Error("never")) } },
    resolver: { resolve: () => new Promise(() => {}) },
  });
  const taking = line
    .take({ scheme: "http", host: "a.example", port: 80 }, meter(), never)
    .catch((error: unknown) => error);
  await advance(11_000);
  expect(String(await taking)).toContain("Resolving a.example took longer than 10 s.");
});

/** The connection after a response. `takes`: whether the upstream reads the request's body. */
const after = async (answer: string, takes: boolean) => {
  const wire: Wire = {
    reader: createByteReader(
      (async function* () {
        yield new TextEncoder().encode(answer);
      })(),
    ),
    write: (bytes) => (takes || bytes[0] === "P".charCodeAt(0) ? Promise.resolve() : new Promise(() => {})),
  };
  const body = {
    framing: { kind: "length", size: 3 } as const,
    bytes: (async function* () {
      yield new TextEncoder().encode("abc");
    })(),
  };
  const trip = await roundTrip(wire, { method: "PUT", target: "/", headers: [], body }, { ...world(), signal: never });
  for await (const _ of trip.body) continue;
  return trip.isReusable();
};

test("a connection is reused only after a response that ended in order", async () => {
  const whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n";
  expect(await after(`${whole}\r\nhi`, true)).toBe(true);
  expect(await after(`${whole}\r\nhi`, false)).toBe(false);
  expect(await after(`${whole}Connection: close\r\n\r\nhi`, true)).toBe(false);
  expect(await after(`${whole}\r\nhiHTTP/1.1 200`, true)).toBe(false);
  expect(await after("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", true)).toBe(false);
  expect(await after("HTTP/1.1 200 OK\r\n\r\nhi", true)).toBe(false);
});
