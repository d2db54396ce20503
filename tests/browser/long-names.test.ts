import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

const LONG = "The room for everything about the garden, the shed, the compost and the neighbour's donkey";

/** The number of text lines of an element. */
const linesOf = (element: Locator): Promise<number> =>
  element.evaluate((node) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(node);
    const inside = node.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
    return Math.round(inside / Number.parseFloat(lineHeight));
  });

const weightOf = (element: Locator): Promise<string> => element.evaluate((node) => getComputedStyle(node).fontWeight);

/** The left edge of each tab. */
const edgesOf = (page: Page): Promise<readonly string[]> =>
  page.getByRole("navigation", { name: "Settings" }).evaluate((nav) =>
    [...nav.querySelectorAll("a")].map((link) => {
      const { x, y } = link.getBoundingClientRect();
      return `${Math.round(x)},${Math.round(y)}`;
    }),
  );

inBrowser("names of any length, and stable positions", ({ visit }) => {
  test("on a phone a long name leaves the screen to the room", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("PATCH", "/api/agents/main", { content: { name: "Iris" } });
    const { json: room } = await daemon.ask("POST", "/api/rooms", { content: { name: LONG } });
    await using visited = await visit(daemon, {
      viewport: { width: 360, height: 740 },
      path: `/ui/rooms/${room.handle}`,
    });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: `Message ${LONG}` });
    await composer.waitFor();
    expect(await linesOf(page.getByRole("heading", { level: 1 }))).toBe(2);
    expect(await linesOf(composer)).toBe(1);
    const send = await page.getByRole("button", { name: "Send" }).boundingBox();
    expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThan(360);
    expect(await composer.getAttribute("placeholder")).toBe(`Message ${LONG} · @ mentions an agent`);
    await page.getByRole("button", { name: "Chats and settings" }).click();
    await page.getByRole("button", { name: "New room" }).click();
    await page.getByText("Agents answer messages that mention them, such as @iris.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("the settings tabs keep their positions from page to page", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings" });
    const { page } = visited;
    await page.getByRole("link", { name: "General" }).waitFor();
    const edges = await edgesOf(page);
    for (const name of ["Account", "Members", "Models"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator(`nav a[aria-current=page]`, { hasText: name }).waitFor();
      expect([name, ...(await edgesOf(page))]).toEqual([name, ...edges]);
    }
    await page.getByRole("button", { name: "Stop all agents" }).click();
    expect(await weightOf(page.getByRole("dialog").locator("p"))).toBe("400");
    expect(visited.complaints).toEqual([]);
  });
});
