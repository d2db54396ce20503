import { expect, test } from "bun:test";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { childrenOf, createHome, isAlive, startDaemon, until } from "./daemon.ts";

test("a new user starts the house, logs in once by the link, and talks to the agent", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  expect(house.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

  const page = await fetch(house.loginLink);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<form");
  const code = new URL(house.loginLink).searchParams.get("code") ?? "";
  const enter = () =>
    fetch(`${house.url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: house.url, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ code }),
    });
  const first = await enter();
  expect([302, 303]).toContain(first.status);
  const cookie = first.headers.get("set-cookie") ?? "";
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain("SameSite=Strict");
  expect((await enter()).headers.get("set-cookie")).toBeNull();

  const rooms = await fetch(`${house.url}/api/rooms`, { headers: { cookie: cookie.split(";")[0] ?? "" } });
  expect(await rooms.json()).toMatchObject([{ handle: "main" }]);

  const help = await house.hearth("chat", "-m", "help");
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("remember") });
  expect((await house.hearth("chat", "-m", "write milk and bread to list.txt")).code).toBe(0);
  expect(await readFile(join(home.folder, "brains/main/workspace/list.txt"), "utf8")).toBe("milk and bread\n");
  expect((await house.hearth("chat", "main", "-m", "read list.txt")).stdout).toContain("milk and bread");
});

test("only the owner can read the house: folders have mode 0700, files with secrets 0600", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const mode = async (path: string) => ((await stat(join(house.home, path))).mode & 0o777).toString(8);
  expect(await mode(".")).toBe("700");
  expect(await mode("run")).toBe("700");
  expect(await mode("run/token")).toBe("600");
  expect(await mode("hearth.db")).toBe("600");
  expect(await mode("hearth.toml")).toBe("600");
});

test("stop ends the daemon and its cells and removes its address, and the next start has all data", async () => {
  using home = createHome();
  let processes: readonly number[];
  {
    await using house = await startDaemon(home.folder);
    await house.hearth("chat", "-m", "remember the bike is red");
    processes = [house.pid, ...(await childrenOf(house.pid))];
    expect(processes.length).toBeGreaterThan(1);
    expect(await house.hearth("stop")).toMatchObject({ code: 0 });
    expect((await house.stop()).code).toBe(0);
  }
  // They have been signalled by then, but may take a moment to exit.
  await until(() => !processes.some(isAlive));
  expect(await readdir(join(home.folder, "run"))).not.toContain("token");
  await using again = await startDaemon(home.folder);
  expect((await again.hearth("chat", "-m", "what do you know about the bike?")).stdout).toContain("red");
  const { json } = await again.ask("GET", "/api/rooms/main/events");
  expect(json.events).toHaveLength(4);
});
