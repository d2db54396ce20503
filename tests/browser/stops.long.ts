import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { createHome, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { inBrowser } from "./browser.ts";
import { startHouse } from "./stop-house.ts";

inBrowser("an agent that is stopped on its page", ({ visit }) => {
  test("shows an error if the house cannot store the stop, and fetches the real state", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main", expected: /503/ });
    const { page } = visited;
    const error = { code: "store.unavailable", message: "The disk is full." };
    await page.route(/\/(stop|resume|stop-all|resume-all)$/, (route) =>
      route.fulfill({ status: 503, json: { error } }),
    );
    const failAt = async (button: Locator, asked: RegExp): Promise<void> => {
      const again = page.waitForRequest(asked);
      await button.click();
      await again;
      await page.getByText("The disk is full.").waitFor();
    };
    await failAt(page.getByRole("button", { name: "Stop Main", exact: true }), /\/api\/stops$/);
    await page.goto(`${daemon.url}/ui/settings/agents`);
    await failAt(page.getByRole("main").getByRole("button", { name: "Stop all agents" }), /\/api\/stops$/);
    expect((await daemon.hearth("stop-all")).code).toBe(0);
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await failAt(page.getByRole("button", { name: "Resume all", exact: true }), /\/api\/resume-all$/);
    await page.getByText("All agents are stopped.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("keeps the chosen queue mode", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/advanced" });
    const { page } = visited;
    const choice = page.getByRole("radio", { name: /^Restart/ });
    expect(await page.getByRole("radio", { name: /^Include now/ }).isChecked()).toBe(true);
    await choice.click();
    await until(async () => (await daemon.ask("GET", "/api/agents/main")).json.content.queue === "interrupt");
    await page.reload();
    await until(() => choice.isChecked());
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a stop of all agents", ({ visit }) => {
  test("shows a banner on every page, which resumes the agents", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents" });
    const { page } = visited;
    const line = page.getByText("All agents are stopped. New messages wait until you resume.");
    await page.getByRole("main").getByRole("button", { name: "Stop all agents" }).click();
    await line.waitFor();
    await page.getByRole("button", { name: "Resume all agents" }).waitFor();
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await line.waitFor();
    await page.getByText("Main is stopped.", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Resume", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume all", exact: true }).click();
    await line.waitFor({ state: "detached" });
    expect((await daemon.ask("GET", "/api/stops")).json).toEqual([]);

    expect((await daemon.hearth("stop-all")).code).toBe(0);
    await line.waitFor();
    expect((await daemon.hearth("resume-all")).code).toBe(0);
    await line.waitFor({ state: "detached" });
    expect(visited.complaints).toEqual([]);
  });
});
