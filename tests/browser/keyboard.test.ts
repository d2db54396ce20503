import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

/** Presses Tab until an element with this name has the focus. Fails after a full cycle. */
const tabTo = async (page: Page, name: RegExp, key = "Tab"): Promise<void> => {
  const seen: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (name.test(now)) return;
    seen.push(now);
  }
  throw new Error(`no way by ${key} to ${name}; passed: ${seen.join(" | ")}`);
};

inBrowser("without a mouse", ({ visit }) => {
  test("a user completes the welcome, writes, edits, deletes, and changes rooms and settings", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon);
    const { page } = visited;

    await page.getByRole("textbox", { name: "Your name" }).waitFor();
    await tabTo(page, /^Skip all$/);
    await page.keyboard.press("Enter");
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.waitFor();
    // The composer has the focus.
    await until(() => composer.evaluate((element) => element === document.activeElement));
    await page.keyboard.type("help");
    await page.keyboard.press("Enter");
    await until(async () => (await page.getByRole("article").count()) >= 2);

    await page.keyboard.press("ArrowUp");
    const editor = page.getByRole("textbox", { name: "Edit message" });
    await editor.waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("help me");
    await page.keyboard.press("Enter");
    await inRoom(page, /\(edited\)/).waitFor();

    await tabTo(page, /^Delete message$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, /^Delete$/);
    await page.keyboard.press("Enter");
    await inRoom(page, /Message deleted/).waitFor();
    expect(await focused(page)).not.toBe("");

    await tabTo(page, /^Kitchen/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Kitchen" }).waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("heading", { level: 1, name: "Main" }).waitFor();
    await tabTo(page, /Settings$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("the first link skips the rooms, and Escape closes a dialog and restores the focus", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await tabTo(page, /^New room$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog")
      .waitFor({ state: "detached" })
      .catch(() => page.getByRole("dialog").waitFor({ state: "hidden" }));
    expect(await focused(page)).toBe("New room");
    await tabTo(page, /^Skip to/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
    expect(visited.complaints).toEqual([]);
  });
});
