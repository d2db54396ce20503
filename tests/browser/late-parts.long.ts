import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { MISSED, update } from "./house-update.ts";

inBrowser("a lazy part of the UI", ({ visit }) => {
  test("retries after a load that failed while the connection was up", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: MISSED });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    let tries = 0;
    await page.route(/settings-page-\w+\.js/, (route) => {
      tries += 1;
      return tries < 3 ? route.abort() : route.continue();
    });
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByText("This page could not be loaded.").waitFor();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(tries).toBe(3);
    expect(visited.complaints).toEqual([]);
  });

  test("that is missing after an update shows a notice, and a reload loads it", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: MISSED });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("half a thought");
    await update(page);
    await page.route(/settings-page-\w+\.js/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByText("This page is from an older version of Hearth.").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.getByRole("link", { name: /Main/ }).first().click();
    expect(await composer.inputValue()).toBe("half a thought");
    expect(visited.complaints).toEqual([]);
  });

  test("shows an error in place of a dialog, which can be closed", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: MISSED });
    const { page, context } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "New room" }).click();
    const dialog = page.getByRole("dialog", { name: "New room" });
    await dialog.getByText("This page could not be loaded.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await context.setOffline(false);
    await page.getByRole("button", { name: "New room" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is cached by the browser, and requested once", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const parts: { readonly url: string; readonly cache: string }[] = [];
    page.on("response", (response) => {
      if (/\/ui\/[\w-]+-\w{8}\.(js|css)$/.test(response.url()))
        parts.push({ url: response.url(), cache: response.headers()["cache-control"] ?? "none" });
    });
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(parts.length).toBeGreaterThan(0);
    await page.getByRole("link", { name: /Main/ }).first().click();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(new Set(parts.map(({ cache }) => cache))).toEqual(new Set(["public, max-age=31536000, immutable"]));
    // Prefetched parts may load late, but none loads twice.
    const urls = parts.map(({ url }) => url);
    expect(urls).toEqual([...new Set(urls)]);
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a room that fails to open", ({ visit }) => {
  test("shows the reason, retries automatically and on request, and keeps drafts", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "said before" });
    await using visited = await visit(daemon, { path: "/ui/settings", expected: MISSED });
    const { page } = visited;
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    let isBroken = true;
    let refused = 0;
    const broken = { error: { code: "house.bug", message: "Hearth failed with an internal error." } };
    await page.route(/\/api\/rooms\/[^/]+\/events/, (route) => {
      if (!isBroken) return route.continue();
      refused += 1;
      return route.fulfill({ status: 500, json: broken });
    });
    await page.getByRole("link", { name: /Main/ }).first().click();
    await page.getByText("Hearth failed with an internal error.").first().waitFor();
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("a draft");
    await Promise.all([
      page.waitForRequest(/\/api\/rooms\/[^/]+\/events/),
      page.getByRole("button", { name: "Try again" }).click(),
    ]);
    await page.getByText("Hearth failed with an internal error.").first().waitFor();
    isBroken = false;
    await inRoom(page, "said before").waitFor();
    expect(refused).toBeGreaterThan(1);
    expect(await composer.inputValue()).toBe("a draft");
    expect(visited.complaints).toEqual([]);
  });
});
