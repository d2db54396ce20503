import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectGerman, readEnglishTexts, textsOn } from "./german-pages.ts";
import { furnish } from "./looks-pages.ts";
import { controlled, keptPaths } from "./worker.ts";

/** One page of each kind. `german.long.ts` opens all of them. */
const PATHS = [
  "/ui/rooms/main",
  "/ui/inbox",
  "/ui/automations",
  "/ui/settings",
  "/ui/settings/account",
  "/ui/settings/agents/main/tools",
  "/ui/settings/backups",
  "/ui/brain/main",
];

/** Console messages of Chromium about requests that fail. */
const CUT = /ERR_|Failed to load resource|WebSocket connection to/;

inBrowser("the UI in German", ({ visit, stranger }) => {
  test("follows the browser before the login, and the choice in the settings afterwards", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    const english = await readEnglishTexts();
    expect(english.size).toBeGreaterThan(800);

    await using arrived = await stranger(daemon, { path: "/ui/", locale: "de-AT", expected: /401/ });
    await arrived.page.getByRole("heading", { name: "Bei Hearth anmelden" }).waitFor();
    await expectGerman(arrived.page, "/ui/", english);
    expect(arrived.complaints).toEqual([]);

    await using visited = await visit(daemon, { path: "/ui/settings", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    // The check finds English texts on an English page.
    expect((await textsOn(page)).filter((text) => english.has(text)).length).toBeGreaterThan(10);
    // Unsaved text survives the switch.
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Ada Lovelace");
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    expect(await name.inputValue()).toBe("Ada Lovelace");
    expect(await page.getByRole("radio", { name: "Deutsch" }).isChecked()).toBe(true);
    for (const path of PATHS) {
      await page.goto(daemon.url + path);
      await expectGerman(page, path, english);
    }
    // The automatic choice follows the browser again, which prefers English.
    await page.goto(`${daemon.url}/ui/settings`);
    await page.getByRole("radio", { name: /^Automatisch/ }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("opens without a network in the language of the last visit", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings", serviceWorkers: "allow", expected: CUT });
    const { page, context } = visited;
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await controlled(page);
    const english = await keptPaths(page);
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    // The worker of the new language keeps its own files. If it could not load one, the next visit
    // installs it.
    await until(async () => {
      const kept = await keptPaths(page);
      if (kept.some((path) => path.startsWith("/ui/index.de-")) && !english.every((path) => kept.includes(path)))
        return true;
      await page.reload();
      await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
      return false;
    });
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: "Du bist offline" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
