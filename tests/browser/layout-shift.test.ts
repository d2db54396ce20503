/** Measures how far content moves while a page loads: the sum of its layout shifts. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

/** The most that content may move: a value of .1 is usually called good. */
const MAX_SHIFT = 0.02;

const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  const { json: main } = await daemon.ask("GET", "/api/agents/main");
  const { json: bob } = await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" } });
  await daemon.ask("POST", "/api/keys", { name: "lamp", agent: main.id, scope: { level: "r" } });
  await daemon.ask("POST", "/api/rooms", { content: { name: "Cellar", members: [bob.id] } });
  for (const message of ["remember that the cat is called Felix", "hello"])
    await daemon.ask("POST", "/api/chat", { agentName: "main", message });
};

const PAGES = [
  "/rooms/main",
  "/settings",
  "/settings/account",
  "/settings/notifications",
  "/settings/members",
  "/settings/agents",
  "/settings/agents/main",
  "/settings/agents/main/instructions",
  "/settings/agents/main/tools",
  "/settings/agents/main/memory",
  "/settings/agents/main/automations",
  "/settings/agents/main/budget",
  "/settings/agents/main/activity",
  "/settings/agents/main/advanced",
  "/settings/agents/main/inside",
  "/settings/agents/bob",
  "/settings/new-agent",
  "/settings/rooms",
  "/settings/rooms/cellar",
  "/settings/rooms/main/activity",
  "/settings/new-room",
  "/settings/models",
  "/settings/web",
  "/settings/channels",
  "/settings/limits",
  "/settings/backups",
  "/settings/system",
];

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Element | null }[];
}

/** Records the shifts of every document before its first frame. */
const recordShifts = (): void => {
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      shifts.push(`${value} ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(" | ")}`);
  }).observe({ type: "layout-shift", buffered: true });
};

const readShifts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as unknown as { shifts: readonly string[] }).shifts);

/** Waits until nothing is loading, and until the next frame, which reports the last shifts. */
const settle = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
};

inBrowser("the layout", ({ visit }) => {
  for (const width of [390, 1440])
    test(`no page moves its content while it loads, ${width} px wide`, async () => {
      using home = createHome();
      await using daemon = await startDaemon(home.folder);
      await furnish(daemon);
      await using visited = await visit(daemon, { viewport: { width, height: 844 }, reducedMotion: "reduce" });
      const { context } = visited;
      await context.addInitScript(recordShifts);
      const page = await visited.newTab();
      const moved: string[] = [];
      for (const path of PAGES) {
        await page.goto(`${daemon.url}/ui${path}`);
        await settle(page);
        const shifts = await readShifts(page);
        const sum = shifts.reduce((before, shift) => before + Number.parseFloat(shift), 0);
        if (sum > MAX_SHIFT) moved.push(`${path}: ${sum.toFixed(3)}\n  ${shifts.join("\n  ")}`);
      }
      expect(moved).toEqual([]);
      expect(visited.complaints).toEqual([]);
    });
});
