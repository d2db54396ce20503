import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { makePdf } from "../journeys/pdf.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

/** Set to a folder, the tests write their screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

/** More than several pages of a room. */
const MESSAGES = 300;

const post = async (daemon: Daemon, room: string, text: string): Promise<void> => {
  const { status } = await daemon.ask("POST", `/api/rooms/${room}/messages`, { text });
  if (status !== 201) throw new Error(`the message was not posted: ${status}`);
};

/** A long room that begins with a message about a boiler, and a room with a newer one. */
const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  await daemon.ask("POST", "/api/rooms", { content: { name: "Long" } });
  await daemon.ask("POST", "/api/rooms", { content: { name: "Boiler room" } });
  await post(daemon, "long", "Vidal repaired the boiler: 142 €");
  for (let number = 1; number < MESSAGES; number += 1)
    await post(daemon, "long", `Message ${number} ${"and more ".repeat(number % 20)}`);
  await post(daemon, "boiler-room", "Is the boiler warm again?");
  await daemon.ask("POST", "/api/agents/main/memory/remember", { text: "The boiler is from 2019." });
};

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Search" });

inBrowser("the search", ({ visit }) => {
  test("Ctrl+K finds messages, memory, agents and rooms, and a result far back opens at its message", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByRole("heading", { level: 1, name: "Main" }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = dialogOf(page);
    await dialog.getByRole("searchbox").waitFor();
    await page.keyboard.type("boiler");
    for (const title of ["Rooms", "Messages", "Memory"])
      await dialog.getByRole("heading", { level: 3, name: title }).waitFor();
    await dialog.getByRole("link", { name: /Is the boiler warm/ }).waitFor();
    expect(await dialog.locator("mark").allTextContents()).toEqual(["boiler", "boiler"]);
    await dialog
      .getByRole("link", { name: /MEMORY|memory/ })
      .first()
      .waitFor();

    // Room, newest message, oldest message.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Long" }).waitFor();
    const found = page.getByRole("article").filter({ hasText: "Vidal repaired the boiler" });
    await until(() => found.evaluate((article) => article === document.activeElement));
    await until(() =>
      found.evaluate((article) => {
        const { top, bottom } = article.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    );
    // A reload shows the end of the room.
    expect(new URL(page.url()).search).toBe("");
    await dialog.waitFor({ state: "hidden" });
    expect(visited.complaints).toEqual([]);
  });

  test("a hit in a document names its page and opens it, and the pages around it can be read", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const pages = [1, 2, 3].map(
      (number) => `Page ${number} of the lease. ${number === 2 ? "The deposit is high." : ""}`,
    );
    const file = join(home.folder, "lease.pdf");
    await writeFile(file, await makePdf(pages));
    expect((await daemon.hearth("chat", "--file", file, "-m", "keep this")).code).toBe(0);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByRole("link", { name: "Show the text of lease.pdf" }).waitFor();
    await page.keyboard.press("Control+k");
    await dialogOf(page).getByRole("searchbox").fill("deposit");
    const hit = dialogOf(page).getByRole("link", { name: /lease\.pdf, page 2/ });
    await hit.waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "search-document.png") });
    await hit.click();
    const text = page.getByRole("dialog", { name: "lease.pdf" });
    await text.getByRole("heading", { name: "Page 2" }).waitFor();
    await text.getByText("The deposit is high.").waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "document-page.png") });
    await text.getByRole("button", { name: "Next" }).click();
    await text.getByText("Page 3 of the lease.").waitFor();
    expect(await text.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await text.waitFor({ state: "hidden" });
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("link", { name: "Show the text of lease.pdf" }).click();
    await text.getByText("Page 1 of the lease.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("filters narrow the messages, and the page of results can be continued", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await daemon.ask("POST", "/api/rooms", { content: { name: "Garden" } });
    for (let number = 1; number <= 25; number += 1) await post(daemon, "kitchen", `tomato ${number}`);
    await post(daemon, "garden", "tomato outside");
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    // The first answer is that of a house that has not indexed its messages yet.
    await page.route(
      /api\/search/,
      (route) =>
        route.fulfill({
          json: { messages: [], files: [], workspaceFiles: [], agents: [], rooms: [], isComplete: false },
        }),
      { times: 1 },
    );
    await page.getByRole("button", { name: "Search house" }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("searchbox").fill("tomato");
    const hits = dialog.getByRole("link");
    await until(async () => (await hits.count()) === 20);
    await dialog.getByRole("button", { name: "Show older messages" }).click();
    await until(async () => (await hits.count()) === 26);
    await dialog.getByRole("button", { name: "Filters" }).click();
    await dialog.getByRole("combobox", { name: "Room" }).selectOption({ label: "Garden" });
    await until(async () => (await hits.count()) === 1);
    await dialog.getByLabel("Until").fill("2020-01-31");
    await dialog.getByText("No matches").waitFor();
    await dialog.getByLabel("Until").fill("");
    await dialog.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Rooms" });
    await dialog.getByText("No matches").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(visited.complaints).toEqual([]);
  });

  test("on a phone the search opens from the menu and fits the screen", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await post(daemon, "kitchen", `A tomato ${"and-a-long-word".repeat(20)} at the end`);
    await using visited = await visit(daemon, {
      path: "/ui/rooms/main",
      ...PHONE,
      viewport: { width: 390, height: 844 },
    });
    const { page } = visited;
    await page.getByRole("button", { name: "Chats and settings" }).click();
    await page.getByRole("button", { name: "Search house" }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("searchbox").fill("tomato");
    await dialog.getByRole("link", { name: /A tomato/ }).waitFor();
    await dialog.getByRole("button", { name: "Filters" }).click();
    await expectFit(page);
    expect(visited.complaints).toEqual([]);
  });
});
