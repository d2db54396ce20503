import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startS3Server } from "@hearth/testing/s3";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("backup targets without a terminal", ({ visit }) => {
  test("an admin adds an S3 store, tests it, makes a backup there, changes and removes it", async () => {
    await using server = await startS3Server();
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const phone = { ...PHONE, viewport: { width: 390, height: 844 } };
    await using visited = await visit(daemon, { path: "/ui/settings/backups", ...phone, expected: /400/ });
    const { page } = visited;
    const photograph = async (name: string): Promise<void> => {
      const shots = process.env["HEARTH_SHOTS"];
      for (const colorScheme of shots === undefined ? [] : (["light", "dark"] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
      }
    };
    const config = (): Promise<string> => readFile(join(home.folder, "hearth.toml"), "utf8");
    const keyFiles = async (): Promise<readonly string[]> =>
      (await readdir(join(home.folder, "keys")).catch(() => [])).filter((name) => name.startsWith("backup."));
    const before = await config();

    const form = page.getByRole("region", { name: "Targets elsewhere" });
    await form.getByRole("button", { name: "New target" }).click();
    const add = form.getByRole("button", { name: "Add target" });
    expect(await add.isDisabled()).toBe(true);
    await form.getByLabel("Name").fill("offsite");
    await form.getByLabel("Bucket").fill(server.bucket);
    await form.getByLabel("Prefix").fill("house");
    await form.getByLabel("Address of the store").fill(server.endpoint);
    await form.getByLabel("Region").fill(server.region);
    await form.getByLabel("Access key ID").fill(server.accessKeyId);
    await form.getByLabel("Secret access key").fill(server.secretAccessKey);
    await form.getByLabel("Interval").fill("1m");
    await form.getByLabel("Backups to keep").fill("3");
    await expectFit(page);
    await photograph("backup-target-390");
    await add.click();
    await form.getByText("10 minutes or more").waitFor();
    await form.getByLabel("Interval").fill("6h");
    await add.click();

    const backups = page.getByRole("region", { name: "Backups" });
    const row = backups.getByRole("row", { name: `offsite s3://${server.bucket}/house` });
    const choose = async (name: string): Promise<void> => {
      await row.getByRole("button", { name: "Actions of offsite" }).click();
      await row.getByRole("menuitem", { name }).click();
    };
    await choose("Test");
    await row.getByText("The target works.", { exact: false }).waitFor();
    expect(await config()).not.toContain(server.secretAccessKey);
    expect(await keyFiles()).toHaveLength(2);
    expect((await daemon.ask("GET", "/api/backups")).json).toMatchObject([
      { target: "offsite", everyMs: 21_600_000, keep: 3 },
    ]);
    await row.getByRole("button", { name: "Back up now to offsite" }).click();
    await row.getByText("Backup 1", { exact: false }).waitFor();
    expect([...server.objects.keys()]).toContain("house/backup-000001.json");
    await expectFit(page);

    await page.setViewportSize({ width: 1440, height: 900 });
    await choose("Change");
    const changes = page.getByRole("dialog", { name: "Change offsite" });
    await changes.getByLabel("Backups to keep").fill("5");
    await changes.getByLabel("Access key ID").fill("wrong");
    await changes.getByLabel("Secret access key").fill("wrong");
    await changes.getByRole("button", { name: "Save offsite" }).click();
    await changes.waitFor({ state: "detached" });
    await choose("Test");
    await row.getByText("refused access", { exact: false }).first().waitFor();
    await expectFit(page);
    await photograph("backup-target-1440");
    expect(await keyFiles()).toHaveLength(2);
    expect((await daemon.ask("GET", "/api/backups")).json).toMatchObject([{ everyMs: 21_600_000, keep: 5 }]);

    await choose("Remove");
    await page.getByRole("dialog").getByRole("button", { name: "Remove 1 target" }).click();
    await backups.getByText(/^This house makes no backups yet/).waitFor();
    expect([await config(), await keyFiles()]).toEqual([before, []]);
    expect([...server.objects.keys()]).toContain("house/backup-000001.json");
    expect(visited.complaints).toEqual([]);
  }, 120_000);
});
