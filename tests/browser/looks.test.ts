import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";
import { examinePages, furnish } from "./looks-pages.ts";

inBrowser("the appearance", ({ visit, stranger }) => {
  test("every page fits every width, moves nothing while it loads, and has no axe violation in one of its views", () =>
    examinePages(visit, "each page"));

  test("content starts at the same edge on every page, and the side bar marks the current page", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce" });
    const { page } = visited;
    const edgesOf = async (path: string, element: Locator): Promise<readonly number[]> => {
      await page.goto(daemon.url + path);
      let edges: readonly number[] = [];
      // An element that is being replaced has no edges.
      await until(async () => {
        await element.waitFor();
        const box = await element.boundingBox();
        if (box !== null) edges = [box.x, box.x + box.width].map(Math.round);
        return box !== null;
      });
      return edges;
    };
    const title = page.getByRole("heading", { level: 1 });
    const here = page.getByRole("complementary", { name: "House" }).locator("a[aria-current]");
    const [begin = 0, end = 0] = await edgesOf("/ui/rooms/main", page.getByRole("article").first());
    for (const [path, place] of [
      ["/ui/inbox", "Inbox"],
      ["/ui/automations", "Automations"],
      ["/ui/automations/main/heartbeat", "Automations"],
      ["/ui/brain/main/prompt", undefined],
      ["/ui/brain/main", undefined],
    ] as const) {
      expect([path, ...(await edgesOf(path, title))]).toEqual([path, begin, end]);
      expect([path, ...(await here.allTextContents())]).toEqual([
        path,
        ...(place === undefined ? [] : [expect.stringContaining(place)]),
      ]);
    }
    // On a wide screen, the settings have their tabs beside the page.
    const wide = await edgesOf("/ui/settings", title);
    expect(wide[1]).toBeGreaterThan(end);
    expect([...(await edgesOf("/ui/settings/agents/main", title)), ...(await here.allTextContents())]).toEqual([
      ...wide,
      expect.stringContaining("Agents"),
    ]);
    // In a low window the list of tabs scrolls.
    await page.setViewportSize({ width: 1280, height: 400 });
    const tabs = await page.getByRole("navigation", { name: "Settings", exact: true }).boundingBox();
    expect((tabs?.y ?? 0) + (tabs?.height ?? 0)).toBeLessThanOrEqual(400);
    await page.setViewportSize({ width: 1280, height: 800 });
    // An open file uses the remaining width of the page.
    const file = page.getByRole("region", { name: "USER.md" });
    const [, edge = 0] = await edgesOf("/ui/brain/main/files?file=USER.md", file);
    expect(edge).toBeGreaterThan(end);
    expect(await isTooWide(page)).toBe(false);
    expect(visited.complaints).toEqual([]);
  });

  test("the login page passes too", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await stranger(daemon, { path: "/ui/", expected: /401/ });
    await visited.page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await judge(visited.page)).toEqual([]);
    await visited.page.goto(daemon.loginLink);
    expect(await judge(visited.page)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("on a phone the rooms are behind a button, and a room has the full width", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      path: "/ui/rooms/main",
    });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    expect(await page.getByRole("link", { name: /Kitchen/ }).isVisible()).toBe(false);
    const button = await page.getByRole("button", { name: "Chats and settings" }).boundingBox();
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    const middle = (box: typeof title): number => (box?.y ?? 0) + (box?.height ?? 0) / 2;
    expect(Math.abs(middle(button) - middle(title))).toBeLessThan(2);
    expect(title?.x).toBeGreaterThanOrEqual((button?.x ?? 0) + (button?.width ?? 0));
    await page.getByRole("button", { name: "Chats and settings" }).tap();
    await page.getByRole("link", { name: /Kitchen/ }).tap();
    await page.getByRole("heading", { level: 1, name: "Kitchen" }).waitFor();
    await until(async () => !(await page.getByRole("link", { name: /Kitchen/ }).isVisible()));
    // Touch targets are large enough.
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, a[href], textarea, input")]
        .filter((element) => element.checkVisibility())
        // Excludes links in running text, and elements outside of the screen.
        .filter((element) => getComputedStyle(element).display !== "inline")
        .filter((element) => element.getBoundingClientRect().bottom > 0 && !element.textContent.startsWith("Skip to"))
        .map((element) => ({
          name: element.getAttribute("aria-label") ?? element.textContent,
          box: element.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 1 && box.height > 1 && (box.height < 40 || box.width < 40))
        .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`),
    );
    expect(small).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("on a phone the menu stays open while the start page redirects to a room", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { viewport: { width: 390, height: 844 }, path: "/ui/settings" });
    const page = await visited.newTab();
    const released = Promise.withResolvers<void>();
    await page.route("**/api/agents/*/room", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${daemon.url}/ui/`);
    await page.getByRole("button", { name: "Chats and settings" }).click();
    const link = page.getByRole("link", { name: "Automations" });
    await link.waitFor();
    released.resolve();
    await page.waitForURL("**/ui/rooms/main");
    await page.getByRole("heading", { level: 1, name: "Main", includeHidden: true }).waitFor();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Automations" }).waitFor();
    expect(await link.isVisible()).toBe(false);
    expect(visited.complaints).toEqual([]);
  });

  test("a chosen theme overrides the system's, also after a reload", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { colorScheme: "light", path: "/ui/settings" });
    const { page } = visited;
    const darkness = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.getByRole("radio", { name: "Dark", exact: true }).waitFor();
    const light = await darkness();
    await page.getByRole("radio", { name: "Dark", exact: true }).check();
    await until(async () => (await darkness()) !== light);
    const dark = await darkness();
    await page.reload();
    await page.getByRole("radio", { name: "Dark", exact: true }).waitFor();
    expect(await darkness()).toBe(dark);
    expect(visited.complaints).toEqual([]);
  });
});
