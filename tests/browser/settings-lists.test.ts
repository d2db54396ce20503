import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

const shots = process.env["HEARTH_SHOTS"];

inBrowser("the lists of the settings", ({ visit }) => {
  test("are searched and filtered in the address, and change several rows at once", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    for (const name of ["Scout", "Clerk", "Cook"])
      await daemon.ask("POST", "/api/agents", { content: { name, kind: "bot", description: `Helps as ${name}.` } });
    for (const name of ["Bea", "Carl"])
      await daemon.ask("POST", "/api/agents", { level: "r", content: { name, kind: "human" } });
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen", description: "What we eat" } });
    await using visited = await visit(daemon, { path: "/ui/settings/agents", reducedMotion: "reduce" });
    const { page } = visited;
    const rows = (name: string) => page.getByRole("table", { name }).getByRole("row");
    const picture = async (name: string): Promise<void> => {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        expect({ name, width, isTooWide: await isTooWide(page), found: await judge(page) }).toEqual({
          ...{ name, width, isTooWide: false, found: [] },
        });
        if (shots !== undefined) await page.screenshot({ path: `${shots}/list-${name}-${width}.png`, fullPage: true });
      }
    };

    await page.getByRole("link", { name: "Scout" }).waitFor();
    await picture("agents");
    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Agents" });
    await page.getByLabel("Search", { exact: true }).fill("helps");
    await until(async () => (await rows("Agents and people").count()) === 4);
    expect(new URL(page.url()).search).toBe("?kind=bot&q=helps");
    await page.reload();
    await until(async () => (await rows("Agents and people").count()) === 4);
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await page.getByRole("button", { name: "Stop 3 agents" }).click();
    await page
      .getByRole("button", { name: "Resume 3 agents" })
      .or(page.getByText("3 agents stopped."))
      .first()
      .waitFor();
    await until(async () => (await page.getByRole("cell", { name: "Stopped" }).count()) === 3);
    // A menu of the row has the same changes, for the keyboard too.
    await page.getByRole("button", { name: "Actions of Cook" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove 1" }).click();
    await page.getByRole("link", { name: "Cook" }).waitFor({ state: "detached" });
    await page.getByLabel("Search", { exact: true }).fill("nothing like this");
    await page.getByText("No matches").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByRole("link", { name: "Clerk" }).waitFor();

    await page.goto(`${daemon.url}/ui/settings/members?kind=human`);
    await page.getByRole("checkbox", { name: "Select Bea" }).check();
    await page.getByRole("checkbox", { name: "Select Carl" }).check();
    await picture("members");
    await page.getByRole("button", { name: "Make 2 member" }).click();
    await until(
      async () =>
        (await page.getByRole("combobox", { name: "Role of Bea" }).inputValue()) === "w" &&
        (await page.getByRole("combobox", { name: "Role of Carl" }).inputValue()) === "w",
    );

    await page.goto(`${daemon.url}/ui/settings/rooms`);
    await page.getByRole("link", { name: "Kitchen" }).first().waitFor();
    await picture("rooms");
    // A short list has no filters, but the address may have one.
    await page.goto(`${daemon.url}/ui/settings/rooms?kind=group`);
    await until(async () => (await rows("Rooms").count()) === 2);
    await page.getByRole("button", { name: "Actions of Kitchen" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove 1 room" }).click();
    await page.getByText("No matches").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
