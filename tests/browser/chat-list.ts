/** Begins, renames, pins, archives and finds chats, on a wide screen or on a phone. */
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inRoom, type Visitors, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

const chatsOf = (page: Page): Locator => page.getByRole("navigation", { name: "Chats" });
const titled = (page: Page, name: string): Locator => page.getByRole("heading", { level: 1, name, exact: true });

/** Opens the list, which is behind a button on a phone. */
const openList = async (page: Page, isPhone: boolean): Promise<void> => {
  if (isPhone) await page.getByRole("button", { name: "Chats and settings" }).click();
  await chatsOf(page).waitFor();
};

const write = async (page: Page, text: string): Promise<void> => {
  const composer = page.getByRole("textbox", { name: /^Message / });
  await composer.fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await inRoom(page, text).waitFor();
};

/** Chooses an item of the menu of the open chat. */
const choose = async (page: Page, title: string, item: string): Promise<void> => {
  await page
    .getByRole("main")
    .getByRole("button", { name: `Options of ${title}` })
    .click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const begin = async (page: Page, isPhone: boolean, text: string): Promise<void> => {
  await openList(page, isPhone);
  await page.getByRole("button", { name: "New chat", exact: true }).click();
  await titled(page, "New chat").waitFor();
  await write(page, text);
  await titled(page, text).waitFor();
};

/** Fails if the page is too wide or has violations, in either theme. */
const expectClean = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["HEARTH_SHOTS"];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
    expect({ colorScheme, isTooWide: await isTooWide(page), violations: await judge(page) }).toEqual({
      colorScheme,
      isTooWide: false,
      violations: [],
    });
  }
};

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly isPhone: boolean;
}

export const keepChats = async (visit: Visitors["visit"], { width, height, isPhone }: Screen): Promise<void> => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  await welcome(daemon);
  await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
  await using visited = await visit(daemon, {
    path: "/ui/rooms/main",
    viewport: { width, height },
    reducedMotion: "reduce",
    ...(isPhone ? { isMobile: true, hasTouch: true } : {}),
  });
  const { page } = visited;
  await titled(page, "Main").waitFor();
  await begin(page, isPhone, "Plan a trip to Rome");
  await begin(page, isPhone, "Repair the boiler");

  await choose(page, "Repair the boiler", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("Heating");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await titled(page, "Heating").waitFor();
  await choose(page, "Heating", "Pin");
  await openList(page, isPhone);
  await page
    .getByRole("region", { name: "Pinned" })
    .getByRole("link", { name: /Heating/ })
    .waitFor();
  await expectClean(page, `list-${width}`);
  const recent = page.getByRole("region", { name: "Recent" });
  await recent.getByRole("link", { name: /Plan a trip to Rome/ }).click();
  await titled(page, "Plan a trip to Rome").waitFor();

  await choose(page, "Plan a trip to Rome", "Archive");
  await titled(page, "Plan a trip to Rome").waitFor({ state: "detached" });
  await openList(page, isPhone);
  expect(await recent.getByRole("link", { name: /Rome/ }).count()).toBe(0);
  await chatsOf(page).getByText("Archived (1)").waitFor();
  await expectClean(page, `archived-${width}`);

  // From the keyboard: the search finds the archived chat and opens it.
  if (isPhone) await page.getByRole("button", { name: "Search house" }).click();
  else await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("searchbox").waitFor();
  await page.keyboard.type("trip rome");
  await dialog
    .getByRole("link", { name: /Plan a trip to Rome/ })
    .first()
    .waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await titled(page, "Plan a trip to Rome").waitFor();
  await inRoom(page, "Plan a trip to Rome").waitFor();

  // The chat is in the list again, and the menu opens with the arrow keys.
  const options = page.getByRole("main").getByRole("button", { name: "Options of Plan a trip to Rome" });
  await options.focus();
  await page.keyboard.press("ArrowDown");
  const menu = page.getByRole("menu", { name: "Options of Plan a trip to Rome" });
  await menu.waitFor();
  const isFocused = (): Promise<boolean> =>
    menu.getByRole("menuitem", { name: "Rename" }).evaluate((item) => item === document.activeElement);
  await until(isFocused);
  await menu.getByRole("menuitem", { name: "Archive", exact: true }).waitFor();
  await expectClean(page, `menu-${width}`);
  await page.keyboard.press("Escape");
  await until(() => options.evaluate((button) => button === document.activeElement));
  expect(visited.complaints).toEqual([]);
};
