import { afterEach, describe, expect, test } from "bun:test";
import { ActivationId, EventId, type Fetch, type HearthError, isHearthError } from "@hearth/protocol";
import { type Client, createClient } from "./client.ts";

const ID = "0".repeat(26);
const HOUSE = `house_${ID}`;
const base = { house: HOUSE, version: 1, createdAt: 1, updatedAt: 1 };
const agent = { type: "agent", id: `agent_${ID}`, handle: "main", ...base, content: { name: "Main", kind: "bot" } };
const room = { type: "room", id: `room_${ID}`, handle: "den", ...base, content: { name: "Den", kind: "group" } };
const message = {
  type: "message",
  room: room.id,
  author: agent.id,
  at: 1,
  body: { format: "markdown", text: "hi" },
  mentions: [],
  causes: [],
  id: `evt_${ID}`,
  offset: 1,
};
const about = { room: room.id, by: agent.id, at: 1, message: message.id };
const edit = {
  type: "message-edited",
  ...about,
  body: { format: "markdown", text: "hello" },
  id: `evt_${"1".repeat(26)}`,
  offset: 2,
};
const deletion = { type: "message-deleted", ...about, id: `evt_${"2".repeat(26)}`, offset: 3 };
const house = { type: "house", id: HOUSE, handle: "home", ...base, content: { name: "Home", timezone: "UTC" } };
const parts = [
  { kind: "text", text: "Let me see." },
  { kind: "tool", call: "a", name: "read", input: { path: "x" }, state: "running" },
];
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
    depth: 0,
    createdAt: 1,
  },
};

const channel = {
  name: "tele",
  kind: "telegram",
  mode: "poll",
  agent: "main",
  state: "failing",
  queued: 1,
  unknown: 2,
  error: { code: "channel.unreachable", message: "It is away." },
};
const delivery = {
  id: `out_${ID}`,
  channel: "tele",
  conversation: "c",
  text: "hi",
  state: "unknown",
  attempts: 1,
  createdAt: 1,
};
const paired = { channel: "tele", sender: "s", name: "Ana", state: "allowed", person: agent.id, createdAt: 1 };

const session = { id: `ses_${ID}`, agent: agent.id, about: "", createdAt: 1, usedAt: 1, expiresAt: 2, isThis: true };

const note = {
  id: `note_${ID}`,
  from: agent.id,
  to: agent.id,
  type: "answer",
  status: "read",
  text: "hi",
  room: room.id,
  activation: act,
  replyTo: `note_${"1".repeat(26)}`,
  at: 1,
  readAt: 2,
  readBy: act,
};

const hold = { scope: agent.id, by: agent.id, at: 1 };

