/**
 * Tests room states: stopped and failed runs, retries, jobs, wide tables, and recovery from a wrong
 * key.
 */
import { expect, test } from "bun:test";
import { until } from "../journeys/daemon.ts";
import { inBrowser } from "./browser.ts";
import { NARROW, open } from "./room-house.ts";

inBrowser("a room", ({ visit }) => {
  test("on the offline helper links to the models on a narrow screen, and settings pages have their own titles", async () => {
    await using house = await open();
    const content = { name: "A helper with rather a long name", kind: "bot", model: "offline/basic" };
    const { json: helper } = await house.daemon.ask("POST", "/api/agents", { content });
    const { json: room } = await house.daemon.ask("POST", `/api/agents/${helper.id}/room`, {});
    await using visited = await visit(house.daemon, { path: `/ui/rooms/${room.handle}`, viewport: NARROW });
    const { page } = visited;
    const link = page.getByRole("link", { name: "Choose a model" });
    await link.waitFor();
    const isHit = await link.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isHit).toBe(true);
    await link.click();
    await page.getByRole("heading", { name: content.name }).waitFor();

    const titles: string[] = [];
    for (const path of [
      ...["", "/account", "/agents", "/new-agent", "/agents/main", "/agents/main/activity", "/agents/main/inside"],
      ...["/members", "/rooms", "/new-room", "/rooms/main", "/rooms/main/activity", "/models", "/system"],
    ]) {
      await page.goto(`${house.daemon.url}/ui/settings${path}`);
      await page.getByRole("heading", { level: 1, name: /^(Settings|Agents)$/ }).waitFor();
      await until(async () => (await page.title()).endsWith("Settings") && (await page.title()) !== "Settings");
      titles.push(await page.title());
    }
    expect(titles.length - new Set(titles).size).toBe(1); // Agent and room are both named Main.
    expect(visited.complaints).toEqual([]);
  });

  test("a failed key test stores no provider and keeps the typed text", async () => {
    await using house = await open();
    house.model.refuse = () => Response.json({ error: { message: "no" } }, { status: 401 });
    const names = async (): Promise<readonly string[]> =>
      (await house.daemon.ask("GET", "/api/providers")).json.map(({ name }: { name: string }) => name);
    const before = await names();
    await using visited = await visit(house.daemon, { path: "/ui/settings/models" });
    const { page } = visited;
    const section = page.getByRole("region", { name: "Add provider" });
    await section.getByRole("radio", { name: /^OpenAI-compatible endpoint/ }).check();
    const address = section.getByRole("textbox", { name: "Address" });
    await address.fill(house.model.baseUrl.replace("127.0.0.1", "localhost"));
    const key = section.getByLabel("API key (optional)");
    await key.fill("wrong-key");
    await section.getByRole("combobox", { name: "Model" }).fill("some-model");
    await section.getByRole("button", { name: "Test" }).click();
    await page.getByText(/does not accept the key\.$/).waitFor();
    expect(await names()).toEqual(before);
    expect(await key.inputValue()).toBe("wrong-key");
    expect(await address.inputValue()).toContain("localhost");
    await page.reload();
    await page.getByRole("radio", { name: /^OpenAI-compatible endpoint/ }).waitFor();
    expect(await names()).toEqual(before);
    expect(visited.complaints).toEqual([]);
  });
});
