import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};
const statesOf = async (daemon: Daemon): Promise<readonly string[]> =>
  (await daemon.ask("GET", "/api/agents/main/activations")).json.map(({ state }: { state: string }) => state);

inBrowser("an agent that is stopped on its page", ({ visit }) => {
  test("is marked in its room and in the side bar, queues messages, and can be resumed in either place", async () => {
    await using model = createModel();
    using home = createHome();
    model.answer = async function* () {
      yield "On and on ";
      await new Promise(() => {});
    };
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page: room } = visited;
    const composer = room.getByRole("textbox", { name: "Message Main" });
    const bar = room.getByRole("navigation", { name: "Chats" });
    await composer.fill("Talk");
    await composer.press("Enter");
    await inRoom(room, /^On and on/).waitFor();

    const settings = await visited.newTab("/ui/settings/agents/main");
    await settings.getByRole("button", { name: "Stop Main" }).click();
    await settings.getByText(/^Main was stopped by .* Messages wait\.$/).waitFor();
    // The stop applies immediately; runs end a moment later.
    await until(async () => (await statesOf(daemon)).join() !== "running");
    expect(await statesOf(daemon)).toEqual(["stopped"]);
    await room.getByText("Main is stopped.", { exact: true }).waitFor();
    await bar.getByText("Stopped", { exact: true }).waitFor();

    model.answer = () => ["Here again."];
    await composer.fill("Are you there?");
    await composer.press("Enter");
    await room.getByText("Main is stopped. 1 message waits.").waitFor();
    await inRoom(room, "Waiting to be resumed").waitFor();
    expect(await statesOf(daemon)).toEqual(["queued", "stopped"]);
    await room.reload();
    await room.getByText("Main is stopped. 1 message waits.").waitFor();
    await room.getByRole("button", { name: "Resume", exact: true }).click();
    await inRoom(room, "Here again.").waitFor();
    await room.getByText("Main is stopped.").waitFor({ state: "detached" });
    await bar.getByText("Stopped", { exact: true }).waitFor({ state: "detached" });

    await settings.getByRole("button", { name: "Stop Main" }).click();
    await settings.getByRole("button", { name: "Resume Main" }).click();
    await settings.getByRole("button", { name: "Stop Main" }).waitFor();
    expect((await daemon.ask("GET", "/api/stops")).json).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

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
