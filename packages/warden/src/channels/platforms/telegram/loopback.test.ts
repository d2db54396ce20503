/**
 * Tests the channel with Bun's own `fetch` on real sockets that refuse, hang up or never answer.
 */
import { expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import type { SendResult } from "../../channel.ts";
import { createTelegramChannel } from "./telegram.ts";

const clock = {
  now: () => 0,
  monotonic: () => 0,
  // No time passes, so no deadline ends what these sockets do.
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true })),
  turn: () => Promise.resolve(),
};

const send = (port: number, signal = new AbortController().signal): Promise<SendResult> =>
  createTelegramChannel({
    fetch: (input, init) => fetch(input, init),
    clock,
    token: "1:secret-token",
    webhookSecret: "s",
    baseUrl: `http://127.0.0.1:${port}`,
  }).send({ conversation: "1", text: "Hello", key: "k" }, signal);

/** Starts a server whose requests meet these handlers in order; the last handler repeats. */
const withServer = async (
  doings: readonly ((socket: Socket) => void)[],
  work: (port: number, requests: () => number, connections: () => number) => Promise<void>,
): Promise<void> => {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => {
      doings[Math.min(requests, doings.length - 1)]?.(socket);
      requests += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(
      (server.address() as { port: number }).port,
      () => requests,
      () => sockets.size,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
};

const answer =
  (body: string, length = body.length) =>
  (socket: Socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);
const sent = answer('{"ok":true,"result":{"message_id":7}}');

test("a refused connection is retried later", async () => {
  let free = 0;
  await withServer([], async (port) => {
    free = port;
  });
  const result = await send(free);
  expect(result).toMatchObject({ kind: "later", error: { code: "channel.unreachable" } });
  expect(JSON.stringify(result)).not.toContain("secret-token");
});

test("a server that reads the request and hangs up: unknown, and the runtime does not resend", async () => {
  await withServer([sent, (socket) => void socket.destroy()], async (port, requests) => {
    expect(await send(port)).toEqual({ kind: "sent", messageId: "7" });
    const result = await send(port);
    expect(result).toMatchObject({ kind: "unknown", error: { code: "channel.unreachable" } });
    expect(JSON.stringify(result)).not.toContain("secret-token");
    expect(requests()).toBe(2);
  });
});

test("every message uses a new connection, because an old one may be dead", async () => {
  await withServer([sent], async (port, _requests, connections) => {
    await send(port);
    await send(port);
    expect(connections()).toBe(2);
  });
});

test("a redirect: later, and the token is not sent on", async () => {
  const elsewhere = (socket: Socket): void =>
    void socket.write("HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n");
  await withServer([elsewhere, sent], async (port, requests) => {
    expect(await send(port)).toMatchObject({ kind: "later" });
    expect(requests()).toBe(1);
  });
});

test("a server that breaks off in the middle of its answer: unknown", async () => {
  const half = (socket: Socket): void => {
    answer('{"ok":true', 100)(socket);
    socket.end();
  };
  await withServer([half], async (port) => {
    expect(await send(port)).toMatchObject({ kind: "unknown" });
  });
});

test("an abort during the request: unknown, and the connection ends", async () => {
  const stop = new AbortController();
  const closed = Promise.withResolvers<void>();
  const hang = (socket: Socket): void => {
    socket.on("close", () => closed.resolve());
    stop.abort();
  };
  await withServer([hang], async (port) => {
    expect(await send(port, stop.signal)).toMatchObject({ kind: "unknown" });
    await closed.promise;
  });
});
