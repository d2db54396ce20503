/**
 * Providers over real sockets: a server that speaks the vendors' wires, and servers that hang,
 * close the connection or do not exist.
 */
import { LLMock } from "@copilotkit/aimock";
import type { Clock, ModelMessage } from "@hearth/protocol";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { findServers } from "../catalog/found-servers.ts";
import { createOpenAIProvider } from "./openai.ts";
import { type Answer, ask, codeOf, collect } from "../provider.conformance.ts";
import { IDLE_TIMEOUT_MS, type Provider } from "../provider.ts";

const never = new AbortController().signal;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** The longest silence takes 20 ms. */
const SPEED = IDLE_TIMEOUT_MS / 20;
const fastClock: Clock = {
  ...clock,
  monotonic: () => clock.monotonic() * SPEED,
  sleep: (ms, signal) => clock.sleep(ms / SPEED, signal),
};

const open = async (kind: "anthropic" | "openai", url: string, usedClock = clock): Promise<Provider> => {
  const options = {
    fetch: (...input: Parameters<typeof fetch>) => fetch(...input),
    clock: usedClock,
    apiKey: "key",
  };
  return kind === "anthropic"
    ? createAnthropicProvider({ ...options, baseUrl: url })
    : createOpenAIProvider({ ...options, baseUrl: `${url}/v1` });
};

describe.each(["anthropic", "openai"] as const)("%s on a server that speaks the wire", (kind) => {
  const mock = new LLMock({ port: 0 });
  mock.on({ userMessage: "read it", hasToolResult: true }, { content: "It says: milk." });
  mock.onMessage("read it", { content: "I look.", toolCalls: [{ name: "read", arguments: '{"path":"notes.md"}' }] });
  mock.onMessage("hello", { content: "Hi there! 🌍 Grüße." });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  test("a text arrives", async () => {
    const provider = await open(kind, mock.url);
    const { last } = await collect(provider.stream(ask("hello"), never));
    expect(last).toMatchObject({ type: "end", stopReason: "end", message: { text: "Hi there! 🌍 Grüße." } });
  });

  test("a tool call and its result are exchanged", async () => {
    const provider = await open(kind, mock.url);
    const first = await collect(provider.stream(ask("read it"), never));
    expect(first.last).toMatchObject({
      stopReason: "tool-calls",
      message: { text: "I look.", toolCalls: [{ name: "read", input: { path: "notes.md" } }] },
    });
    if (first.last.type !== "end") throw new Error("no end");
    const { message } = first.last;
    const results = message.toolCalls.map((call): ModelMessage => ({
      role: "tool",
      call: call.id,
      name: call.name,
      text: "milk",
      failed: false,
    }));
    const second = await collect(
      provider.stream({ ...ask(""), messages: [{ role: "user", text: "read it" }, message, ...results] }, never),
    );
    expect(second.last).toMatchObject({ stopReason: "end", message: { text: "It says: milk." } });
  });

  test.each([
    [401, "provider.auth"],
    [429, "provider.rate-limited"],
    [500, "provider.failed"],
    [503, "provider.overloaded"],
  ])("its %i is %s", async (status, code) => {
    const provider = await open(kind, mock.url);
    mock.nextRequestError(status, { message: "not now" });
    const result = await collect(provider.stream(ask("hello"), never));
    expect(codeOf(result)).toBe(code);
    expect(JSON.stringify(result.last)).toContain("not now");
  });
});

/**
 * A server that begins a stream and then hangs or resets. `gone` resolves when the caller closes
 * the connection.
 */
const serve = (then: "hang" | "reset") => {
  const gone = Promise.withResolvers<void>();
  const begin = 'data: {"choices":[{"index":0,"delta":{"content":"I begin, and "},"finish_reason":null}]}\n\n';
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        socket.write(`${head}${begin.length.toString(16)}\r\n${begin}\r\n`);
        socket.flush();
        if (then === "reset") socket.terminate();
      },
      close: () => gone.resolve(),
      error: () => undefined,
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, gone: gone.promise, [Symbol.dispose]: () => server.stop(true) };
};

describe("a provider over a socket", () => {
  test("a stop closes the connection", async () => {
    using server = serve("hang");
    const provider = await open("openai", server.url);
    const stop = new AbortController();
    const types: string[] = [];
    for await (const event of provider.stream(ask("hello"), stop.signal)) {
      types.push(event.type);
      stop.abort();
    }
    expect(types).toEqual(["text-delta", "error"]);
    await server.gone;
  });

  test("silence closes the connection", async () => {
    using server = serve("hang");
    const provider = await open("openai", server.url, fastClock);
    expect(codeOf(await collect(provider.stream(ask("hello"), never)))).toBe("provider.timeout");
    await server.gone;
  });

  test("a broken connection is a broken answer", async () => {
    using server = serve("reset");
    const provider = await open("openai", server.url);
    expect(["provider.truncated", "provider.unreachable"]).toContain(
      codeOf(await collect(provider.stream(ask("hello"), never))),
    );
  });

  test("a missing server is reported", async () => {
    const url = ((): string => {
      using server = serve("hang");
      return server.url;
    })();
    const answers: Answer[] = await Promise.all(
      (["anthropic", "openai"] as const).map(async (kind) =>
        collect((await open(kind, url)).stream(ask("hello"), never)),
      ),
    );
    for (const { last } of answers) {
      expect(last).toMatchObject({
        error: { code: "provider.unreachable", message: expect.stringContaining("no server listens there") },
      });
    }
  });

  test("a redirect is not followed, so request and key stay with the host", async () => {
    let led = 0;
    const elsewhere = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        led += 1;
        return new Response("");
      },
    });
    const here = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.redirect(elsewhere.url.href, 307) });
    try {
      const provider = await open("openai", here.url.origin);
      expect(codeOf(await collect(provider.stream(ask("hello"), never)))).toBe("provider.malformed");
      expect(led).toBe(0);
    } finally {
      await Promise.all([here.stop(true), elsewhere.stop(true)]);
    }
  });

  test("a server that redirects the request for models is not used", async () => {
    let led = 0;
    const elsewhere = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        led += 1;
        return Response.json({ data: [] });
      },
    });
    const here = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.redirect(elsewhere.url.href, 307) });
    const servers = [here, elsewhere].map(({ url }, index) => ({
      name: `s${index}`,
      kind: "openai",
      baseUrl: `${url.origin}/v1`,
    }));
    try {
      const world = { clock, fetch: (...input: Parameters<typeof fetch>) => fetch(...input) };
      const found = await findServers({ world, servers, configured: [], signal: never });
      expect(found.map(({ name }) => name)).toEqual(["s1"]);
      expect(led).toBe(1);
    } finally {
      await Promise.all([here.stop(true), elsewhere.stop(true)]);
    }
  });

  test("a connection is reused for the next call", async () => {
    let connections = 0;
    const body = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open() {
          connections += 1;
        },
        data(socket) {
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
          );
          // The end of the body comes shortly after the last event, as on a network.
          setImmediate(() => socket.write("0\r\n\r\n"));
        },
        error: () => undefined,
      },
    });
    try {
      const provider = await open("openai", `http://127.0.0.1:${server.port}`);
      for (let call = 0; call < 3; call += 1) {
        expect(codeOf(await collect(provider.stream(ask("hello"), never)))).toBe("end");
        for (let turn = 0; turn < 20; turn += 1) await clock.turn();
      }
      expect(connections).toBe(1);
    } finally {
      server.stop(true);
    }
  });
});
