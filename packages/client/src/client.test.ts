import { afterEach, describe, expect, test } from "bun:test";
import { ActivationId, type Fetch, type HearthError, isHearthError } from "@hearth/protocol";
import { createClient } from "./client.ts";

const ID = "0".repeat(26);
const HOUSE = `house_${ID}`;
const base = { house: HOUSE, version: 1, createdAt: 1, updatedAt: 1 };
const agent = { type: "agent", id: `agent_${ID}`, handle: "main", ...base, content: { name: "Main", kind: "bot" } };
const room = { type: "room", id: `room_${ID}`, handle: "den", ...base, content: { name: "Den", kind: "group" } };
const message = {
  ...{ type: "message", room: room.id, author: agent.id, at: 1, body: { format: "markdown", text: "hi" } },
  ...{ mentions: [], causes: [], id: `evt_${ID}`, offset: 1 },
};
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const act = ActivationId.parse(`act_${ID}`);
const activation = {
  ...{
    id: act,
    agent: agent.id,
    room: room.id,
    trigger: "direct",
    cause: message.id,
    state: "replied",
    usage,
    createdAt: 1,
  },
};

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly authorization: string | null;
}

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A house that answers every request alike and remembers what it was asked. */
const open = (answer: unknown, status = 200) => {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      seen.push({
        method: request.method,
        path: pathname + search,
        body: text === "" ? undefined : JSON.parse(text),
        authorization: request.headers.get("authorization"),
      });
      return typeof answer === "string" ? new Response(answer, { status }) : Response.json(answer, { status });
    },
  });
  servers.push(server);
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { seen, client: createClient({ baseUrl, token: "t0", fetch, sleep: () => Promise.resolve() }) };
};

const failure = async (promise: Promise<unknown>): Promise<HearthError> => {
  try {
    await promise;
  } catch (error) {
    if (isHearthError(error)) return error;
    throw error;
  }
  throw new Error("It did not fail.");
};

type Call = (client: ReturnType<typeof createClient>) => Promise<unknown>;

