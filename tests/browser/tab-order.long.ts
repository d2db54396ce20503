/** Tests keyboard operation of dialogs on several pages. */
import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser } from "./browser.ts";
import { furnish, open } from "./tab-house.ts";

inBrowser("every page without a mouse", ({ visit }) => {
  test("a dialog opens with Enter, closes with Escape, and restores the focus", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon);
    const { page } = visited;
    for (const [path, name] of [
      ["/ui/automations/main", "New job"],
      ["/ui/brain/main/files?file=USER.md", "Remove file"],
      ["/ui/settings/agents/bob", "Remove Bob"],
      ["/ui/settings/rooms/cellar", "Remove Cellar"],
      ["/ui/rooms/main", "Stop all agents"],
    ] as const) {
      await open(page, daemon.url + path);
      const button = page.getByRole("button", { name, exact: true });
      await button.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      expect([name, await page.evaluate(() => document.activeElement?.closest("dialog") !== null)]).toEqual([
        name,
        true,
      ]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect([name, await button.evaluate((element) => element === document.activeElement)]).toEqual([name, true]);
    }
    expect(visited.complaints).toEqual([]);
  });
});
