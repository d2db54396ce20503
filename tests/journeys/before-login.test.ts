/**
 * What others got wrong before they knew who was there, row by row against the real daemon. The rows are facts of public
 * advisories: CVE-2026-25253, CVE-2026-25593, ClawJacked, GHSA-5wcw-8jjv-m286, GHSA-rqpp-rjj8-7wv8, GHSA-4jpw-hj22-2xmc,
 * GHSA-xmxx-7p24-h892, GHSA-68x5-xx89-w9mm, GHSA-6hc3-f4rg-377m, and of a finding about reverse proxies.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { createHome, type Daemon, type Json, startDaemon } from "./daemon.ts";

const home = createHome();
let house: Daemon;
beforeAll(async () => {
  house = await startDaemon(home.folder);
});
afterAll(async () => {
  await house.stop();
  home[Symbol.dispose]();
});

const portOf = (daemon: Daemon): number => Number(new URL(daemon.url).port);
const owner = (): Record<string, string> => ({ authorization: `Bearer ${house.token}` });

const makeKey = async (body: Json): Promise<{ readonly key: string; readonly id: string }> =>
  (await house.ask("POST", "/api/keys", { name: "k", ...body })).json;

/** A connection by hand. What it hears, and when it is closed. */
const dial = (daemon: Daemon, host = "127.0.0.1") => {
  const closed = Promise.withResolvers<void>();
  let heard = "";
  let listener = (): void => {};
  const socket: Socket = connectTcp(portOf(daemon), host);
  socket.on("data", (data) => {
    heard += data.toString("latin1");
    listener();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    listener();
    closed.resolve();
  });
  return {
    write: (bytes: string | Uint8Array) => void socket.write(bytes),
    end: () => void socket.destroy(),
    closed: closed.promise,
    heard: () => heard,
    /** The beginning of the answer, or nothing when the other side closes without one. */
    status: () =>
      new Promise<string>((resolve) => {
        listener = () => {
          if (heard.includes("\r\n\r\n") || socket.destroyed) resolve(heard.split("\r\n", 1)[0] ?? "");
        };
        listener();
      }),
  };
};

const head = (lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;
const upgrade = (path: string, more: readonly string[]): string =>
  head([
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${portOf(house)}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...more,
  ]);

const upgradeStatus = async (path: string, more: readonly string[]): Promise<string> => {
  const line = dial(house);
  line.write(upgrade(path, more));
  const status = await line.status();
  line.end();
  return status;
};

/** A socket that is let in. */
const open = async (key: string) => {
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws`, {
    headers: { authorization: `Bearer ${key}` },
  } as never);
  const closed = Promise.withResolvers<number>();
  const frames: Json[] = [];
  let wake = Promise.withResolvers<void>();
  socket.onclose = ({ code }) => closed.resolve(code);
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)));
    wake.resolve();
    wake = Promise.withResolvers();
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return {
    socket,
    closed: closed.promise,
    async ask(frame: Json): Promise<Json> {
      socket.send(JSON.stringify(frame));
      for (;;) {
        const answer = frames.find(({ id }) => id === frame.id);
        if (answer !== undefined) return answer;
        await wake.promise;
      }
    },
  };
};

for (const [id, origin] of [
  ["origin-null", () => "null"],
  ["origin-suffix", () => `${house.url}.evil.example`],
  // The house speaks http alone, so here it is https that is the other scheme.
  ["origin-scheme", () => house.url.replace("http:", "https:")],
  ["origin-port", () => "http://127.0.0.1:1"],
] as const) {
  test(`${id}: a page of another origin is refused, with the owner's key too, and on every way in`, async () => {
    for (const [method, path] of [
      ["GET", "/api/me"],
      ["POST", "/login"],
      ["GET", "/login"],
      ["POST", "/api/stop"],
    ] as const) {
      const response = await fetch(house.url + path, { method, headers: { ...owner(), origin: origin() } });
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
    const headers = [`Authorization: Bearer ${house.token}`, `Origin: ${origin()}`];
    expect(await upgradeStatus("/ws", headers)).toStartWith("HTTP/1.1 403");
  });
}

test("A3: xff-loopback: nobody is let in for the address that a header names, or that they have", async () => {
  for (const headers of [
    { "x-forwarded-for": "127.0.0.1" },
    { "x-real-ip": "::1", forwarded: "for=127.0.0.1;proto=https" },
    {},
  ] as Record<string, string>[])
    expect((await fetch(`${house.url}/api/me`, { headers })).status).toBe(401);
  expect(await upgradeStatus("/ws", ["X-Forwarded-For: 127.0.0.1"])).toStartWith("HTTP/1.1 401");
});