describe("a call", () => {
  const routes: readonly (readonly [string, string, unknown, Call, unknown?])[] = [
    ["GET", "/api/agents", [agent], (client) => client.agents.list()],
    ["GET", "/api/agents/main", agent, (client) => client.agents.get("main")],
    [
      "POST",
      "/api/agents",
      agent,
      (client) => client.agents.create({ name: "Main", kind: "bot" }),
      { content: { name: "Main", kind: "bot" } },
    ],
    [
      "PATCH",
      "/api/agents/main",
      agent,
      (client) => client.agents.update("main", { content: { tools: null } }),
      { content: { tools: null } },
    ],
    ["POST", "/api/agents/main/room", room, (client) => client.agents.room("main"), {}],
    [
      "GET",
      `/api/agents/main/activations?room=${room.id}&limit=3`,
      [activation],
      (client) => client.agents.activations("main", { room: room.id as never, limit: 3 }),
    ],
    [
      "GET",
      "/api/agents/main/log?after=4",
      { events: [], next: 4 },
      (client) => client.agents.log("main", { after: 4 }),
    ],
    ["GET", "/api/rooms", [room], (client) => client.rooms.list()],
    ["POST", "/api/rooms/den/messages", message, (client) => client.rooms.post("den", { text: "hi" }), { text: "hi" }],
    [
      "GET",
      "/api/rooms/den/events?after=1&limit=2",
      { events: [message], next: 1 },
      (client) => client.rooms.events("den", { after: 1, limit: 2 }),
    ],
    ["GET", "/api/rooms/den/live", { events: [], next: 0 }, (client) => client.rooms.live("den")],
    ["GET", "/api/houses", [], (client) => client.houses.list()],
    ["GET", `/api/activations/${act}`, { ...activation, steps: [] }, (client) => client.activations.get(act)],
    ["POST", `/api/activations/${act}/stop`, activation, (client) => client.activations.stop(act), {}],
    ["GET", `/api/activations/${act}/deltas`, { events: [], next: 0 }, (client) => client.activations.deltas(act)],
    [
      "GET",
      "/api/keys",
      [{ id: `key_${ID}`, name: "k", agent: agent.id, createdAt: 1 }],
      (client) => client.keys.list(),
    ],
    [
      "POST",
      "/api/keys",
      { key: "secret", id: `key_${ID}`, name: "k", agent: agent.id },
      (client) => client.keys.create({ name: "k" }),
      { name: "k" },
    ],
    [
      "GET",
      "/api/providers",
      [{ name: "offline", kind: "offline", source: "built-in", ready: true, detail: "" }],
      (client) => client.providers.list(),
    ],
    [
      "POST",
      "/api/providers/p/test",
      { ok: true, detail: "", durationMs: 1.5 },
      (client) => client.providers.test("p", "m"),
      { model: "m" },
    ],
    [
      "POST",
      "/api/chat",
      { result: "yes", sessionId: "s" },
      (client) => client.chat("main", "hi"),
      { agentName: "main", message: "hi" },
    ],
    ["GET", "/api/doctor", [{ name: "home", ok: true, detail: "" }], (client) => client.doctor()],
    ["POST", "/api/login-links", { url: "http://x/", expiresAt: 1 }, (client) => client.loginLink(), {}],
  ];
  for (const [method, path, answer, call, body] of routes) {
    test(`${method} ${path} sends what the protocol says and gives the parsed answer`, async () => {
      const { client, seen } = open(answer);
      expect(await call(client)).toEqual(answer);
      expect(seen).toEqual([{ method, path, body, authorization: "Bearer t0" }]);
    });
  }

  test("without an answer to give resolves whatever the house says", async () => {
    const { client, seen } = open("");
    await client.agents.remove("main");
    await client.keys.revoke("key_1");
    await client.providers.remove("mine");
    await client.stop();
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /api/agents/main",
      "DELETE /api/keys/key_1",
      "DELETE /api/providers/mine",
      "POST /api/stop",
    ]);
  });

  test("names in a path may hold anything", async () => {
    const { client, seen } = open(room);
    await client.rooms.get("a/b?c#d ü");
    expect(seen[0]?.path).toBe("/api/rooms/a%2Fb%3Fc%23d%20%C3%BC");
  });

  test("an empty name or a way up never becomes another route", async () => {
    const { client, seen } = open([agent]);
    for (const name of ["", ".", ".."])
      expect((await failure(client.agents.remove(name))).code).toBe("request.invalid");
    expect(seen).toEqual([]);
  });
});

describe("a call that fails", () => {
  test("throws what the house said, with its hint", async () => {
    const { client } = open(
      { error: { code: "record.not-found", message: 'No agent "x".', hint: "There is: main." } },
      404,
    );
    expect(await failure(client.agents.get("x"))).toMatchObject({
      code: "record.not-found",
      message: 'No agent "x".',
      hint: "There is: main.",
    });
  });

  test("keeps the words of a refusal whose code is of a newer house", async () => {
    const { client } = open({ error: { code: "moon.full", message: "Not tonight." } }, 409);
    expect(await failure(client.status())).toMatchObject({
      code: "house.incompatible",
      message: "Not tonight. (moon.full)",
    });
  });

  test("is house.unreachable where nobody listens, with what to do", async () => {
    const refused: Fetch = () => Promise.reject(new TypeError("refused"));
    const client = createClient({ baseUrl: "http://127.0.0.1:9", fetch: refused, sleep: () => Promise.resolve() });
    expect(await failure(client.status())).toMatchObject({
      code: "house.unreachable",
      message: "Hearth does not answer at http://127.0.0.1:9.",
      hint: "Start it: hearth up",
    });
  });

  test("is house.incompatible where something else answers", async () => {
    for (const answer of ["<html>hello</html>", { hello: 1 }]) {
      expect((await failure(open(answer).client.status())).code).toBe("house.incompatible");
    }
    expect((await failure(open("not here", 404).client.status())).code).toBe("house.incompatible");
    expect((await failure(open("bad gateway", 502).client.status())).code).toBe("house.unreachable");
  });

  test("sends no credential when it has none", async () => {
    const { seen } = open({ hello: 1 });
    const { port } = servers[0] ?? {};
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch, sleep: () => Promise.resolve() });
    await failure(client.status());
    expect(seen[0]?.authorization).toBeNull();
  });
});
