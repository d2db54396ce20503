import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { MISSED, update } from "./house-update.ts";

inBrowser("a lazy part of the UI", ({ visit }) => {
  test("waits for the connection with a notice, and loads when it is back", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: MISSED });
    const { page, context } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByText("This page could not be loaded.").waitFor();
    // The rooms still work, and drafts are kept.
    await page.getByRole("link", { name: /Main/ }).first().click();
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("written meanwhile");
    await composer.press("Enter");
    await page.getByText("Waiting for the connection").first().waitFor();
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByText("This page could not be loaded.").waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.getByRole("link", { name: /Main/ }).first().click();
    await inRoom(page, "written meanwhile").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a lazy menu", ({ visit }) => {
  test("loads its items when it is opened and focuses the first one; without a connection it shows a notice", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents", { content: { name: "Scout", kind: "bot" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: MISSED });
    const { page, context } = visited;
    const loaded: string[] = [];
    page.on("request", (request) => void loaded.push(new URL(request.url()).pathname));
    await page.reload();
    const options = page.getByRole("main").getByRole("button", { name: "Options of Main" });
    await options.waitFor();
    expect(loaded.filter((path) => /chat-menu-items|new-chat-items/.test(path))).toEqual([]);
    await context.setOffline(true);
    await options.press("Enter");
    const menu = page.getByRole("menu", { name: "Options of Main" });
    await menu.getByText("This page could not be loaded.").waitFor();
    await context.setOffline(false);
    const first = menu.getByRole("menuitem", { name: "Rename" });
    await first.waitFor();
    await until(() => first.evaluate((item) => item === document.activeElement));
    const isInside = await menu.evaluate((box) => box.getBoundingClientRect().right <= innerWidth);
    expect(isInside).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "New chat", exact: true }).press("Enter");
    const agents = page.getByRole("menu", { name: "New chat with an agent" });
    await until(() =>
      agents.getByRole("menuitem", { name: "Main" }).evaluate((item) => item === document.activeElement),
    );
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Message Scout" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a person whose house was updated", ({ visit }) => {
  test("sees a notice after reconnecting, and can keep writing until the reload", async () => {
    using home = createHome();
    const before = await startDaemon(home.folder);
    const { port } = new URL(before.url);
    await welcome(before);
    await using visited = await visit(before, { path: "/ui/rooms/main", expected: MISSED });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.waitFor();
    await before.kill();
    await page.getByText("Not connected").first().waitFor();
    await update(page);
    await using _after = await startDaemon(home.folder, {}, ["--port", port]);
    await page.getByText("Hearth was updated.").first().waitFor();
    await composer.fill("still here");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("Hearth was updated.").first().waitFor({ state: "detached" });
    expect(await composer.inputValue()).toBe("still here");
    expect(visited.complaints).toEqual([]);
  });
});
