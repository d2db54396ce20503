/** Opens every page of the UI, and examines how it loads and looks. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon } from "../journeys/daemon.ts";
import { type Visitors, welcome } from "./browser.ts";
import { examine, type Extent, findZoomProblems, viewsOf } from "./crawl.ts";
import { findShift, recordShifts, settle } from "./shifts.ts";

/** Creates a room with every kind of content. */
export const furnish = async (daemon: Daemon): Promise<void> => {
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

/** Name, path and title of each page. */
export const PAGES: readonly (readonly [string, string, string | RegExp])[] = [
  ["a room", "/ui/rooms/main", "Main"],
  ["the inbox", "/ui/inbox", "Inbox"],
  ["the automations", "/ui/automations", "Automations"],
  ["the settings", "/ui/settings", "Settings"],
  ["the account", "/ui/settings/account", "Settings"],
  ["the notifications", "/ui/settings/notifications", "Settings"],
  ["the agents", "/ui/settings/agents", "Agents"],
  ["an agent's settings", "/ui/settings/agents/main", "Settings"],
  ["an agent's activity", "/ui/settings/agents/main/activity", "Settings"],
  ...["instructions", "tools", "memory", "automations", "budget", "advanced"].map(
    (tab) => [`an agent's ${tab}`, `/ui/settings/agents/main/${tab}`, "Settings"] as const,
  ),
  ["the inside of an agent", "/ui/settings/agents/main/inside", "Settings"],
  ["a person's settings", "/ui/settings/agents/bob", "Settings"],
  ["a new agent", "/ui/settings/new-agent", "Settings"],
  ["an import", "/ui/settings/import", "Settings"],
  ["the members", "/ui/settings/members", "Settings"],
  ["the rooms", "/ui/settings/rooms", "Settings"],
  ["a room's settings", "/ui/settings/rooms/cellar", "Settings"],
  ["a room's activity", "/ui/settings/rooms/main/activity", "Settings"],
  ["a new room", "/ui/settings/new-room", "Settings"],
  ["the models", "/ui/settings/models", "Settings"],
  ["web access and secrets", "/ui/settings/web", "Settings"],
  ["the channels", "/ui/settings/channels", "Settings"],
  ["the sandboxes", "/ui/settings/sandboxes", "Settings"],
  ["a new channel", "/ui/settings/new-channel", "Settings"],
  ["the limits", "/ui/settings/limits", "Settings"],
  ["the backups", "/ui/settings/backups", "Settings"],
  ["the audit log", "/ui/settings/audit", "Settings"],
  ["the API keys", "/ui/settings/keys", "Settings"],
  ["the system", "/ui/settings/system", "Settings"],
  ["the first question", "/ui/welcome", "Your profile"],
  ["a place that is not there", "/ui/rooms/nowhere", /./],
];

/** The screens on which pages load. They alternate between a phone and a wide screen. */
const LOADS = [
  { width: 390, height: 844 },
  { width: 1440, height: 844 },
] as const;

/** Fails if the content of a page moves while it loads, or a page does not fit or has axe violations. */
export const examinePages = async (visit: Visitors["visit"], extent: Extent): Promise<void> => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  await furnish(daemon);
  await using visited = await visit(daemon, { reducedMotion: "reduce", expected: /404/ });
  await recordShifts(visited.context);
  const page = await visited.newTab();
  const moved: string[] = [];
  const zoomed: string[] = [];
  for (const [index, [name, path, sign]] of PAGES.entries()) {
    await page.setViewportSize(LOADS[index % LOADS.length] ?? LOADS[0]);
    await page.goto(daemon.url + path);
    await page.getByRole("heading", { level: 1, name: sign }).waitFor();
    await settle(page);
    const shift = await findShift(page, path);
    if (shift !== undefined) moved.push(shift);
    await unfold(page);
    await examine(page, name, viewsOf(extent, index));
    zoomed.push(...(await findZoomProblems(page, name)));
  }
  expect({ moved, zoomed }).toEqual({ moved: [], zoomed: [] });
  expect(visited.complaints).toEqual([]);
};
