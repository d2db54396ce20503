import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { MAX_BODY_SIZE } from "@hearth/protocol/api";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { type Answer, ask, type AskOptions, openSocket, type Place, sendRaw } from "./client.ts";
import {
  HOUSE_PORT,
  missing,
  NAME,
  ownAddress,
  proxyKinds,
  PUBLIC_URL,
  type RunningProxy,
  serverTable,
  startProxy,
} from "./proxy.ts";

/** The port of the config, in place of the free one that tests use. */
const FLAGS = ["--port", String(HOUSE_PORT)];

describe.each(proxyKinds.map((kind) => [kind, missing(kind)] as const))("a house behind %s%s", (kind, why) => {
  if (why !== "") {
    test.skip("answers at its public address", () => {});
    return;
  }
  let home: ReturnType<typeof createHome>;
  let daemon: Daemon;
  let proxy: RunningProxy;
  let place: Place;
  let room = "";
  beforeAll(async () => {
    home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), `version = 1\n${serverTable(ownAddress(0))}`);
    daemon = await startDaemon(home.folder, {}, FLAGS);
    proxy = await startProxy({ kind, folder: home.folder, house: ownAddress(0) });
    place = { ...proxy, name: NAME };
    [{ id: room }] = (await daemon.ask("GET", "/api/rooms")).json;
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });

  const get = (path: string, options: AskOptions = {}): Promise<Answer> =>
    ask(place, path, { ...options, headers: { authorization: `Bearer ${daemon.token}`, ...options.headers } });
  const say = async (text: string): Promise<void> => {
    const headers = { "content-type": "application/json", origin: PUBLIC_URL };
    const { status } = await get(`/api/rooms/${room}/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify({ text }),
    });
    expect(status).toBe(201);
  };
  const headOf = async (): Promise<number> =>
    JSON.parse((await get(`/api/rooms/${room}/events?after=0&limit=1000`)).text).head;

  test("logs a browser in with a cookie for https, and answers over https only", async () => {
    const link = (await daemon.ask("POST", "/api/login-links", {})).json;
    expect(link.publicUrl).toStartWith(`${PUBLIC_URL}/login?code=`);
    const body = `code=${new URL(link.publicUrl).searchParams.get("code")}`;
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: PUBLIC_URL };
    const login = await ask(place, "/login", { method: "POST", headers, body });
    expect([login.status, login.headers["location"]]).toEqual([303, "/ui/"]);
    const [cookie = ""] = [login.headers["set-cookie"]].flat();
    expect(cookie).toMatch(/^__Host-hearth_session=.*; Secure$/);
    expect(login.headers["strict-transport-security"]).toBe("max-age=15552000");
    const me = await ask(place, "/api/me", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(me.status).toBe(200);

    const redirect = await new Promise<string>((resolve) => {
      const socket = connect({ host: proxy.address, port: proxy.plainPort });
      socket.once("data", (chunk: Buffer) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.write(`GET /login?code=x HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
    });
    expect(redirect).toStartWith("HTTP/1.1 308");
    // Caddy omits a port that is not the usual one.
    const { protocol, hostname, pathname, search } = new URL(/^location: (.*)$/im.exec(redirect)?.[1]?.trim() ?? "");
    expect([protocol, hostname, pathname, search]).toEqual(["https:", NAME, "/login", "?code=x"]);
  });

  test("delivers events at once: by long poll, as an event stream, and on a socket", async () => {
    const after = await headOf();
    const poll = get(`/api/rooms/${room}/events?after=${after}&wait=60000`);
    const stream = get(`/api/rooms/${room}/events?after=${after}`, {
      headers: { accept: "text/event-stream" },
      onText: (text) => text.includes("to every reader"),
    });
    const socket = await openSocket(place, { authorization: `Bearer ${daemon.token}`, origin: PUBLIC_URL });
    expect(socket.status).toBe(101);
    socket.send({ op: "subscribe", id: 1, stream: `room:${room}`, after });
    await until(() => socket.received.some(({ type }) => type === "answer"));
    await say("to every reader");
    expect(JSON.parse((await poll).text).events[0].body.text).toBe("to every reader");
    expect((await stream).text).toContain("to every reader");
    await until(() => JSON.stringify(socket.received).includes("to every reader"));
    socket.close();
    const refused = await openSocket(place, {
      authorization: `Bearer ${daemon.token}`,
      origin: "https://evil.example",
    });
    expect(refused.status).toBe(403);
    refused.close();
  });

  test("leaves the limit of a body to the house", async () => {
    const headers = { "content-type": "text/plain" };
    const put = (size: number) =>
      get(`/v1/stream/large-${kind}`, { method: "PUT", headers, body: new Uint8Array(size).fill(97) });
    const made = await put(MAX_BODY_SIZE);
    expect([made.status, made.headers["location"]]).toEqual([201, `${PUBLIC_URL}/v1/stream/large-${kind}`]);
    const refused = await put(MAX_BODY_SIZE + 1);
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([413, "request.too-large"]);
  });

  test("counts wrong keys for the client, whatever address it claims", async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 60 && !statuses.has(429); count += 1) {
      const claimed = `198.51.100.${count}`;
      const headers = {
        ...{ authorization: "Bearer hearth_wrong", "x-forwarded-for": claimed, "x-real-ip": claimed },
        ...{ forwarded: `for=${claimed};proto=http;host=evil.example`, "x-forwarded-host": "evil.example" },
        "x-forwarded-proto": "http",
      };
      statuses.add((await ask(place, "/api/me", { headers })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });

  test("A16: never receives a request that is hidden in the body of another one", async () => {
    const hidden = `POST /api/stop HTTP/1.1\r\nHost: ${NAME}:${proxy.port}\r\nAuthorization: Bearer ${daemon.token}\r\nContent-Length: 0\r\n\r\n`;
    const both = `Content-Length: ${5 + hidden.length}`;
    for (const headers of [
      `${both}\r\nTransfer-Encoding: chunked`,
      `Transfer-Encoding: chunked\r\n${both}`,
      `Transfer-Encoding: \x0bchunked\r\n${both}`,
      `Transfer-Encoding: xchunked\r\n${both}`,
      `Transfer-Encoding:\r\n chunked\r\n${both}`,
      `X: a\nTransfer-Encoding: chunked\r\n${both}`,
      `Content-Length: 0\r\n${both}`,
    ]) {
      const request = `POST /login HTTP/1.1\r\nHost: ${NAME}:${proxy.port}\r\nConnection: close\r\n${headers}\r\n\r\n0\r\n\r\n${hidden}`;
      expect([headers, (await sendRaw(place, request)).match(/^HTTP\/1\.1 2\d\d/gm)]).toEqual([headers, null]);
    }
    // The house still runs: no hidden request stopped it.
    expect((await get("/api/me")).status).toBe(200);
  });

  test("answers again after the daemon was killed and started", async () => {
    const after = await headOf();
    await daemon.kill();
    await until(async () => (await ask(place, "/healthz")).status >= 500);
    daemon = await startDaemon(home.folder, {}, FLAGS);
    await until(async () => (await ask(place, "/healthz")).status === 200);
    await say("after the restart");
    const page = await get(`/api/rooms/${room}/events?after=${after}`);
    expect(page.text).toContain("after the restart");
  });
});
