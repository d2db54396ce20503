import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("the emergency stop in the side bar", ({ visit }) => {
  test("shows its name, and stands out while an agent runs", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const content = { tools: ["shell"] };
    await daemon.ask("PATCH", "/api/agents/main", { content });
    await using visited = await visit(daemon, { path: "/ui/settings/agents", reducedMotion: "reduce" });
    const { page } = visited;
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    const stop = page.getByRole("complementary").getByRole("button", { name: "Stop all agents" });
    await stop.getByText("Stop all agents").waitFor();
    const colorOf = () => stop.evaluate((button) => getComputedStyle(button).color);
    const quiet = await colorOf();
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "run: sleep 60" });
    await page.waitForFunction((before) => {
      const button = [...document.querySelectorAll("aside button")].find(
        (button) => button.textContent === "Stop all agents",
      );
      return button !== undefined && getComputedStyle(button).color !== before;
    }, quiet);
    expect(await judge(page)).toEqual([]);
    const shots = process.env["HEARTH_SHOTS"];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/stop-named.png` });
    await stop.click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop all agents" }).click();
    await page.getByText("All agents are stopped. New messages wait until you resume.").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
