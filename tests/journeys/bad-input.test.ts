import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createHome, type Daemon, startDaemon, type Json } from "./daemon.ts";

const strings: readonly string[] = JSON.parse(
  readFileSync(new URL("../fixtures/blns.json", import.meta.url), "utf8"),
).items;

const home = createHome();
let house: Daemon;
let room: string;
beforeAll(async () => {
  house = await startDaemon(home.folder);
  room = (await house.ask("POST", "/api/rooms", { content: { name: "Strings" } })).json.id;
});
afterAll(async () => {
  expect((await house.ask("GET", "/api/status")).status).toBe(200);
  await house.stop();
  home[Symbol.dispose]();
});

const expectRefusal = ({ status, json }: { status: number; json: Json }): void => {
  expect(status).toBeWithin(400, 500);
  expect(json.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
};

test("R13: every naughty string as message text is stored unchanged or refused with a message", async () => {
  const kept: string[] = [];
  for (const text of strings) {
    const answer = await house.ask("POST", `/api/rooms/${room}/messages`, { text });
    if (answer.status < 300) kept.push(text);
    else expectRefusal(answer);
  }
  expect(kept.length).toBeGreaterThanOrEqual(strings.filter((text) => text !== "").length);
  const read: string[] = [];
  for (let after = 0; ;) {
    const { events, next } = (await house.ask("GET", `/api/rooms/${room}/events?after=${after}&limit=1000`)).json;
    if (events.length === 0) break;
    read.push(...events.map((event: Json) => event.body.text));
    after = next;
  }
  expect(read).toEqual(kept);
});

test("every naughty string as the name of a room or an agent is stored unchanged or refused with a message", async () => {
  for (const name of strings) {
    for (const [path, content] of [
      ["rooms", { name }],
      ["agents", { name, kind: "bot" }],
    ] as const) {
      const answer = await house.ask("POST", `/api/${path}`, { content });
      if (answer.status >= 300) {
        expectRefusal(answer);
        continue;
      }
      expect(answer.json.content.name).toBe(name);
      const again = await house.ask("GET", `/api/${path}/${encodeURIComponent(answer.json.handle)}`);
      expect(again.json.id).toBe(answer.json.id);
      await house.ask("DELETE", `/api/${path}/${answer.json.id}`);
    }
  }
});

test("every naughty string as a handle in a path gets a response without a server error", async () => {
  for (const handle of strings) {
    const { status } = await house.ask("GET", `/api/agents/${encodeURIComponent(handle)}`);
    expect([200, 400, 404]).toContain(status);
    expect((await house.ask("POST", "/api/chat", { agentName: handle, message: "x".repeat(1) })).status).toBeWithin(
      400,
      500,
    );
  }
});

const raw = async (body: BodyInit, headers: Record<string, string> = { "content-type": "application/json" }) => {
  const response = await fetch(`${house.url}/api/rooms/${room}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${house.token}`, ...headers },
    body,
  });
  return { status: response.status, json: await response.json() };
};

test("F4, R13: bodies that are too large, malformed, not UTF-8 or too deep are refused with their own codes", async () => {
  expect(await raw(JSON.stringify({ text: "x".repeat(2_000_000) }))).toMatchObject({
    status: 413,
    json: { error: { code: "request.too-large" } },
  });
  for (const body of [
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "{'text':1}",
    '{"text":1}',
    '{"txt":"typo"}',
    `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  ]) {
    expect(await raw(body)).toMatchObject({ status: 400, json: { error: { code: "request.invalid" } } });
  }
  expect(await raw(new Uint8Array([123, 34, 116, 255, 254, 34, 125]))).toMatchObject({ status: 400 });
  expect(await raw('{"text":"lone \\ud800 surrogate"}')).toMatchObject({ status: 400 });
  expect(await raw('{"text":"x"}', { "content-type": "text/plain" })).toMatchObject({ status: 415 });
});

test("a message of the maximum size is stored unchanged", async () => {
  const text = "ä".repeat(199_999);
  const { json } = await house.ask("POST", `/api/rooms/${room}/messages`, { text });
  const { events } = (await house.ask("GET", `/api/rooms/${room}/events?after=${json.offset - 1}&limit=1`)).json;
  expect(events[0].body.text).toBe(text);
});

test.each([
  "GET //%ff%00 HTTP/1.1\r\nhost: x\r\n\r\n",
  "\0\0\0\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "POST /api/chat HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
])("a malformed request gets an error or a closed connection: %j", async (text) => {
  const { port } = new URL(house.url);
  const answer = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text, "latin1"));
    socket.on("data", (data) => {
      received += data.toString("latin1");
      socket.end();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", () => {});
  });
  expect(answer === "" || /^HTTP\/1\.[01] (4\d\d|505)/.test(answer)).toBe(true);
  expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
});

test("A8: another Host or Origin is refused, whatever the credential", async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${house.url}/api/rooms`, { headers: { authorization: `Bearer ${house.token}`, ...headers } });
  expect((await ask({ host: "evil.example" })).status).toBe(421);
  for (const origin of [
    "null",
    "https://evil.example",
    `${house.url}.evil.example`,
    house.url.replace("http:", "https:"),
  ]) {
    expect((await ask({ origin })).status).toBe(403);
  }
  expect((await ask({ origin: house.url })).status).toBe(200);
});