test("unix-socket-no-token: the house listens on no unix socket, so that nobody comes in by one", async () => {
  const folder = `/proc/${house.pid}/fd`;
  const targets = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")));
  const inodes = targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
  expect(inodes.length).toBeGreaterThan(0);
  const isListening = (line: string): boolean => line.split(/\s+/)[3] === "00010000";
  const listening = (await readFile("/proc/net/unix", "utf8")).split("\n").filter(isListening);
  const ours = listening.filter((line) => inodes.includes(line.split(/\s+/)[6] ?? ""));
  expect(ours).toEqual([]);
});

test("A9: token-in-query: a key in a URL is none", async () => {
  for (const name of ["token", "access_token", "key", "authorization"]) {
    expect(await upgradeStatus(`/ws?${name}=${house.token}`, [])).toStartWith("HTTP/1.1 401");
    expect((await fetch(`${house.url}/api/me?${name}=${house.token}`)).status).toBe(401);
  }
  expect(await upgradeStatus("/ws", [`Authorization: Bearer ${house.token}`])).toStartWith("HTTP/1.1 101");
});

test("A5: self-declared-scope: what a frame or a body says about its own rights gives none", async () => {
  const { json: room } = await house.ask("GET", "/api/rooms/main");
  const { key } = await makeKey({ scope: { level: "r" } });
  const { ask, socket } = await open(key);
  const scopes = ["admin"];
  const message = { text: "hello" };
  // A frame with a field that nobody knows is refused whole; without it the key may still no more than read.
  expect(await ask({ op: "post", id: 1, room: room.id, message, scopes })).toMatchObject({ type: "error" });
  expect(await ask({ op: "post", id: 2, room: room.id, message })).toMatchObject({
    ...{ type: "error", error: { code: "auth.denied" } },
  });
  expect(await ask({ op: "subscribe", id: 3, stream: `house:${room.house}` })).toMatchObject({ type: "answer" });
  socket.close();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "x-scopes": "admin" };
  const post = (path: string, body: Json) =>
    fetch(house.url + path, { method: "POST", headers, body: JSON.stringify({ ...body, scopes }) });
  expect((await post("/api/rooms/main/messages", message)).status).toBe(403);
  expect((await post("/api/stop", {})).status).toBe(403);
  expect((await post("/api/login-links", {})).status).toBe(403);
});

