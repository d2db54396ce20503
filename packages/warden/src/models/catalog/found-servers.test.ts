import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { findServers, type ServerSearch } from "./found-servers.ts";
import { settle } from "../provider.conformance.ts";
import type { WireReply } from "../wires/wire-fake.ts";
import { createFakeWire } from "../wires/wire-fake.ts";
import { bytes, listOf } from "../wires/wire-harness.conformance.ts";

const never = new AbortController().signal;
const one = { name: "one", kind: "openai", baseUrl: "http://127.0.0.1:1111/v1" };
const two = { name: "two", kind: "openai", baseUrl: "http://127.0.0.1:2222/v1" };
const named = (...names: readonly string[]): WireReply => listOf(names.map((id) => ({ id })));
const refused: WireReply = { network: Object.assign(new TypeError("no"), { code: "ECONNREFUSED" }) };

/** The n-th server receives the n-th reply. */
const open = (replies: readonly WireReply[], over: Partial<ServerSearch> = {}) => {
  const wire = createFakeWire(replies);
  const world = createFakeWorld({ hash: () => "", fetch: wire.fetch });
  return { wire, world, found: findServers({ world, servers: [one, two], configured: [], signal: never, ...over }) };
};

describe("the search for model servers", () => {
  test("finds the servers that answer, with their models", async () => {
    const { wire, found } = open([named("llama3.2:latest", "nomic-embed-text", "qwen3:8b"), named()]);
    expect(await found).toEqual([
      { ...one, models: ["llama3.2:latest", "qwen3:8b", "nomic-embed-text"] },
      { ...two, models: [] },
    ]);
    expect(wire.requests.map(({ url }) => url)).toEqual([
      "http://127.0.0.1:1111/v1/models",
      "http://127.0.0.1:2222/v1/models",
    ]);
    expect(wire.requests.map(({ headers }) => headers.get("authorization"))).toEqual([null, null]);
  });

  test("finds nothing where no server answers, without an error", async () => {
    expect(await open([refused, refused]).found).toEqual([]);
  });

  test.each<[string, WireReply]>([
    ["a web page", { headers: { "content-type": "text/html" }, chunks: [bytes("<html></html>")] }],
    ["another program", { headers: {}, chunks: [bytes('{"data":"mine"}')] }],
    ["a refusal", { status: 401, headers: {}, chunks: [bytes('{"data":[]}')] }],
    ["a redirect", { status: 302, headers: { location: "http://elsewhere.example/" }, chunks: [] }],
    ["a connection that breaks", { chunks: [bytes('{"data":[')], then: "break" }],
    ["an answer without an end", { chunks: Array.from({ length: 20 }, () => bytes("x".repeat(1024 * 1024))) }],
  ])("%s at the port is not a model server, and other servers are still found", async (_what, reply) => {
    const { wire, found } = open([reply, named("small")]);
    expect(await found).toEqual([{ ...two, models: ["small"] }]);
    expect(wire.requests).toHaveLength(2);
  });

  test("waits for each only briefly, and for all at once", async () => {
    const { wire, world, found } = open([{ chunks: [bytes('{"data":[')], then: "hang" }, named("small")]);
    await settle();
    expect(wire.requests).toHaveLength(2);
    await world.advance(800);
    expect(await found).toEqual([{ ...two, models: ["small"] }]);
    await settle();
    expect(wire.open()).toBe(0);
  });

  test("ends when its caller aborts", async () => {
    const asking = new AbortController();
    const { found } = open([{ chunks: [], then: "hang" }, refused], { signal: asking.signal });
    await settle();
    asking.abort();
    expect(await found).toEqual([]);
  });

  test("returns at most 200 models of one server", async () => {
    const { found } = open([named(...Array.from({ length: 300 }, (_, index) => `m${index}`)), refused]);
    const [server] = await found;
    expect(server?.models).toHaveLength(200);
  });

  test.each(["http://127.0.0.1:1111/v1", "http://localhost:1111/v1/", "http://[::1]:1111/v1"])(
    "skips a server that is configured as %s",
    async (baseUrl) => {
      const { wire, found } = open([named("small")], { configured: [{ name: "mine", baseUrl }] });
      expect(await found).toEqual([{ ...two, models: ["small"] }]);
      expect(wire.requests).toHaveLength(1);
    },
  );

  test("chooses an unused name", async () => {
    const configured = [{ name: "one", baseUrl: "http://127.0.0.1:3333/v1" }, { name: "one-2" }];
    const { found } = open([named("small"), refused], { configured });
    expect(await found).toEqual([{ ...one, name: "one-3", models: ["small"] }]);
  });
});
