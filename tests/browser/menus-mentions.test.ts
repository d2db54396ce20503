/** Menus and lists of mentions by keyboard, and where the focus is afterwards. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

setDefaultTimeout(120_000);

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

inBrowser("a list that opens", ({ visit }) => {
  test("is a menu that arrow keys open and move through, and Escape and Tab close", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const button = page.getByRole("button", { name: "Options of Main" }).first();
    const menu = page.getByRole("menu", { name: "Options of Main" });
    const names = () => menu.getByRole("menuitem").allTextContents();
    await button.waitFor();
    for (const opener of ["ArrowDown", "ArrowUp"]) {
      await button.focus();
      // Other keys do not open it.
      await page.keyboard.press("a");
      await page.keyboard.press("Home");
      expect(await menu.count()).toBe(0);
      await page.keyboard.press(opener);
      await menu.waitFor();
      // The browser reports that a menu opened or closed in a later task.
      await until(async () => (await focused(page)) === (await names())[0]);
      expect(await button.getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
      await until(async () => (await button.getAttribute("aria-expanded")) === "false");
      expect(await focused(page)).toBe("Options of Main");
    }

    await button.press("ArrowDown");
    await menu.waitFor();
    await until(async () => (await focused(page)) === (await names())[0]);
    const all = await names();
    const last = all.length - 1;
    for (const [key, index] of [
      ["ArrowUp", last],
      ["ArrowDown", 0],
      ["ArrowDown", 1],
      ["ArrowRight", 2],
      ["ArrowLeft", 1],
      ["x", 1],
      ["End", last],
      ["ArrowDown", 0],
      ["End", last],
      ["Home", 0],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await focused(page)]).toEqual([key, all[index] ?? ""]);
    }
    await page.keyboard.press("Tab");
    await menu.waitFor({ state: "hidden" });
    expect(visited.complaints).toEqual([]);
  });

  test("has the mentions for the text before the cursor, and the text keeps the focus", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    for (const name of ["Robin", "Robert"])
      await daemon.ask("POST", "/api/agents", { content: { name, kind: "bot", triggerMode: "mention" } });
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/kitchen", reducedMotion: "reduce" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    const list = page.getByRole("listbox", { name: "Mention suggestions" });
    const selected = () => list.locator('[aria-selected="true"]').textContent();
    const typeQuery = async (text: string, count: number): Promise<void> => {
      await composer.fill("");
      await composer.pressSequentially(text);
      await until(async () => (await list.getByRole("option").count()) === count);
    };

    await typeQuery("Ask @ro", 2);
    const [first, second] = await list.getByRole("option").allTextContents();
    for (const [key, name] of [
      ["ArrowDown", second],
      ["ArrowDown", first],
      ["ArrowUp", second],
      ["ArrowUp", first],
    ] as const) {
      await page.keyboard.press(key);
      await until(async () => (await selected()) === name);
    }
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    expect(await composer.inputValue()).toBe("Ask @ro");

    await typeQuery("Ask @rober", 1);
    await page.keyboard.press("Tab");
    await until(async () => (await composer.inputValue()) === "Ask @robert ");
    expect(await focused(page)).toBe("Message Kitchen");

    await typeQuery("Ask @robi", 1);
    await page.keyboard.press("Enter");
    await until(async () => (await composer.inputValue()) === "Ask @robin ");
    await list.waitFor({ state: "detached" });

    // A screen reader moves the focus to the option before it activates it.
    await typeQuery("Ask @rober", 1);
    await list.getByRole("option").evaluate((option: HTMLElement) => {
      option.focus();
      option.click();
    });
    await until(async () => (await composer.inputValue()) === "Ask @robert ");
    await until(async () => (await focused(page)) === "Message Kitchen");
    await page.keyboard.type("to cook");
    expect(await composer.inputValue()).toBe("Ask @robert to cook");
    expect(visited.complaints).toEqual([]);
  });
});
