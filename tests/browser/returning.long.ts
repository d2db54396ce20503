import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { answerOneByOne, inBrowser, inRoom, welcome } from "./browser.ts";
import { env, CUT } from "./broken-connection.ts";

inBrowser("a person who comes back", ({ visit }) => {
  test("finds a draft after a reload, and the message once it is sent", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("help me\nwith two lines");
    await page.reload();
    expect(await composer.inputValue()).toBe("help me\nwith two lines");
    await composer.press("Enter");
    await inRoom(page, /with two lines/).waitFor();
    await page.reload();
    await inRoom(page, /with two lines/).waitFor();
    expect(await composer.inputValue()).toBe("");
    expect(visited.complaints).toEqual([]);
  });

  test("writes offline and across a reload, and everything arrives once, in order", async () => {
    await using model = createModel();
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    model.answer = () => ["ok"];
    await using daemon = await startDaemon(home.folder, env);
    await welcome(daemon);
    await answerOneByOne(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", expected: CUT });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.waitFor();
    await visited.context.setOffline(true);
    await page.getByText("You are offline").first().waitFor();
    for (const text of ["first", "second", "third"]) {
      await composer.fill(text);
      await composer.press("Enter");
    }
    await page.getByText("Waiting for the connection").first().waitFor();
    // Meanwhile another person writes.
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "from elsewhere" });
    await visited.context.setOffline(false);
    await inRoom(page, "from elsewhere").waitFor();
    await until(async () => (await inRoom(page, "ok").count()) === 4);
    const { json } = await daemon.ask("GET", "/api/rooms/main/events");
    const said = json.events.map((event: { body: { text: string } }) => event.body.text);
    expect(said.filter((text: string) => text !== "ok")).toEqual(["from elsewhere", "first", "second", "third"]);
    for (const text of ["first", "second", "third"]) expect(await inRoom(page, text).count()).toBe(1);
    expect(await page.getByText("Waiting for the connection").count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
