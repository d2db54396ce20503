import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { saidIn } from "./said.ts";

inBrowser("a message that the house rejects", ({ visit }) => {
  test("shows the reason, and can be retried, edited or discarded", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/kitchen", expected: /403/ });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    await composer.waitFor();
    const MESSAGES = /\/api\/rooms\/[^/]+\/messages$/;
    const error = { code: "auth.denied", message: 'You may not write in the room "Kitchen".' };
    await page.route(MESSAGES, (route) => route.fulfill({ status: 403, json: { error } }));
    const refused = (text: string) =>
      page
        .getByRole("log")
        .getByRole("article", { name: /not sent/ })
        .filter({ hasText: text });
    const press = (text: string, name: string) => refused(text).getByRole("button", { name, exact: true }).click();
    for (const text of ["to be sent again", "to be rewritten", "to be thrown away"]) {
      await composer.fill(text);
      await composer.press("Enter");
      await refused(text).getByText(error.message).waitFor();
    }
    await page.reload();
    await until(async () => (await refused("to be").count()) === 3);

    await press("to be thrown away", "Discard");
    await refused("to be thrown away").waitFor({ state: "detached" });
    // The retry fails too, because nothing changed.
    await press("to be sent again", "Retry");
    await refused("to be sent again").getByText(error.message).waitFor();
    await composer.fill("half a thought");
    await press("to be rewritten", "Edit");
    await refused("to be rewritten").waitFor({ state: "detached" });
    expect(await composer.inputValue()).toBe("half a thought\n\nto be rewritten");
    expect(await composer.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.unroute(MESSAGES);
    await press("to be sent again", "Retry");
    await until(async () => (await refused("to be").count()) === 0);
    await page.keyboard.type(", and better");
    await page.keyboard.press("Enter");
    await inRoom(page, /and better$/).waitFor();
    await until(async () => (await saidIn(daemon, "kitchen")).length === 2);
    expect(await saidIn(daemon, "kitchen")).toEqual([
      "to be sent again",
      "half a thought\n\nto be rewritten, and better",
    ]);
    await page.reload();
    await inRoom(page, "to be sent again").waitFor();
    expect(await page.getByRole("log").getByRole("article").count()).toBe(2);
    expect(visited.complaints).toEqual([]);
  });
});
