import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { servePush } from "../pushed.ts";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";

const CONFIG = "version = 1\n[server]\nloopback_webhooks = true\n";

test("an answer that a killed daemon could not announce reaches the phone after the restart", async () => {
  using home = createHome();
  await using push = servePush();
  await writeFile(join(home.folder, "hearth.toml"), CONFIG);
  const before = await startDaemon(home.folder);
  await before.ask("POST", "/api/notifications/key");
  expect((await before.ask("POST", "/api/notifications/devices", push.subscribe("phone"))).status).toBe(201);
  push.answer(503);
  await before.ask("POST", "/api/chat", { agentName: "main", message: "hello" });
  await until(() => push.requests.length === 1);
  await before.kill();
  expect(push.parcels).toEqual([]);
  await using _after = await startDaemon(home.folder);
  await until(() => push.parcels.length > 0);
  expect(push.parcels[0]?.payload).toMatchObject({ title: "Main", body: "Main", path: "/rooms/main" });
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1";

/** Logs a browser in by a link, and returns how it calls the house. */
const logIn = async (daemon: Daemon, link: string, browser: string) => {
  const send = (method: string, path: string, body: Json, cookie = "") =>
    fetch(daemon.url + path, {
      method,
      headers: { cookie, origin: daemon.url, "user-agent": browser, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const answer = await send("POST", "/login", { code: new URL(link).searchParams.get("code") });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { post: (path: string, body: Json) => send("POST", path, body, cookie) };
};

test("a login from another browser, and a failed backup, reach the phone of the owner", async () => {
  using home = createHome();
  await using push = servePush();
  await writeFile(join(home.folder, "in-the-way"), "");
  const to = join(home.folder, "in-the-way", "backups");
  await writeFile(join(home.folder, "hearth.toml"), `${CONFIG}[backup]\nto = "${to}"\n`);
  await using daemon = await startDaemon(home.folder);
  const phone = await logIn(daemon, daemon.loginLink, IPHONE);
  await phone.post("/api/notifications/key", {});
  expect((await phone.post("/api/notifications/devices", push.subscribe("phone"))).status).toBe(201);
  await logIn(daemon, (await daemon.hearth("login")).stdout.trim(), "Stranger/1.0");
  await until(() => push.parcels.length > 0);
  expect(push.parcels[0]?.payload).toMatchObject({
    title: "New login to Hearth",
    body: expect.stringContaining("Stranger/1.0, from 127.0.0.1."),
    path: "/settings/account",
  });
  // The phone itself logs in again: it is a known device.
  await logIn(daemon, (await daemon.hearth("login")).stdout.trim(), IPHONE);
  expect((await daemon.ask("POST", "/api/backups", {})).status).toBe(202);
  await until(() => push.parcels.length > 1);
  expect(push.parcels.map(({ payload }) => payload.title)).toEqual(["New login to Hearth", "A backup failed"]);
  expect(push.parcels[1]?.payload.path).toBe("/settings/backups");
}, 60_000);
