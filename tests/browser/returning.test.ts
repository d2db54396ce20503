import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { env, CUT } from "./broken-connection.ts";

inBrowser("a person who comes back", ({ visit }) => {
  test("sees a reply continue after the daemon was killed and restarted", async () => {
    await using model = createModel();
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    model.answer = async function* () {
      yield "I was just about to say ";
      await new Promise(() => {});
    };
    const before = await startDaemon(home.folder, env);
    const { port } = new URL(before.url);
    await welcome(before);
    await using visited = await visit(before, { path: "/ui/rooms/main", expected: CUT });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Go on");
    await composer.press("Enter");
    await inRoom(page, /I was just about to say/).waitFor();
    await before.kill();
    await page.getByText("Not connected").first().waitFor();
    await composer.fill("written while it was down");
    await composer.press("Enter");
    await inRoom(page, "written while it was down").waitFor();

    let count = 0;
    model.answer = () => [`whole again ${++count}`];
    await using _after = await startDaemon(home.folder, env, ["--port", port]);
    await inRoom(page, "whole again 1").waitFor();
    await inRoom(page, "whole again 2").waitFor();
    expect(await inRoom(page, /I was just about to say/).count()).toBe(0);
    // The banner itself, because the announcement stays longer.
    await until(async () => (await page.getByRole("button", { name: "Try now" }).count()) === 0);
    for (const text of ["Go on", "written while it was down", "whole again 1", "whole again 2"]) {
      expect(await inRoom(page, text).count()).toBe(1);
    }
    const { json } = await _after.ask("GET", "/api/rooms/main/events");
    expect(json.events.map((event: { body: { text: string } }) => event.body.text).sort()).toEqual([
      "Go on",
      "whole again 1",
      "whole again 2",
      "written while it was down",
    ]);
    expect(visited.complaints).toEqual([]);
  });

  test("R15: closing a page with queued messages loses none", async () => {
    using home = createHome();
    const before = await startDaemon(home.folder);
    const { port } = new URL(before.url);
    await welcome(before);
    await using visited = await visit(before, { path: "/ui/rooms/main", expected: CUT });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.waitFor();
    await before.kill();
    await composer.fill("kept on this device");
    await composer.press("Enter");
    await inRoom(page, "kept on this device").waitFor();
    await page.close();
    await using after = await startDaemon(home.folder, {}, ["--port", port]);
    const later = await visited.newTab("/ui/rooms/main");
    await inRoom(later, "kept on this device").waitFor();
    await until(async () => (await after.ask("GET", "/api/rooms/main/events")).json.events.length >= 2);
    const { json } = await after.ask("GET", "/api/rooms/main/events");
    expect(
      json.events.filter((event: { body: { text: string } }) => event.body.text === "kept on this device"),
    ).toHaveLength(1);
    expect(visited.complaints).toEqual([]);
  });

  test("sees a login page after the session ended, and returns to the same place", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: /401/ });
    const { page, context } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await context.clearCookies();
    await page.reload();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    const { json } = await daemon.ask("POST", "/api/login-links", {});
    await page.getByRole("textbox", { name: /link/i }).fill(json.url);
    await page.getByRole("button", { name: "Log in with link" }).click();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
