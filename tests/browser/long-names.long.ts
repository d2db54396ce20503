import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

inBrowser("names of any length, and stable positions", ({ visit }) => {
  test("a stopped reply keeps its text", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = async function* () {
      yield "I would begin with";
      await new Promise(() => {});
    };
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "a" });
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).fill("Where do I begin?");
    await page.keyboard.press("Enter");
    await inRoom(page, /I would begin with/).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await inRoom(page, "You stopped Main.").waitFor();
    await until(async () => (await page.getByRole("article", { name: "Main, working" }).count()) === 0);
    await inRoom(page, /I would begin with/).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
