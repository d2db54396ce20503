import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { saidIn } from "./said.ts";

/** Chromium logs broken connections to the console, whatever the page does. */
const CUT = /ERR_CONNECTION|ERR_FAILED|ERR_EMPTY_RESPONSE|WebSocket connection to/;

inBrowser("an unwanted reply", ({ visit }) => {
  test("is stopped by Escape, also while the composer has text, which stays", async () => {
    await using model = createModel();
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    model.answer = async function* () {
      yield "On and on ";
      await new Promise(() => {});
    };
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "key" });
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await until(() => composer.evaluate((element) => element === document.activeElement));
    await page.keyboard.type("Talk");
    await page.keyboard.press("Enter");
    await inRoom(page, /^On and on/).waitFor();
    const activations = async () => (await daemon.ask("GET", "/api/agents/main/activations")).json;
    expect((await activations())[0].state).toBe("running");
    expect(await page.getByRole("button", { name: "Stop", exact: true }).count()).toBe(1);
    await page.keyboard.type("x");
    expect(await page.getByRole("button", { name: "Stop", exact: true }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await inRoom(page, "You stopped Main.").waitFor();
    expect((await activations())[0].state).toBe("stopped");
    model.answer = () => ["Yes?"];
    expect(await composer.inputValue()).toBe("x");
    await composer.fill("Are you there?");
    await page.keyboard.press("Enter");
    await inRoom(page, "Yes?").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});

/** Delays opening the room until the test allows it. */
const holdRoom = async (page: Page): Promise<{ readonly asked: Promise<void>; release(): void }> => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(/\/api\/rooms\/[^/]+\/events\?/, async (route) => {
    asked.resolve();
    await gate.promise;
    // The first daemon may be gone.
    await route.continue().catch(() => {});
  });
  return { asked: asked.promise, release: gate.resolve };
};

inBrowser("a room that has not opened yet", ({ visit }) => {
  test("shows messages written meanwhile, and contains them once when it opens", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await daemon.ask("POST", "/api/rooms/kitchen/messages", { text: "from before" });
    await using visited = await visit(daemon, { path: "/ui/settings" });
    const { page } = visited;
    const held = await holdRoom(page);
    await page.goto(`${daemon.url}/ui/rooms/kitchen`);
    await held.asked;
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    for (const text of ["first word", "second word"]) {
      await composer.fill(text);
      await composer.press("Enter");
      await inRoom(page, text).waitFor();
    }
    await until(async () => (await saidIn(daemon, "kitchen")).length === 3);
    // Confirmed messages are not shown as pending.
    await until(async () => (await page.getByText("Sending", { exact: true }).count()) === 2);
    expect(await inRoom(page, /word$/).count()).toBe(2);
    expect(await inRoom(page, "from before").count()).toBe(0);
    held.release();
    await inRoom(page, "from before").waitFor();
    await until(async () => (await page.getByRole("article", { name: /on its way/ }).count()) === 0);
    expect(await page.getByRole("log").getByRole("article").allInnerTexts()).toEqual([
      expect.stringContaining("from before"),
      expect.stringContaining("first word"),
      expect.stringContaining("second word"),
    ]);
    expect(await saidIn(daemon, "kitchen")).toEqual(["from before", "first word", "second word"]);
    expect(visited.complaints).toEqual([]);
  });

  test("sends them to the next daemon if the first one was killed", async () => {
    using home = createHome();
    await using before = await startDaemon(home.folder);
    const { port } = new URL(before.url);
    await welcome(before);
    await before.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(before, { path: "/ui/settings", expected: CUT });
    const { page } = visited;
    const held = await holdRoom(page);
    await page.goto(`${before.url}/ui/rooms/kitchen`);
    await held.asked;
    await before.kill();
    held.release();
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    await composer.fill("written while offline");
    await composer.press("Enter");
    await inRoom(page, "written while offline").waitFor();
    await page.getByText("Waiting for the connection").waitFor();
    await using after = await startDaemon(home.folder, {}, ["--port", port]);
    await until(async () => (await saidIn(after, "kitchen")).length === 1);
    await page.getByRole("article", { name: /^You, [\d:]+$/ }).waitFor();
    expect(await inRoom(page, "written while offline").count()).toBe(1);
    await page.reload();
    await inRoom(page, "written while offline").waitFor();
    expect(await saidIn(after, "kitchen")).toEqual(["written while offline"]);
    expect(visited.complaints).toEqual([]);
  });
});
