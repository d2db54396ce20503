import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { servePush } from "../pushed.ts";
import { createHome, startDaemon, until } from "./daemon.ts";

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
