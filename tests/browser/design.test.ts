import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

setDefaultTimeout(120_000);

inBrowser("the page of the design", ({ visit }) => {
  test("shows every component in both themes without a violation, and is loaded for its visitors only", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const loaded: string[] = [];
    page.on("request", (request) => void loaded.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    expect(loaded.filter((path) => path.includes("showcase"))).toEqual([]);
    await page.goto(`${daemon.url}/ui/design`);
    await page.getByRole("heading", { level: 1, name: "Design" }).waitFor();
    expect(loaded.some((path) => path.includes("showcase"))).toBe(true);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFit(page);
    }
    await page.getByRole("button", { name: "Open dialog" }).click();
    await page.getByRole("dialog", { name: "Continue?" }).waitFor();
    expect(await judge(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Announce" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor({ state: "attached" });
    expect(visited.complaints).toEqual([]);
  });
});
