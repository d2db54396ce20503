import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";
import { controlled, keptPaths } from "./worker.ts";

/** Console messages of Chromium about requests that fail. */
const CUT = /ERR_|Failed to load resource|WebSocket connection to/;

const ALLOWED = { serviceWorkers: "allow" } as const;

inBrowser("the app without a network", ({ visit, stranger }) => {
  test("opens from kept files, says that it is offline, and continues when the house is back", async () => {
    using home = createHome();
    const before = await startDaemon(home.folder);
    const { port } = new URL(before.url);
    await welcome(before);
    await before.ask("POST", "/api/rooms/main/messages", { text: "said before" });
    await using visited = await visit(before, { path: "/ui/rooms/main", expected: CUT, ...PHONE, ...ALLOWED });
    const { page, context } = visited;
    await inRoom(page, "said before").waitFor();
    await controlled(page);
    await before.stop();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: "You are offline" }).waitFor();
    await expectFit(page);
    await using _after = await startDaemon(home.folder, {}, ["--port", port]);
    await context.setOffline(false);
    await inRoom(page, "said before").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("A54: keeps files of the build only, no answer of the API, and nothing of an address", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main?message=1#token", ...ALLOWED });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await controlled(page);
    await page.reload();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    const kept = await keptPaths(page);
    expect(kept.length).toBeGreaterThan(10);
    for (const path of kept) expect(path).toMatch(/^\/ui\/([\w-]+-[0-9a-z]{8}\.\w+)?$/);
    expect(visited.complaints).toEqual([]);
  });

  test("a new build replaces the kept one at the next visit, and its offline copy is the new one", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    let build = "first";
    // The house as it is after an update: other files, so another document and another worker.
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch({ url, headers }) {
        const { pathname } = new URL(url);
        const answer = await fetch(daemon.url + pathname, { headers: { accept: headers.get("accept") ?? "*/*" } });
        const isText = /html|javascript/.test(answer.headers.get("content-type") ?? "");
        const kept = [...answer.headers].filter(([name]) => !/^(content-(encoding|length)|etag)$/.test(name));
        const init = { status: answer.status, headers: new Headers(kept) };
        if (!isText) return new Response(answer.body, init);
        const text = await answer.text();
        const version = /version:"([0-9a-f]{16})"/.exec(text)?.[1] ?? "";
        const isWorker = pathname === "/ui/worker.js";
        expect([pathname, isWorker]).toEqual([pathname, version !== ""]);
        return new Response(
          isWorker ? text.replace(version, build) : text.replace("<html ", `<html data-build="${build}" `),
          init,
        );
      },
    });
    try {
      const url = `http://127.0.0.1:${server.port}`;
      await using visited = await stranger({ url }, { path: "/ui/", expected: CUT, ...ALLOWED });
      const { page } = visited;
      const names = () => page.evaluate(() => caches.keys());
      const shown = () => page.locator("html").getAttribute("data-build");
      await controlled(page);
      expect([await names(), await shown()]).toEqual([["hearth-ui-first"], "first"]);

      build = "second";
      await page.reload();
      // The first visit shows the new build already.
      expect(await shown()).toBe("second");
      await until(async () => (await names()).join() === "hearth-ui-second");
      await server.stop(true);
      await page.reload();
      expect(await shown()).toBe("second");
      await page.getByRole("heading", { name: "Hearth does not answer" }).waitFor();
      expect(visited.complaints).toEqual([]);
    } finally {
      await server.stop(true);
    }
  });
});
