/** Login and logout with the real daemon: links, passwords, scoped keys, and their ends. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";

const PASSWORD = "correct horse battery";
const NEXT = "another fine password";

/** A minimal browser: it keeps its cookie and sends its origin. */
const browse = (house: Daemon, name = "Browser/1.0") => {
  let cookie = "";
  const send = async (method: string, path: string, body?: Json): Promise<{ status: number; json: Json }> => {
    const response = await fetch(house.url + path, {
      method,
      headers: {
        ...{ cookie, origin: house.url, "user-agent": name },
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    send,
    cookie: () => cookie,
    byLink: (link: string) => send("POST", "/login", { code: new URL(link).searchParams.get("code") }),
    byPassword: (person: string, password: string) => send("POST", "/login", { person, password }),
    isIn: async () => (await send("GET", "/api/me")).status === 200,
  };
};

/**
 * Opens a stream, a long poll and a socket. `over` resolves with the socket's close code when all
 * have ended.
 */
const holdOpen = async (house: Daemon, cookie: string): Promise<{ readonly over: Promise<number> }> => {
  const headers = { cookie, origin: house.url };
  const poll = fetch(`${house.url}/api/rooms/main/events?after=1000&wait=60000`, { headers });
  const stream = await fetch(`${house.url}/api/rooms/main/events`, {
    headers: { ...headers, accept: "text/event-stream" },
  });
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws`, { headers } as never);
  const closed = Promise.withResolvers<number>();
  socket.onclose = ({ code }) => closed.resolve(code);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const ends = [stream.text(), poll.then((response) => response.text())];
  return { over: Promise.all(ends).then(() => closed.promise) };
};

test("a person logs in by a link, sets a password, logs in with it elsewhere, and logs out everywhere", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const first = browse(house, "First/1.0");
  expect((await first.byLink(house.loginLink)).status).toBe(200);
  expect((await first.send("POST", "/api/agents/owner/password", { password: PASSWORD })).json).toEqual({ ended: 0 });

  const second = browse(house, "Second/1.0");
  expect((await second.byPassword("owner", "wrong password")).status).toBe(401);
  expect((await second.byPassword("owner", PASSWORD)).status).toBe(200);
  expect((await first.send("GET", "/api/sessions")).json).toMatchObject([
    { about: "Second/1.0", isThis: false },
    { about: "First/1.0", isThis: true },
  ]);
  // A session alone cannot set a password, also one that began with the password a moment ago.
  expect((await second.send("POST", "/api/agents/owner/password", { password: NEXT })).status).toBe(400);
  const set = await second.send("POST", "/api/agents/owner/password", { password: NEXT, current: PASSWORD });
  expect(set.json).toEqual({ ended: 1 });
  expect([await first.isIn(), await second.isIn()]).toEqual([false, true]);

  const third = browse(house);
  expect((await third.byPassword("owner", PASSWORD)).status).toBe(401);
  expect((await third.byPassword("owner", NEXT)).status).toBe(200);
  // A link that a session creates is no proof of a fresh login.
  const fourth = browse(house);
  await fourth.byLink((await third.send("POST", "/api/login-links", {})).json.url);
  expect((await fourth.send("POST", "/api/agents/owner/password", { password: PASSWORD })).status).toBe(400);

  const held = await Promise.all([second, third].map(({ cookie }) => holdOpen(house, cookie())));
  const unused = new URL((await house.hearth("login")).stdout.trim()).href;
  expect(JSON.parse((await house.hearth("session", "end-all", "--json")).stdout)).toEqual({ ended: 3 });
  expect(await Promise.all(held.map(({ over }) => over))).toEqual([1008, 1008]);
  expect([await second.isIn(), await third.isIn()]).toEqual([false, false]);
  expect((await browse(house).byLink(unused)).status).toBe(401);
}, 300_000);

test("sessions, their names and passwords survive a kill; login links, device links and fresh-login proofs do not", async () => {
  using home = createHome();
  const before = await startDaemon(home.folder);
  const browser = browse(before);
  await browser.byLink(before.loginLink);
  expect((await browser.send("POST", "/api/agents/owner/password", { password: PASSWORD })).status).toBe(200);
  const cookie = browser.cookie();
  const unused = (await before.hearth("login")).stdout.trim();
  const device = async () => JSON.parse((await before.hearth("session", "pair", "--json")).stdout).url;
  const phone = browse(before, "Phone/1.0");
  const paired = await phone.send("POST", "/login", { code: new URL(await device()).hash.slice(1) });
  const lost = await device();
  const named = await browser.send("PATCH", `/api/sessions/${paired.json.id}`, { name: "Kitchen" });
  expect([paired.status, named.json.name]).toEqual([200, "Kitchen"]);
  await before.kill();

  await using after = await startDaemon(home.folder);
  const send = (method: string, path: string, body?: Json) =>
    fetch(after.url + path, {
      method,
      headers: { cookie, origin: after.url, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  expect((await send("GET", "/api/me")).status).toBe(200);
  expect((await send("POST", "/api/agents/owner/password", { password: NEXT })).status).toBe(400);
  expect((await browse(after).byPassword("owner", PASSWORD)).status).toBe(200);
  expect((await browse(after).byLink(unused.replace(before.url, after.url))).status).toBe(401);
  expect((await browse(after).send("POST", "/login", { code: new URL(lost).hash.slice(1) })).status).toBe(401);
  expect(JSON.parse((await after.hearth("session", "list", "--json")).stdout)).toContainEqual(
    expect.objectContaining({ id: paired.json.id, name: "Kitchen", about: "Phone/1.0", address: "127.0.0.1" }),
  );
  const { json: log } = await after.ask("GET", "/api/agents/owner/log");
  const begun = log.events.filter(({ type }: Json) => type === "session-began");
  expect(begun.map(({ about }: Json) => about)).toEqual(["Browser/1.0", "Phone/1.0", "Browser/1.0"]);
}, 300_000);

test("a password set at the command line appears in no file, log or output", async () => {
  using home = createHome();
  using other = createHome();
  await using house = await startDaemon(home.folder);
  const file = join(other.folder, "password.txt");
  await writeFile(file, `${PASSWORD}\n`);
  const set = await house.hearth("person", "password", "--password-file", file);
  expect(set).toMatchObject({ code: 0, stdout: "@owner has a new password; 0 sessions ended\n" });
  expect((await browse(house).byPassword("owner", PASSWORD)).status).toBe(200);
  await browse(house).byPassword("owner", `${PASSWORD} canary`);
  const { stdout, stderr } = await house.stop();
  for (const said of [set.stdout, set.stderr, stdout, stderr]) expect(said).not.toContain("horse");
  for (const [path, bytes] of await readHome(home.folder))
    expect([path, bytes.includes("horse")]).toEqual([path, false]);
}, 300_000);

test("a scoped key has only its scope, expires, and is listed with both", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const words = ["key", "create", "--name", "reader", "--level", "r", "--on", "room:main", "--expires", "1h", "--json"];
  const { key, id, expiresAt } = JSON.parse((await house.hearth(...words)).stdout);
  const ask = async (method: string, path: string, body?: Json): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await fetch(house.url + path, init)).status;
  };
  expect(await ask("GET", "/api/rooms/main/events")).toBe(200);
  expect(await ask("POST", "/api/rooms/main/messages", { text: "hello" })).toBe(403);
  expect(await ask("POST", "/api/rooms", { content: { name: "mine" } })).toBe(403);
  expect(await ask("GET", "/api/sessions")).toBe(403);
  expect(await ask("GET", "/api/providers")).toBe(403);
  const [listed] = JSON.parse((await house.hearth("key", "list", "--json")).stdout);
  expect(listed).toMatchObject({
    id,
    name: "reader",
    scope: { level: "r", on: [expect.stringMatching(/^room_/)] },
    expiresAt,
  });

  const soon = await house.ask("POST", "/api/keys", { name: "soon", expiresAt: Date.now() + 3000 });
  const stream = await fetch(`${house.url}/api/rooms/main/events`, {
    headers: { authorization: `Bearer ${soon.json.key}`, accept: "text/event-stream" },
  });
  // The key expires at its time, and not before.
  await stream.text();
  expect(Date.now()).toBeGreaterThanOrEqual(soon.json.expiresAt);
}, 300_000);
