/**
 * Tests room states: stopped and failed runs, retries, jobs, wide tables, and recovery from a wrong
 * key.
 */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { found } from "@hearth/protocol/until";
import { type Daemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { NARROW, open } from "./room-house.ts";

/** A shell command, a backtick or a local address. */
const FORBIDDEN = /`|\bhearth [a-z]|127\.0\.0\.1|localhost/;

const TABLE = `Here it is:

| Item | Owner | Status | Notes and what remains to be done | Due |
|---|---|---|---|---:|
| Boiler | Moreau | In progress | The service is booked for the first week of March, and the part is ordered. | 2026-03-04 |
| Roof | Vidal | Waiting | Two offers are in, a third one is expected before the end of the month. | 2026-04-01 |`;

const say = async (page: Page, text: string, agent = "Main"): Promise<void> => {
  const composer = page.getByRole("textbox", { name: `Message ${agent}` });
  await composer.fill(text);
  await composer.press("Enter");
};

const untilTurns = (daemon: Daemon, count: number): Promise<void> =>
  until(async () => {
    const { json } = await daemon.ask("GET", "/api/agents/main/activations?limit=100");
    return json.filter(({ endedAt }: { endedAt?: number }) => endedAt !== undefined).length >= count;
  });

/** Runs before the page: sums up layout shifts without user input. */
const watchShifts = (): void => {
  const shifts = { total: 0 };
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as readonly { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) shifts.total += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
};

const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shifts: { total: number } }).shifts.total);

inBrowser("a room", ({ visit }) => {
  test("keeps the partial text of a stopped reply: after a reload, in other tabs, in the CLI and in the next prompt", async () => {
    await using house = await open();
    house.model.answer = async function* () {
      yield "The first half of it";
      await new Promise(() => {});
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const other = await visited.newTab("/ui/rooms/main");
    await page.bringToFront();
    await say(page, "Talk");
    await inRoom(page, "The first half of it").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    const check = async (tab: Page): Promise<void> => {
      const reply = tab.getByRole("article").filter({ hasText: "The first half of it" });
      await reply.getByText("You stopped Main.").waitFor();
      expect(await inRoom(tab, "The first half of it").count()).toBe(1);
    };
    await check(page);
    await page.reload();
    await check(page);
    await check(other);
    const { stdout } = await house.daemon.hearth("room", "events", "main");
    expect(stdout).toContain("Main (stopped)\nThe first half of it");
    house.model.answer = () => ["And the rest."];
    await say(page, "Go on");
    await inRoom(page, "And the rest.").waitFor();
    const asked = JSON.stringify(house.model.requests.at(-1));
    expect(asked).toContain("The first half of it");
    expect(asked).toContain("[stopped before this reply was complete]");
    expect(visited.complaints).toEqual([]);
  });

  test("shows a retry countdown, a job's prompt as the job's, and a wide table in a scroll container", async () => {
    await using house = await open();
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    let refusals = 0;
    house.model.refuse = () =>
      (refusals += 1) === 1
        ? Response.json({ error: { message: "slow down" } }, { status: 429, headers: { "retry-after": "3" } })
        : undefined;
    house.model.answer = () => ["Now."];
    await say(page, "Are you busy?");
    await page.getByText("test is busy.", { exact: true }).waitFor();
    await page.getByText(/^Retrying in [1-4] s \(attempt 2 of 4\)$/).waitFor();
    await inRoom(page, "Now.").waitFor();

    house.model.answer = () => ["Done."];
    const job = { name: "morning-news", prompt: "Look at the news", cron: "0 9 * * *", room: "main" };
    const made = await house.daemon.ask("POST", "/api/agents/main/jobs", job);
    expect([made.status, made.json]).toMatchObject([201, {}]);
    expect((await house.daemon.ask("POST", "/api/agents/main/jobs/morning-news/run", {})).status).toBeLessThan(300);
    const asked = page.getByRole("article", { name: /^Scheduled job morning-news/ });
    await asked.getByText("Look at the news").waitFor();
    await inRoom(page, "Done.").waitFor();
    expect((await house.daemon.hearth("room", "events", "main")).stdout).toContain("Scheduled job morning-news");

    house.model.answer = () => [TABLE];
    await page.setViewportSize(NARROW);
    await say(page, "Show me the table");
    const table = page.getByRole("table");
    await table.waitFor();
    await page.getByRole("group", { name: "Table" }).waitFor();
    // The finished message replaces the live one; a detached table has no size.
    const sizes = await found(async () => {
      const shown = await table.evaluate((element) => ({
        isPageWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        box: element.parentElement?.getBoundingClientRect().right ?? 0,
        hasRoom: (element.parentElement?.scrollWidth ?? 0) > (element.parentElement?.clientWidth ?? 0),
        heights: [...element.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height),
        date: element.querySelector("tbody td:last-child")?.getBoundingClientRect().height,
      }));
      return shown.box > 0 ? shown : undefined;
    });
    expect(sizes).toMatchObject({ isPageWide: false, hasRoom: true });
    expect(sizes.box).toBeLessThanOrEqual(NARROW.width);
    for (const height of sizes.heights) expect(height).toBeLessThan(100);

    const cells = "| 2025 | Vidal heating services | 131 € | the burner was replaced in March |";
    house.model.answer = () => [`Costs\n\n| Year | Company | Cost | Change |\n|---|---|---:|---|\n${cells}\n`];
    await say(page, "Show me the costs");
    const costs = inRoom(page, "Costs").locator("..").getByRole("table");
    await costs.getByText("the burner was replaced in March").waitFor();
    // A phone shows every column of a small table.
    await until(() =>
      costs
        .evaluate(({ parentElement: box }) => box !== null && box.scrollWidth === box.clientWidth)
        .catch(() => false),
    );
    expect(visited.complaints).toEqual([]);
  });

  test("with failures opens without layout shift, has unique landmarks, and shows no terminal commands", async () => {
    await using house = await open();
    house.model.refuse = () => Response.json({ error: { message: "Use `hearth` or --key" } }, { status: 401 });
    for (let count = 1; count <= 6; count += 1) {
      await house.daemon.ask("POST", "/api/rooms/main/messages", { text: `Question ${count}` });
      await untilTurns(house.daemon, count);
    }
    await using visited = await visit(house.daemon, { path: "/ui/settings" });
    const { page } = visited;
    await visited.context.addInitScript(watchShifts);
    await page.goto(`${house.daemon.url}/ui/rooms/main`);
    await inRoom(page, "Question 6").waitFor();
    await page.getByText("test does not accept the key.").last().waitFor();
    await page.getByRole("link", { name: "Check provider" }).last().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await shiftsOf(page)).toBeLessThanOrEqual(0.02);
    expect(await judge(page)).toEqual([]);
    expect(await page.locator("body").innerText()).not.toMatch(FORBIDDEN);

    await page.getByRole("link", { name: "Check provider" }).last().click();
    await page.waitForURL(/\/settings\/models$/);
    expect(visited.complaints).toEqual([]);
  });
});