test("A5: rotate-wider: a key makes none that may more than itself, and no login of its agent", async () => {
  const { key } = await makeKey({ scope: { level: "w" } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: Json) => {
    const response = await fetch(house.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return [response.status, (await response.json()).error?.code];
  };
  const exceeds = [403, "grant.exceeds"];
  expect(await post("/api/keys", { name: "wider", scope: { level: "x" } })).toEqual(exceeds);
  expect(await post("/api/keys", { name: "everything" })).toEqual(exceeds);
  expect(await post("/api/keys", { name: "same", scope: { level: "w" } })).toEqual([201, undefined]);
  const admin = await makeKey({ scope: { level: "x" } });
  headers.authorization = `Bearer ${admin.key}`;
  expect(await post("/api/login-links", {})).toEqual(exceeds);
  expect(await post("/api/agents/owner/password", { password: "correct horse battery" })).toEqual(exceeds);
});

test("A6: rotated-secret: a key that was revoked is refused at once, and what it holds open ends with nobody saying a word", async () => {
  const { key, id } = await makeKey({});
  const headers = { authorization: `Bearer ${key}` };
  const { closed } = await open(key);
  const stream = await fetch(`${house.url}/api/rooms/main/events`, {
    headers: { ...headers, accept: "text/event-stream" },
  });
  const over = stream.text();
  expect((await house.ask("DELETE", `/api/keys/${id}`)).status).toBe(200);
  expect((await fetch(`${house.url}/api/me`, { headers })).status).toBe(401);
  expect(await upgradeStatus("/ws", [`Authorization: Bearer ${key}`])).toStartWith("HTTP/1.1 401");
  expect(await closed).toBe(1008);
  await over;
});

test("rotated-secret: the token of one start is none at the next", async () => {
  using other = createHome();
  const before = await startDaemon(other.folder);
  expect((await before.ask("GET", "/api/me")).status).toBe(200);
  await before.stop();
  await using after = await startDaemon(other.folder);
  expect(after.token).not.toBe(before.token);
  const old = { authorization: `Bearer ${before.token}` };
  expect((await fetch(`${after.url}/api/me`, { headers: old })).status).toBe(401);
});

test("A2: bruteforce: wrong passwords from this very machine end in 429, whatever comes along and by whichever name", async () => {
  using other = createHome();
  await using victim = await startDaemon(other.folder);
  const password = "correct horse battery";
  expect((await victim.ask("POST", "/api/agents/owner/password", { password })).status).toBe(200);
  const attempt = async (index: number, host = "127.0.0.1"): Promise<string> => {
    const body = JSON.stringify({ person: "owner", password: `wrong ${index}`, deviceToken: `device-${index}` });
    const line = dial(victim, host);
    line.write(
      head([
        "POST /login HTTP/1.1",
        `Host: 127.0.0.1:${portOf(victim)}`,
        `Origin: ${victim.url}`,
        `X-Forwarded-For: 203.0.113.${index}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
      ]) + body,
    );
    const status = await line.status();
    line.end();
    return status.split(" ")[1] ?? "";
  };
  const statuses: string[] = [];
  for (let index = 0; index < 50; index += 1) statuses.push(await attempt(index));
  expect(statuses).toEqual([...Array(10).fill("401"), ...Array(40).fill("429")]);
  for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) expect(await attempt(50, host)).toBe("429");
  const right = await fetch(`${victim.url}/login`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ person: "owner", password }),
  });
  expect([right.status, Number(right.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  // The person is not locked out: a link gets them in, and what they have goes on.
  const code = new URL((await victim.ask("POST", "/api/login-links", {})).json.url).searchParams.get("code");
  const byLink = await fetch(`${victim.url}/login`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ code }),
  });
  expect(byLink.status).toBe(200);
  const cookie = byLink.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await fetch(`${victim.url}/api/me`, { headers: { cookie } })).status).toBe(200);
});

test("malformed-target: a target that is none is refused, and the house goes on", async () => {
  const line = dial(house);
  line.write(head(["GET //%ff%00 HTTP/1.1", `Host: 127.0.0.1:${portOf(house)}`]));
  expect(await line.status()).toStartWith("HTTP/1.1 400");
  line.end();
  expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
});

/** A masked binary-safe text frame of so many bytes, its mask all zeros. */
const frame = (bytes: number): Uint8Array => {
  const header = Buffer.alloc(14);
  header.writeUInt8(0x81, 0);
  header.writeUInt8(0x80 | 127, 1);
  header.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([header, Buffer.alloc(bytes, "x")]);
};
const TOO_LARGE = 1024 * 1024 + 1;

test("preauth-oversize-frame: who is nobody sends no frame at all, and who is somebody none that large", async () => {
  const stranger = dial(house);
  stranger.write(upgrade("/ws", []));
  expect(await stranger.status()).toStartWith("HTTP/1.1 401");
  // What follows is no frame, as nothing was upgraded: it is a request that is none.
  stranger.write(frame(TOO_LARGE));
  await stranger.closed;

  const { socket, closed } = await open(house.token);
  socket.send("x".repeat(TOO_LARGE));
  expect(await closed).toBe(1009);
  expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
});

/** Bun gives a connection ten seconds for its first request, which nothing changes, and looks every four: twelve, and as many for a busy machine. */
const SOON_MS = 25_000;

test("B3: preauth-idle: a connection that says nothing, or half of something, is closed soon", async () => {
  const host = `Host: 127.0.0.1:${portOf(house)}`;
  const json = "Content-Type: application/json";
  const since = performance.now();
  const closedAfter = async (bytes: string): Promise<number> => {
    const line = dial(house);
    if (bytes !== "") line.write(bytes);
    await line.closed;
    return performance.now() - since;
  };
  const silent = ["", "GET /api/me HT", `GET /api/me HTTP/1.1\r\n${host}\r\n`].map(closedAfter);
  const refused = [
    head(["GET /api/me HTTP/1.1", host]),
    upgrade("/ws", []),
    head(["POST /login HTTP/1.1", host, json, "Content-Length: 100"]),
    head(["POST /api/keys HTTP/1.1", host, json, "Content-Length: 100"]),
  ].map(closedAfter);
  const [last, first] = [Math.max(...(await Promise.all(refused))), Math.min(...(await Promise.all(silent)))];
  // What the house itself sends away is gone before what is left to Bun.
  expect(last).toBeLessThan(first);
  expect(Math.max(...(await Promise.all(silent)))).toBeLessThan(SOON_MS);
}, 60_000);

const memoryOf = async (pid: number, name: "VmRSS" | "VmHWM"): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
};
const CONNECTIONS = 500;
const MAX_GROWTH = 64 * 1024 * 1024;

test("B3: preauth-flood: five hundred at once cost little, few of them are served at a time, and the owner is answered meanwhile", async () => {
  using other = createHome();
  await using victim = await startDaemon(other.folder);
  expect((await victim.ask("POST", "/api/agents/owner/password", { password: "correct horse battery" })).status).toBe(
    200,
  );
  const before = await memoryOf(victim.pid, "VmRSS");
  const host = `Host: 127.0.0.1:${portOf(victim)}`;
  const flood = (bytes: string) =>
    Array.from({ length: CONNECTIONS }, () => {
      const line = dial(victim);
      line.write(bytes);
      return line;
    });
  const body = JSON.stringify({ person: "owner", password: "wrong password" });
  const json = "Content-Type: application/json";
  const tally = async (lines: readonly ReturnType<typeof dial>[]): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const status of await Promise.all(lines.map((line) => line.status()))) {
      const code = status.split(" ")[1] ?? "none";
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  };
  const silent = flood("GET /api/me HT");
  const whole = flood(head(["POST /login HTTP/1.1", host, json, `Content-Length: ${body.length}`]) + body);
  expect(await tally(whole)).toEqual({ 401: 10, 429: CONNECTIONS - 10 });
  const large = flood(head(["POST /api/keys HTTP/1.1", host, json, "Content-Length: 1000000"]) + "x".repeat(100_000));
  expect(await tally(large)).toEqual({ 401: CONNECTIONS });
  const half = flood(head(["POST /login HTTP/1.1", host, json, "Content-Length: 8000"]) + "x".repeat(4000));
  expect((await victim.ask("GET", "/api/me")).status).toBe(200);
  // The few whose bodies were waited for are told that they were too slow; all others were sent away at once.
  const { 408: waitedFor = 0, 429: sentAway = 0 } = await tally(half);
  expect(waitedFor + sentAway).toBe(CONNECTIONS);
  expect(sentAway).toBeGreaterThan(CONNECTIONS / 2);
  expect((await memoryOf(victim.pid, "VmHWM")) - before).toBeLessThan(MAX_GROWTH);
  for (const line of [...silent, ...half, ...whole, ...large]) line.end();
  expect((await victim.ask("GET", "/api/me")).status).toBe(200);
}, 300_000);

/**
 * No secret is ever compared with what was sent: its SHA-256 is looked up, and of a digest an attacker chooses not one digit, so how long the
 * look takes says nothing about secrets that exist. The digest is as long whatever was hashed. That each takes the same work is counted in
 * the tests of keys, logins and passwords; here they are all one answer.
 */
test("timing: whatever a wrong secret has in common with a right one, and however long it is, the answer is the same", async () => {
  const { key } = await makeKey({});
  const answers = new Set<string>();
  for (const wrong of [key.slice(0, -1), `${key.slice(0, -1)}!`, `${key}x`, "x", "x".repeat(500), key.toUpperCase()]) {
    for (const headers of [{ authorization: `Bearer ${wrong}` }, { cookie: `hearth_session=${wrong}` }] as Record<
      string,
      string
    >[]) {
      const response = await fetch(`${house.url}/api/me`, { headers });
      answers.add(`${response.status} ${await response.text()}`);
    }
  }
  expect([...answers]).toEqual([expect.stringContaining("401")]);
});

test("clickjack: nothing may be framed, sniffed, run inline, or told where a reader came from", async () => {
  for (const path of ["/ui/", "/login", "/docs", "/api/me", "/healthz", "/nothing"]) {
    const { headers } = await fetch(house.url + path, { headers: { ...owner(), accept: "text/html" } });
    const policy = headers.get("content-security-policy") ?? "";
    expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
    // Stricter than 'self': what a page may load is named one by one.
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    // A style of ours stands in the pages without scripts: it is named by its hash.
    expect(policy.replace(/style-src 'sha256-[\w+/=]+'/, "")).not.toContain("sha256");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    // Pages tell their own house alone, or else a browser would send their forms with `Origin: null`.
    expect(["no-referrer", "same-origin"]).toContain(headers.get("referrer-policy") ?? "");
    if (path.startsWith("/api/")) expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("csrf: what a form of another site can send changes nothing", async () => {
  const code = new URL((await house.ask("POST", "/api/login-links", {})).json.url).searchParams.get("code") ?? "";
  const begun = await fetch(`${house.url}/login`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ code }),
  });
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  for (const path of ["/api/stop", "/api/rooms/main/messages", "/login", "/logout", "/api/sessions"]) {
    for (const more of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }] as Record<
      string,
      string
    >[]) {
      const headers = { cookie, "content-type": "text/plain", ...more };
      const response = await fetch(house.url + path, { method: "POST", headers, body: `{"text":"hi"}` });
      expect([path, more, response.status]).toEqual([path, more, 403]);
    }
  }
  // Without a word of where it comes from a session changes nothing either.
  const silent = await fetch(`${house.url}/logout`, { method: "POST", headers: { cookie } });
  expect(silent.status).toBe(403);
  expect((await fetch(`${house.url}/api/me`, { headers: { cookie } })).status).toBe(200);
});