const approval = {
  id: `apr_${ID}`,
  house: HOUSE,
  agent: agent.id,
  activation: act,
  step: 1,
  room: room.id,
  what: { kind: "tool", name: "shell", input: "{}", hash: "0" },
  asks: [],
  display: "shell",
  offers: [],
  state: "pending",
  createdAt: 1,
  expiresAt: 2,
};
const rule = {
  id: `rule_${ID}`,
  house: HOUSE,
  agent: agent.id,
  tool: "shell",
  bound: "{}",
  text: "t",
  by: agent.id,
  at: 1,
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

/** A house that answers every request alike and records the requests. */
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
    ["POST", "/api/agents/main/room", room, (client) => client.agents.room("main")],
    [
      "GET",
      `/api/agents/main/activations?room=${room.id}&limit=3`,
      [activation],
      (client) => client.agents.activations("main", { room: room.id as never, limit: 3 }),
    ],
    [
      "GET",
      "/api/agents/main/log?after=4",
      { events: [], next: 4, head: 4 },
      (client) => client.agents.log("main", { after: 4 }),
    ],
    [
      "GET",
      `/api/houses/${HOUSE}/log?before=end&limit=1`,
      { events: [], next: 0, head: 4 },
      (client) => client.houses.log(HOUSE, { before: "end", limit: 1 }),
    ],
    ["GET", "/api/rooms", [room], (client) => client.rooms.list()],
    ["POST", "/api/rooms/den/messages", message, (client) => client.rooms.post("den", { text: "hi" }), { text: "hi" }],
    [
      "GET",
      "/api/rooms/den/events?after=1&limit=2",
      { events: [message], next: 1, head: 1 },
      (client) => client.rooms.events("den", { after: 1, limit: 2 }),
    ],
    [
      "GET",
      "/api/rooms/den/events?before=9&limit=2",
      { events: [message, edit, deletion], next: 3, head: 12 },
      (client) => client.rooms.events("den", { before: 9, limit: 2 }),
    ],
    ["GET", "/api/heads", [{ room: room.id, head: 3, at: 1 }], (client) => client.rooms.heads()],
    [
      "PATCH",
      `/api/rooms/den/messages/${message.id}`,
      edit,
      (client) => client.rooms.editMessage("den", EventId.parse(message.id), "hello"),
      { text: "hello" },
    ],
    [
      "DELETE",
      `/api/rooms/den/messages/${message.id}`,
      deletion,
      (client) => client.rooms.deleteMessage("den", EventId.parse(message.id)),
    ],
    [
      "GET",
      "/api/rooms/den/activations?state=running&limit=3",
      [{ ...activation, state: "running" }],
      (client) => client.rooms.activations("den", { state: "running", limit: 3 }),
    ],
    [
      "GET",
      "/api/me",
      { agent, house, version: "0.1.0", permissions: [{ on: HOUSE, level: "x" }] },
      (client) => client.me(),
    ],
    ["GET", "/api/rooms/den/live", { events: [], next: 0, head: 0 }, (client) => client.rooms.live("den")],
    ["GET", "/api/houses", [], (client) => client.houses.list()],
    ["GET", `/api/activations/${act}`, { ...activation, steps: [], parts }, (client) => client.activations.get(act)],
    ["GET", "/api/agents/main/inbox?status=read", [note], (client) => client.agents.inbox("main", { status: "read" })],
    [
      "PATCH",
      `/api/inbox/${note.id}`,
      { ...note, status: "archived" },
      (client) => client.inbox.archive(note.id),
      { status: "archived" },
    ],
    ["GET", "/api/stops", [hold], (client) => client.stops.list()],
    ["POST", "/api/agents/main/stop", hold, (client) => client.agents.stop("main")],
    ["DELETE", "/api/agents/main", agent, (client) => client.agents.remove("main")],
    ["POST", "/api/stop", { stopping: true }, (client) => client.stop()],
    ["POST", "/api/stop-all", { ...hold, scope: "house" }, (client) => client.stopAll()],
    ["POST", `/api/activations/${act}/stop`, activation, (client) => client.activations.stop(act)],
    [
      "GET",
      `/api/activations/${act}/deltas`,
      { events: [], next: 0, head: 0 },
      (client) => client.activations.deltas(act),
    ],
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
    ["GET", "/api/sessions", [session], (client) => client.sessions.list()],
    ["GET", "/api/agents/ana/password", { isSet: true, needsCurrent: true }, (client) => client.passwords.show("ana")],
    [
      "GET",
      "/api/providers",
      [{ name: "offline", kind: "offline", source: "built-in", ready: true, detail: "" }],
      (client) => client.providers.list(),
    ],
    [
      "POST",
      "/api/providers",
      { name: "mine", kind: "openai", source: "config", ready: true, detail: "" },
      (client) => client.providers.create({ name: "mine", kind: "openai", key: "sk-typed" }),
      { name: "mine", kind: "openai", key: "sk-typed" },
    ],
    ["GET", "/api/providers/known", [{ name: "v", kind: "openai" }], (client) => client.providers.known()],
    [
      "GET",
      "/api/providers/found",
      [{ name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:1/v1", models: ["m"] }],
      (client) => client.providers.found(),
    ],
    ["GET", "/api/providers/p%2Fq/models", ["m"], (client) => client.providers.models("p/q")],
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
    [
      "GET",
      "/api/approvals?state=pending&limit=3",
      [approval],
      async (client) => (await client.approvals()).list({ state: "pending", limit: 3 }),
    ],
    ["GET", `/api/approvals/${approval.id}`, approval, async (client) => (await client.approvals()).get(approval.id)],
    [
      "POST",
      `/api/approvals/${approval.id}`,
      { ...approval, state: "denied", reason: "no" },
      async (client) => (await client.approvals()).decide(approval.id, { decision: "deny", reason: "no" }),
      { decision: "deny", reason: "no" },
    ],
    ["GET", "/api/approval-rules", [rule], async (client) => (await client.approvals()).rules()],
    [
      "GET",
      "/api/agents/main/brain/file?path=memory%2Fa.md",
      { path: "memory/a.md", hash: "h", sizeBytes: 1, text: "a", spans: [] },
      async (client) => (await client.brains()).read("main", "memory/a.md"),
    ],
    [
      "PUT",
      "/api/agents/main/brain/file?path=a.md",
      { hash: "h" },
      async (client) => (await client.brains()).write("main", "a.md", "a", "before"),
      { text: "a", hash: "before" },
    ],
    [
      "GET",
      "/api/agents/main/brain/versions?path=a.md&limit=3",
      [],
      async (client) => (await client.brains()).log("main", { path: "a.md", limit: 3 }),
    ],
    [
      "GET",
      "/api/agents/main/brain/proposals?state=pending",
      [],
      async (client) => (await client.brains()).proposals("main", { state: "pending" }),
    ],
    ["GET", "/api/proposals", [], async (client) => (await client.brains()).pending()],
    ["GET", "/api/channels", [channel], async (client) => (await client.channels()).list()],
    [
      "POST",
      "/api/channels/t%2Fg/test",
      { ok: true, detail: "" },
      async (client) => (await client.channels()).test("t/g"),
    ],
    [
      "PATCH",
      "/api/channels/tele",
      { channel },
      async (client) => (await client.channels()).change("tele", { agent: "helper" }),
      { agent: "helper" },
    ],
    [
      "GET",
      "/api/channels/tele/outbox?state=unknown&limit=3",
      [delivery],
      async (client) => (await client.channels()).outbox("tele", { state: "unknown", limit: 3 }),
    ],
    [
      "GET",
      "/api/channels/tele/refused?limit=3",
      [{ channel: "tele", externalId: "u1", at: 1, conversation: "c", sender: "s", fate: "unpaired" }],
      async (client) => (await client.channels()).refused("tele", { limit: 3 }),
    ],
    [
      "POST",
      `/api/outbox/out_${ID}`,
      delivery,
      async (client) => (await client.channels()).decide(delivery.id, "resend"),
      { decision: "resend" },
    ],
    ["GET", "/api/pairings", [paired], async (client) => (await client.pairings()).list()],
    [
      "POST",
      "/api/pairings",
      paired,
      async (client) => (await client.pairings()).approve({ code: "ABCD-EFGH", as: "owner" }),
      { code: "ABCD-EFGH", as: "owner" },
    ],
    [
      "GET",
      "/api/rooms/den/fates?after=2&limit=3",
      { fates: [{ event: message.id, offset: 3, at: 1, author: agent.id, fate: { kind: "ignored" } }], next: 3 },
      (client) => client.rooms.fates("den", { after: 2, limit: 3 }),
    ],
    ["GET", "/api/security", { findings: [], unseen: [] }, async (client) => (await client.security()).report()],
    ["GET", "/api/doctor", [{ name: "home", ok: true, detail: "" }], (client) => client.doctor()],
    [
      "GET",
      "/api/storage",
      {
        measuredAt: 1,
        totalBytes: 2,
        kinds: [{ kind: "audit", bytes: 2 }],
        days: [],
        retention: [],
        isShrinking: true,
      },
      (client) => client.storage(),
    ],
    ["POST", "/api/login-links", { url: "http://x/", expiresAt: 1 }, (client) => client.loginLink(), {}],
  ];
  for (const [method, path, answer, call, body] of routes) {
    test(`${method} ${path} sends what the protocol says and returns the parsed answer`, async () => {
      const { client, seen } = open(answer);
      expect(await call(client)).toEqual(answer);
      expect(seen).toEqual([{ method, path, body, authorization: "Bearer t0" }]);
    });
  }

  test("resolves for any response body when the call returns nothing", async () => {
    const { client, seen } = open("");
    await client.providers.remove("mine");
    await (await client.pairings()).block("tele", "a/b");
    await (await client.pairings()).forget("tele", "s");
    await (await client.approvals()).removeRule("rule_1");
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /api/providers/mine",
      "DELETE /api/pairings/tele/a%2Fb",
      "DELETE /api/pairings/tele/s?how=forget",
      "DELETE /api/approval-rules/rule_1",
    ]);
  });

  test("ending sessions returns how many ended", async () => {
    const { client, seen } = open({ ended: 2 });
    const password = { password: "correct horse", current: "battery" };
    await client.sessions.end(session.id);
    expect([
      await client.sessions.endAll(),
      await client.sessions.endAll({ others: true }),
      await client.passwords.set("ana", password),
    ]).toEqual([2, 2, 2]);
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["DELETE", `/api/sessions/${session.id}`, undefined],
      ["DELETE", "/api/sessions", undefined],
      ["DELETE", "/api/sessions?others=true", undefined],
      ["POST", "/api/agents/ana/password", password],
    ]);
  });

  test("the head of a room takes one request, however long the room is", async () => {
    const { client, seen } = open({ events: [message], next: 70_001, head: 70_001 });
    expect(await client.rooms.head("den")).toBe(70_001);
    expect(seen.map(({ path }) => path)).toEqual(["/api/rooms/den/events?before=end&limit=1"]);
  });

  test("following a room yields messages, edits and deletions, and skips other events", async () => {
    const events = [
      message,
      edit,
      deletion,
      { ...message, type: "message-sung", offset: 4 },
      { ...message, offset: 5 },
    ];
    const text = events.map((event) => `id: ${event.offset}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const answer: Fetch = () =>
      Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
    const client = createClient({ baseUrl: "http://127.0.0.1:9", fetch: answer, sleep: () => Promise.resolve() });
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const item of client.rooms.follow("den", { signal: stop.signal })) {
      if (item.kind === "event") seen.push(item.event);
      if (seen.length === 4) stop.abort();
    }
    expect(seen).toEqual([message, edit, deletion, { ...message, offset: 5 }]);
  });

  test("names in a path may hold anything", async () => {
    const { client, seen } = open(room);
    await client.rooms.get("a/b?c#d ü");
    expect(seen[0]?.path).toBe("/api/rooms/a%2Fb%3Fc%23d%20%C3%BC");
  });

  test("an empty name or `..` never becomes another route", async () => {
    const { client, seen } = open([agent]);
    for (const name of ["", ".", ".."])
      expect((await failure(client.agents.remove(name))).code).toBe("request.invalid");
    expect(seen).toEqual([]);
  });
});

test.each([
  ["/api/agents/main/resume", (client: Client) => client.agents.resume("main")],
  ["/api/resume-all", (client: Client) => client.resumeAll()],
] as const)("POST %s returns whether there was anything to resume", async (path, call) => {
  for (const resumed of [true, false]) {
    const { client, seen } = open({ resumed });
    expect(await call(client)).toBe(resumed);
    expect(seen).toMatchObject([{ method: "POST", path, body: undefined }]);
  }
});

describe("a call that fails", () => {
  test("throws the house's error, with its hint", async () => {
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

  test("keeps the message of an error whose code only a newer house knows", async () => {
    const { client } = open({ error: { code: "moon.full", message: "Not tonight." } }, 409);
    expect(await failure(client.status())).toMatchObject({
      code: "house.incompatible",
      message: "Not tonight. (moon.full)",
    });
  });

  test("is house.unreachable with a hint when no server listens", async () => {
    const refused: Fetch = () => Promise.reject(new TypeError("refused"));
    const client = createClient({ baseUrl: "http://127.0.0.1:9", fetch: refused, sleep: () => Promise.resolve() });
    expect(await failure(client.status())).toMatchObject({
      code: "house.unreachable",
      message: "Hearth does not answer at http://127.0.0.1:9.",
      hint: "Start it: hearth up",
    });
  });

  test("is house.incompatible when another server answers", async () => {
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

describe("a call that needs a fresh login", () => {
  const open = (answers: readonly ("auth.stale" | "auth.denied" | "done")[], confirmLogin?: () => Promise<boolean>) => {
    const bodies: (string | undefined)[] = [];
    const client = createClient({
      baseUrl: "http://house.test",
      sleep: () => Promise.resolve(),
      confirmLogin,
      async fetch(input, init) {
        bodies.push(await new Request(input, init).text());
        const answer = answers[bodies.length - 1] ?? "done";
        if (answer === "done") return Response.json({ ok: true, detail: "", durationMs: 1 });
        return Response.json({ error: { code: answer, message: "It needs a fresh login." } }, { status: 403 });
      },
    });
    return { bodies, call: () => client.providers.replaceKey("den", { key: "typed" }) };
  };

  test("is repeated with the same body after the user has confirmed", async () => {
    const { bodies, call } = open(["auth.stale"], async () => true);
    expect(await call()).toMatchObject({ ok: true });
    expect(bodies).toEqual(['{"key":"typed"}', '{"key":"typed"}']);
  });

  test("fails without a repetition if the user does not confirm, cannot, or has no permission", async () => {
    for (const { bodies, call } of [open(["auth.stale"], async () => false), open(["auth.stale"])]) {
      await expect(call()).rejects.toMatchObject({ code: "auth.stale" });
      expect(bodies).toHaveLength(1);
    }
    const denied = open(["auth.denied"], async () => true);
    await expect(denied.call()).rejects.toMatchObject({ code: "auth.denied" });
    expect(denied.bodies).toHaveLength(1);
  });

  test("is repeated once only", async () => {
    const { bodies, call } = open(["auth.stale", "auth.stale"], async () => true);
    await expect(call()).rejects.toMatchObject({ code: "auth.stale" });
    expect(bodies).toHaveLength(2);
  });
});
