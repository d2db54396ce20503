import { expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createByteReader } from "./byte-reader.ts";
import { createConnectionPair } from "./network/fake-network.ts";
import { createUpstreamConnection, type RequestConnection } from "./upstream-connection.ts";
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
    .connect({ scheme: "http", host: "a.example", port: 80 }, meter(), { signal: never, isPublic: false })
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
    .connect({ scheme: "http", host: "a.example", port: 80 }, meter(), { signal: never, isPublic: false })
    .catch((error: unknown) => error);
  await advance(11_000);
  expect(String(await taking)).toContain("Resolving a.example took longer than 10 s.");
});

/** The connection after a response. `takes`: what the upstream does with the request's body. */
const after = async (answer: string, takes: "all" | "nothing" | "breaks") => {
  const writeBody = () =>
    takes === "nothing" ? new Promise<never>(() => {}) : Promise.reject(new HearthError("egress.failed", "It broke."));
  const wire: RequestConnection = {
    reader: createByteReader(
      (async function* () {
        yield new TextEncoder().encode(answer);
      })(),
    ),
    write: (bytes) => (takes === "all" || bytes[0] === "P".charCodeAt(0) ? Promise.resolve() : writeBody()),
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
  expect(await after(`${whole}\r\nhi`, "all")).toBe(true);
  expect(await after(`${whole}\r\nhi`, "nothing")).toBe(false);
  expect(await after(`${whole}\r\nhi`, "breaks")).toBe(false);
  expect(await after(`${whole}Connection: close\r\n\r\nhi`, "all")).toBe(false);
  expect(await after(`${whole}\r\nhiHTTP/1.1 200`, "all")).toBe(false);
  expect(await after("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", "all")).toBe(false);
  expect(await after("HTTP/1.1 200 OK\r\n\r\nhi", "all")).toBe(false);
});

const open = { scheme: "http", host: "a.example", port: 80 } as const;

test("a turn that ends while it connects tries no further address", async () => {
  const { clock } = world();
  const stopper = new AbortController();
  const dialled: string[] = [];
  const line = createUpstreamConnection({
    ...{ clock, mayDial: () => true, resolver: { resolve: async () => ["93.184.216.34", "93.184.216.35"] } },
    network: {
      async dial({ address }) {
        dialled.push(address);
        stopper.abort();
        throw new HearthError("egress.failed", "Connection refused.");
      },
    },
  });
  const taken = await line
    .connect(open, meter(), { signal: stopper.signal, isPublic: false })
    .catch((error: unknown) => error);
  expect(isHearthError(taken, "egress.failed")).toBe(true);
  expect(dialled).toEqual(["93.184.216.34"]);
});

test("at most four addresses of a host are tried", async () => {
  const dialled: string[] = [];
  const addresses = [1, 2, 3, 4, 5, 6].map((last) => `93.184.216.${last}`);
  const line = createUpstreamConnection({
    ...{ clock: world().clock, mayDial: () => true, resolver: { resolve: async () => addresses } },
    network: {
      async dial({ address }) {
        dialled.push(address);
        throw new HearthError("egress.failed", `No server at ${address}.`);
      },
    },
  });
  await expect(line.connect(open, meter(), { signal: never, isPublic: false })).rejects.toThrow(
    "No server at 93.184.216.4.",
  );
  expect(dialled).toEqual(addresses.slice(0, 4));
});

test("the connection is reset when it is dropped, or when the next request is for another place", async () => {
  const events: string[] = [];
  const line = createUpstreamConnection({
    ...{ clock: world().clock, mayDial: () => true, resolver: { resolve: async () => ["93.184.216.34"] } },
    network: {
      async dial({ port }) {
        events.push(`dial ${port}`);
        return {
          bytes: (async function* () {})(),
          write: async (bytes) => void events.push(`write ${bytes.length}`),
          end: () => events.push("end"),
          reset: () => events.push(`reset ${port}`),
        };
      },
    },
  });
  const wire = await line.connect(open, meter(), { signal: never, isPublic: false });
  await wire.write(new Uint8Array(3));
  // An empty piece is not sent.
  await wire.write(new Uint8Array());
  await line.connect(open, meter(), { signal: never, isPublic: false });
  await line.connect({ ...open, port: 81 }, meter(), { signal: never, isPublic: false });
  line.drop();
  line.drop();
  expect(events).toEqual(["dial 80", "write 3", "reset 80", "dial 81", "reset 81"]);
});

const requestOver = async (pieces: AsyncIterable<Uint8Array>, now: ReturnType<typeof world>, pauses: number[] = []) => {
  const wire: RequestConnection = { reader: createByteReader(pieces), write: async () => {} };
  const body = {
    framing: { kind: "chunked" } as const,
    bytes: (async function* () {
      for (const pause of pauses) {
        await now.clock.sleep(pause, never);
        yield new TextEncoder().encode("abc");
      }
    })(),
  };
  return roundTrip(wire, { method: "PUT", target: "/", headers: [], body }, { ...now, signal: never });
};
const encode = (text: string) => new TextEncoder().encode(text);

test("the time to answer starts when the request has been sent", async () => {
  const now = world();
  const answer = async function* () {
    await now.clock.sleep(5 * 100_000 + 250_000, never);
    yield encode("HTTP/1.1 204 No Content\r\n\r\n");
  };
  const trip = requestOver(answer(), now, Array<number>(5).fill(100_000));
  for (let at = 0; at < 800_000; at += 50_000) await now.advance(50_000);
  expect((await trip).head.status).toBe(204);
  const silent = async function* () {
    await now.clock.sleep(301_000, never);
    yield encode("HTTP/1.1 204 No Content\r\n\r\n");
  };
  const late = requestOver(silent(), now).catch((error: unknown) => error);
  await now.clock.turn();
  await now.advance(400_000);
  expect(String(await late)).toContain("The answer took longer than 300 s.");
});

test("at most ten interim responses may precede the response", async () => {
  const answerAfter = (count: number) =>
    requestOver(
      (async function* () {
        yield encode(`${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(count)}HTTP/1.1 204 No Content\r\n\r\n`);
      })(),
      world(),
    ).then(
      ({ head }) => head.status,
      (error: unknown) => String(error),
    );
  expect(await answerAfter(10)).toBe(204);
  expect(await answerAfter(11)).toContain("more than 10 interim responses");
});
