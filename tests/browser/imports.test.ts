import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOREIGN_PASSWORD, FOREIGN_TOKEN, writeOpenClawHome } from "@hearth/testing/foreign-homes";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("an agent of another program", ({ visit }) => {
  test("is imported from a folder: preview, choice, progress, report, and nothing twice", async () => {
    using home = createHome();
    const source = join(home.folder, "ada/.openclaw");
    await writeOpenClawHome(source);
    // The house finds the folders of its user.
    await using daemon = await startDaemon(join(home.folder, "house"), { HOME: join(home.folder, "ada") });
    await welcome(daemon);
    const phone = { ...PHONE, viewport: { width: 390, height: 844 } };
    await using visited = await visit(daemon, { path: "/ui/settings/agents", ...phone, expected: /400/ });
    const { page } = visited;
    const photograph = async (name: string): Promise<void> => {
      const shots = process.env["HEARTH_SHOTS"];
      for (const colorScheme of shots === undefined ? [] : (["light", "dark"] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
      }
    };
    await page.getByRole("link", { name: "Import agent of another program" }).click();
    const form = page.getByRole("region", { name: "Import agent" });
    const folder = form.getByLabel("Folder");
    expect(await folder.inputValue()).toBe(source);
    expect(await form.getByLabel("Program").inputValue()).toBe("openclaw");
    const look = form.getByRole("button", { name: "Show preview" });

    await folder.fill(join(home.folder, "house"));
    await look.click();
    await form.getByText("contains files of this house", { exact: false }).waitFor();
    await folder.fill(source);
    await look.click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Secrets are removed from 2 parts", { exact: false }).waitFor();
    await preview.getByText("Show parts that are left out").click();
    await preview.getByText("Hearth has no such chat platform yet.").waitFor();
    await preview.getByText("Show persona and instructions").click();
    await preview.getByText("Replaces the present text", { exact: false }).first().waitFor();
    await preview.getByText("Show automations").click();
    await preview.getByRole("checkbox", { name: /tea/ }).uncheck();
    await expectFit(page);
    await photograph("import-390");
    const soul = (): Promise<string> => Bun.file(join(home.folder, "house/brains/main/SOUL.md")).text();
    expect(await soul()).not.toContain("lobster");

    await preview.getByRole("button", { name: /^Import \d+ parts$/ }).click();
    const report = page.getByRole("region", { name: "Last import" });
    await report.getByText(/^\d+ parts imported\.$/).waitFor();
    await expectFit(page);
    expect(await soul()).toBe("You are Molty, a lobster.\n");
    const { jobs } = (await daemon.ask("GET", "/api/agents/main/jobs")).json;
    expect(jobs).toMatchObject([{ name: "morning-news", prompt: "What is new?" }]);
    const search = (await daemon.hearth("memory", "search", "where is the kayak?")).stdout;
    expect(search).toContain("The kayak is at the lake.");
    const files = (await daemon.ask("GET", "/api/agents/main/brain")).json.files as readonly { path: string }[];
    for (const { path } of files) {
      const text = await Bun.file(join(home.folder, "house/brains/main", path)).text();
      for (const secret of [FOREIGN_TOKEN, FOREIGN_PASSWORD])
        expect([path, text.includes(secret)]).toEqual([path, false]);
    }

    // A wide screen, and a file that was added since: only this file and the job are left.
    mkdirSync(join(source, "workspace/memory"), { recursive: true });
    writeFileSync(join(source, "workspace/memory/2026-06-01.md"), "The key is under the mat.\n");
    await page.setViewportSize({ width: 1440, height: 900 });
    await look.click();
    await preview.getByRole("checkbox", { name: "Memory: 1 part" }).waitFor();
    await preview.getByRole("checkbox", { name: "Automations: 1 part" }).uncheck();
    await expectFit(page);
    await photograph("import-1440");
    await preview.getByRole("button", { name: "Import 1 part" }).click();
    await report.getByText("1 part imported.").waitFor();
    await expectFit(page);
    await photograph("import-report-1440");
    expect(visited.complaints).toEqual([]);
  }, 120_000);
});
