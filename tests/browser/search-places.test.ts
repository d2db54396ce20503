/** The search in workspaces, and jumps to a date. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the tests write their screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];
const MESSAGES = 120;

const today = (plusDays = 0): string => {
  const day = new Date(Date.now() + plusDays * 24 * 60 * 60 * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  await daemon.ask("POST", "/api/rooms", { content: { name: "Long" } });
  for (let number = 1; number <= MESSAGES; number += 1)
    await daemon.ask("POST", "/api/rooms/long/messages", { text: `Message ${number}.` });
  const workspace = join(daemon.home, "brains/main/workspace/reports");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "boiler 2026.md"), "# Report\n\nVidal repaired the valve.\n");
};

inBrowser("places of the search", ({ visit }) => {
  test("a file of a workspace is found by its text, opens, and is found by those only who may read it", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByRole("heading", { level: 1, name: "Main" }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("searchbox").fill("vidal valve");
    const hit = dialog.getByRole("link", { name: /reports\/boiler 2026\.md/ });
    await hit.waitFor();
    expect(await dialog.locator("mark").allTextContents()).toEqual(["Vidal", "valve"]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFit(page);
      expect(await judge(page)).toEqual([]);
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `search-workspace-${width}.png`) });
    }
    await hit.click();
    await page.getByText("Vidal repaired the valve.").waitFor();
    expect(visited.complaints).toEqual([]);

    const { stdout } = await daemon.hearth("search", "vidal", "valve", "--kind", "workspace");
    expect(stdout).toMatch(/^workspace of Main {2}reports\/boiler 2026\.md:3 {2}Vidal repaired the valve\.\n$/);
    await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" }, level: "w" });
    const key = (await daemon.hearth("key", "create", "--name", "bob", "--agent", "bob")).stdout.trim();
    const seen = await daemon.ask("GET", "/api/search?q=vidal&kind=workspace", undefined, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([seen.status, seen.json.workspaceFiles]).toEqual([200, []]);
  });

  test("the menu of a room and the search jump to a date, also by keyboard", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/long", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByText(`Message ${MESSAGES}.`, { exact: true }).waitFor();
    const first = page.getByRole("article").filter({ hasText: /Message 1\./ });
    const expectFirst = (): Promise<unknown> =>
      until(
        async () =>
          (await first.count()) === 1 && (await first.evaluate((element) => element === document.activeElement)),
      );

    await page
      .getByRole("main")
      .getByRole("button", { name: /Options/ })
      .click();
    await page.getByRole("menuitem", { name: "Go to date" }).click();
    const dialog = page.getByRole("dialog", { name: "Go to date" });
    const field = dialog.getByLabel("Date");
    await field.fill(today(2));
    await page.keyboard.press("Enter");
    await dialog.getByText(/There is no message on .* or later\./).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFit(page);
      expect(await judge(page)).toEqual([]);
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `go-to-date-${width}.png`) });
    }
    await field.fill(today());
    await page.keyboard.press("Enter");
    await expectFirst();

    await page.getByRole("button", { name: "Jump to latest" }).click();
    await page.keyboard.press("Control+k");
    const search = page.getByRole("dialog", { name: "Search" });
    await search.getByRole("button", { name: "Filters" }).click();
    await search.getByLabel("Room", { exact: true }).selectOption({ label: "Long" });
    await search.getByLabel("Since").fill(today());
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "search-date.png") });
    await search.getByRole("button", { name: /^Go to .* in Long$/ }).click();
    await search.waitFor({ state: "hidden" });
    await expectFirst();
    expect(visited.complaints).toEqual([]);

    const { stdout } = await daemon.hearth("room", "events", "long", "--since", today(), "--limit", "1");
    expect(stdout).toContain("Message 1.");
    expect((await daemon.hearth("room", "events", "long", "--since", today(2))).stdout).not.toContain("Message");
  });
});
