/** Measures how far content moves while a page loads: the sum of its layout shifts. */
import { expect, test } from "bun:test";
import { createHome, type Daemon, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { findShift, recordShifts, settle } from "./shifts.ts";

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
  "/settings/new-channel",
  "/settings/sandboxes",
  "/settings/limits",
  "/settings/backups",
  "/settings/system",
];

inBrowser("the layout", ({ visit }) => {
  for (const width of [390, 1440])
    test(`no page moves its content while it loads, ${width} px wide`, async () => {
      using home = createHome();
      await using daemon = await startDaemon(home.folder);
      await furnish(daemon);
      await using visited = await visit(daemon, { viewport: { width, height: 844 }, reducedMotion: "reduce" });
      const { context } = visited;
      await recordShifts(context);
      const page = await visited.newTab();
      const moved: string[] = [];
      for (const path of PAGES) {
        await page.goto(`${daemon.url}/ui${path}`);
        await settle(page);
        const shift = await findShift(page, path);
        if (shift !== undefined) moved.push(shift);
      }
      expect(moved).toEqual([]);
      expect(visited.complaints).toEqual([]);
    });
});
