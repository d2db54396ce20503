import { expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("backups without a terminal", ({ visit }) => {
  test("an admin chooses a folder, makes a backup, sees why one fails, and what takes space", async () => {
    using home = createHome();
    const folder = join(home.folder, "backups");
    await using daemon = await startDaemon(join(home.folder, "house"));
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/backups", expected: /400/ });
    const { page } = visited;
    const backups = page.getByRole("region", { name: "Backups" });
    await backups.getByText(/^This house makes no backups yet/).waitFor();

    const schedule = page.getByRole("region", { name: "Backup folder" });
    const save = schedule.getByRole("button", { name: "Save backup folder" });
    await schedule.getByLabel("Path on this machine").fill(folder);
    await schedule.getByLabel("Interval").fill("5m");
    await save.click();
    await schedule.getByText("10 minutes or more").waitFor();
    await schedule.getByLabel("Interval").fill("12h");
    await schedule.getByLabel("Backups to keep").fill("3");
    await save.click();

    const start = backups.getByRole("button", { name: "Back up now to Folder" });
    await start.click();
    await backups.getByText("Backup 1", { exact: false }).waitFor();
    expect(await readdir(folder)).toContain("backup-000001.json");
    expect((await daemon.ask("GET", "/api/backups")).json).toMatchObject([
      { to: folder, keep: 3, last: { number: 1 } },
    ]);
    await start.click();
    await backups.getByText("Backup 2", { exact: false }).waitFor();

    const restore = page.getByRole("region", { name: "Restore" });
    await restore.getByRole("button", { name: "List backups" }).click();
    await restore.getByRole("button", { name: "Restore backup 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore backup 2?" });
    await dialog
      .getByText("Messages, agents, keys and settings become those of the backup.", { exact: false })
      .waitFor();
    expect(await judge(page)).toEqual([]);
    const shots = process.env["HEARTH_SHOTS"];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/restore.png`, fullPage: true });
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const storage = page.getByRole("region", { name: "Storage" });
    await storage.getByRole("button", { name: "Measure storage" }).click();
    await storage.getByRole("row", { name: /^Total/ }).waitFor();
    expect(await judge(page)).toEqual([]);

    // A file where the folder should be makes every backup fail.
    const wrong = join(home.folder, "a-file");
    await writeFile(wrong, "");
    await schedule.getByLabel("Path on this machine").fill(wrong);
    await save.click();
    await backups.getByText(wrong, { exact: false }).waitFor();
    await start.click();
    await backups.getByText("The last backup failed").waitFor();
    expect((await daemon.ask("GET", "/api/me")).json.needsBackup).toBe(true);
    await page.goto(`${daemon.url}/ui/settings`);
    await page.getByRole("button", { name: "View backups" }).click();
    await backups.getByText("The last backup failed").waitFor();
    await schedule.getByLabel("Path on this machine").fill("");
    await save.click();
    await backups.getByText(/^This house makes no backups yet/).waitFor();
    await until(async () => (await daemon.ask("GET", "/api/me")).json.needsBackup === undefined);
    expect(visited.complaints).toEqual([]);
  });
});
