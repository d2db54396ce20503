import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("the installed app", ({ visit }) => {
  test("has shortcuts that begin a chat, list what waits for a decision, and open the search", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const address = await page.locator('link[rel="manifest"]').getAttribute("href");
    const json = JSON.parse((await (await page.request.get(daemon.url + address)).text()) || "{}");
    const paths = Object.fromEntries(
      json.shortcuts.map(({ name, url }: { readonly name: string; readonly url: string }) => [name, url]),
    );
    expect(Object.keys(paths)).toEqual(["New chat", "Inbox", "Search"]);
    await page.goto(daemon.url + paths["Search"]);
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.goto(daemon.url + paths["Inbox"]);
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await page.goto(daemon.url + paths["New chat"]);
    await page.waitForURL(/\/ui\/rooms\/(?!main$)/);
    await page.getByRole("textbox", { name: /^Message/ }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
