import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("the page of an agent", ({ visit }) => {
  test("has tabs in the address; typed text survives a change of the tab, and its buttons stay in view", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const phone = { ...PHONE, viewport: { width: 390, height: 844 } };
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main", ...phone });
    const { page } = visited;
    const tabs = page.getByRole("navigation", { name: "Settings of Main" });
    const open = async (name: string, path: string): Promise<void> => {
      await tabs.getByRole("link", { name }).click();
      await until(() => page.url().endsWith(`/ui/settings/agents/main/${path}`));
      expect(await tabs.locator("[aria-current]").allTextContents()).toEqual([name]);
    };
    await open("Instructions", "instructions");
    // On a phone the link to the agents replaces the tabs of the settings.
    await page.getByRole("link", { name: "Agents", exact: true }).waitFor();
    expect(await page.getByRole("navigation", { name: "Settings", exact: true }).count()).toBe(0);
    const text = page.getByRole("textbox", { name: "Instructions (optional)" });
    await text.fill("Be brief.\n".repeat(80));
    const save = page.getByRole("button", { name: "Save instructions" });
    await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
    const box = await save.boundingBox();
    expect(box !== null && box.y > 0 && box.y + box.height <= 844).toBe(true);
    await expectFit(page);

    await open("Budget", "budget");
    await page.getByRole("textbox", { name: "Per day, US dollars" }).fill("2.50");
    await open("Instructions", "instructions");
    expect(await text.inputValue()).toBe("Be brief.\n".repeat(80));
    await page.reload();
    await save.click();
    await until(async () => (await daemon.ask("GET", "/api/agents/main")).json.content.prompt?.startsWith("Be brief."));
    await open("Budget", "budget");
    expect(await page.getByRole("textbox", { name: "Per day, US dollars" }).inputValue()).toBe("2.50");
    await page.getByRole("button", { name: "Save budget" }).click();
    await page.getByText("2.50 USD, 0 % spent").waitFor();
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.budget).toEqual({ day: { money: 2_500_000 } });
    await page.goBack();
    await text.waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
