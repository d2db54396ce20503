import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { KEY, restoreOlderCopy } from "../journeys/restored-home.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("a house that was restored from a copy", ({ visit }) => {
  test("says on every page that it is on hold, lists its work, and ends the hold when the owner discards it", async () => {
    await using model = createModel();
    using home = createHome();
    model.answer = () => ["Done."];
    await restoreOlderCopy(home.folder, model, welcome);
    await using daemon = await startDaemon(home.folder, KEY);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const banner = page.getByText("This house was restored from a copy and is on hold.");
    await banner.waitFor();
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { level: 1, name: "Restored house" }).waitFor();
    await banner.first().waitFor();
    await page.getByText("Run of Main").waitFor();
    expect(await judge(page)).toEqual([]);
    const shots = process.env["HEARTH_SHOTS"];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/restored.png` });
    await page.getByRole("button", { name: "Discard queued work" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard queued work?" });
    if (shots !== undefined) await page.screenshot({ path: `${shots}/restored-dialog.png` });
    await dialog.getByRole("button", { name: "Discard queued work" }).click();
    await page.getByText("This house is not on hold.").waitFor();
    await banner.waitFor({ state: "detached" });
    expect((await daemon.ask("GET", "/api/restore")).json.onHold).toBe(false);
    expect(visited.complaints).toEqual([]);
  }, 120_000);
});
