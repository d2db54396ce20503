import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

inBrowser("the log of the house", ({ visit }) => {
  test("is filtered by level and text, and followed", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/system", reducedMotion: "reduce" });
    const { page } = visited;
    const log = page.getByRole("region", { name: "Log", exact: true });
    const line = (name: string) => log.getByRole("button", { name, exact: true });
    await line("ready").waitFor();
    await line("ready").click();
    await log.getByText(daemon.url, { exact: false }).first().waitFor();
    await log.getByLabel("Contains").fill("no line has this");
    await log.getByText("No lines").waitFor();
    await log.getByLabel("Contains").fill("READY");
    await line("ready").waitFor();

    const shots = process.env["HEARTH_SHOTS"];
    for (const width of [390, 1440])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await judge(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        if (shots !== undefined) await log.screenshot({ path: `${shots}/log-${width}-${colorScheme}.png` });
      }

    await log.getByLabel("Contains").fill("");
    await log.getByLabel("Level").selectOption({ label: "Warnings and errors" });
    await line("ready").waitFor({ state: "detached" });
    await log.getByRole("checkbox", { name: "Follow" }).check();
    appendFileSync(join(home.folder, "hearth.toml"), "\nthis is no setting\n");
    await line("the config file is not valid; the last valid config stays").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
