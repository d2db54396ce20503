import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { COLOURS, judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";

/** Creates a room with every kind of content. */
const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  const content = { tools: ["write", "edit", "read", "list", "shell"], triggerMode: "ambient" };
  const { json: main } = await daemon.ask("PATCH", "/api/agents/main", { content });
  const { json: bob } = await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" } });
  await daemon.ask("POST", "/api/keys", { name: "lamp", agent: main.id, scope: { level: "r" } });
  const cellar = { name: "Cellar", members: [bob.id], admission: { mode: "allow", allow: [bob.id] } };
  await daemon.ask("POST", "/api/rooms", { content: cellar });
  const say = (text: string) => daemon.ask("POST", "/api/chat", { agentName: "main", message: text });
  await say("remember that the cat is called Felix");
  await say(
    "# A plan\n\n1. [the docs](https://example.org/docs) and `code`\n2. | a | b |\n   |---|---|\n   | 1 | 2 |\n\n```ts\nconst one = 1;\n```\n\n> quoted",
  );
  await say("run: echo hello");
};

/** Expands collapsed parts. */
const unfold = async (page: Page): Promise<void> => {
  const line = page.locator("main section li > button[aria-expanded=false]").first();
  if ((await line.count()) > 0) {
    await line.click();
    await page.getByRole("list", { name: "Steps" }).waitFor();
  }
  const change = page.getByRole("button", { name: "Change wake rules" });
  if ((await change.count()) > 0) await change.click();
};

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const PAGES: readonly (readonly [string, string, string | RegExp])[] = [
  ["a room", "/ui/rooms/main", "Main"],
  ["the inbox", "/ui/inbox", "Inbox"],
  ["the automations", "/ui/automations", "Automations"],
  ["the settings", "/ui/settings", "Settings"],
  ["the account", "/ui/settings/account", "Settings"],
  ["the notifications", "/ui/settings/notifications", "Settings"],
  ["the agents", "/ui/settings/agents", "Settings"],
  ["an agent's settings", "/ui/settings/agents/main", "Settings"],
  ["an agent's activity", "/ui/settings/agents/main/activity", "Settings"],
  ...["instructions", "tools", "memory", "automations", "budget", "advanced"].map(
    (tab) => [`an agent's ${tab}`, `/ui/settings/agents/main/${tab}`, "Settings"] as const,
  ),
  ["the inside of an agent", "/ui/settings/agents/main/inside", "Settings"],
  ["a person's settings", "/ui/settings/agents/bob", "Settings"],
  ["a new agent", "/ui/settings/new-agent", "Settings"],
  ["the members", "/ui/settings/members", "Settings"],
  ["the rooms", "/ui/settings/rooms", "Settings"],
  ["a room's settings", "/ui/settings/rooms/cellar", "Settings"],
  ["a room's activity", "/ui/settings/rooms/main/activity", "Settings"],
  ["a new room", "/ui/settings/new-room", "Settings"],
  ["the models", "/ui/settings/models", "Settings"],
  ["web access and secrets", "/ui/settings/web", "Settings"],
  ["the channels", "/ui/settings/channels", "Settings"],
  ["the limits", "/ui/settings/limits", "Settings"],
  ["the backups", "/ui/settings/backups", "Settings"],
  ["the first question", "/ui/welcome", "Your profile"],
  ["a place that is not there", "/ui/rooms/nowhere", /./],
];

/** A phone, the narrowest screen with the side bar, and a wide screen with the same elements. */
const WIDTHS = [360, 768, 1280] as const;
const JUDGED_WIDTHS: readonly number[] = [360, 768];
const THEMES = ["light", "dark"] as const;

inBrowser("the appearance", ({ visit, stranger }) => {
  test("no page is wider than the screen at any width and theme, and axe finds no violation", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce", expected: /404/ });
    const { page } = visited;
    for (const [name, path, sign] of PAGES) {
      await page.goto(daemon.url + path);
      await page.getByRole("heading", { level: 1, name: sign }).waitFor();
      await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
      await unfold(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 760 });
        expect({ name, width, isTooWide: await isTooWide(page) }).toEqual({ name, width, isTooWide: false });
        for (const colorScheme of JUDGED_WIDTHS.includes(width) ? THEMES : []) {
          await page.emulateMedia({ colorScheme });
          // The second theme only changes colours.
          const violations = await judge(page, colorScheme === "dark" ? COLOURS : {});
          expect({ name, width, colorScheme, violations }).toEqual({ name, width, colorScheme, violations: [] });
        }
      }
    }
    expect(visited.complaints).toEqual([]);
  });

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
      ["/ui/settings/agents/main", "Agents"],
      ["/ui/brain/main/prompt", undefined],
      ["/ui/brain/main", undefined],
    ] as const) {
      expect([path, ...(await edgesOf(path, title))]).toEqual([path, begin, end]);
      expect([path, ...(await here.allTextContents())]).toEqual([
        path,
        ...(place === undefined ? [] : [expect.stringContaining(place)]),
      ]);
    }
    // An open file uses the remaining width of the page.
    const file = page.getByRole("textbox", { name: "USER.md" });
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
