import { expect, test } from "bun:test";
import { until } from "../journeys/daemon.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { open } from "./chat-house.ts";

inBrowser("a person in the browser", ({ visit }) => {
  test("sends with Enter and sees the reply grow as Markdown", async () => {
    await using house = await open();
    const more = Promise.withResolvers<void>();
    house.model.answer = async function* () {
      yield "Here is **bold";
      await more.promise;
      yield "** and a list:\n\n- one\n- two\n";
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Hello, who are you?");
    await composer.press("Enter");
    await page.getByRole("article").getByText("Hello, who are you?").waitFor();
    await inRoom(page, /^Here is/).waitFor();
    expect(await composer.inputValue()).toBe("");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    more.resolve();
    const reply = page.getByRole("article").filter({ hasText: "and a list:" });
    await reply.getByRole("listitem").nth(1).waitFor();
    expect(await reply.locator("strong").textContent()).toBe("bold");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    expect(await inRoom(page, /and a list:/).count()).toBe(1);
    expect(visited.complaints).toEqual([]);
  });

  test("sees a tool call with name, input, output and duration, also after a reload", async () => {
    await using house = await open();
    const gate = Promise.withResolvers<void>();
    let round = 0;
    house.model.answer = async function* () {
      round += 1;
      if (round === 1) {
        yield "Let me look. ";
        yield { tool: "shell", input: { command: "echo the cat sat" } };
      } else {
        await gate.promise;
        yield "It sat.";
      }
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).fill("What did the cat do?");
    await page.keyboard.press("Enter");
    const call = page.getByRole("button", { name: /echo the cat sat/ });
    await call.waitFor();
    if ((await call.getAttribute("aria-expanded")) !== "true") await call.click();
    await inRoom(page, "the cat sat").waitFor();
    gate.resolve();
    await inRoom(page, "It sat.").waitFor();

    await page.reload();
    await inRoom(page, "It sat.").waitFor();
    await page.getByRole("button", { name: /Used 1 tool/ }).click();
    const again = page.getByRole("button", { name: /echo the cat sat/ });
    await again.waitFor();
    expect(await again.textContent()).toMatch(/\d\s?m?s/);
    if ((await again.getAttribute("aria-expanded")) !== "true") await again.click();
    await inRoom(page, "the cat sat").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("edits and deletes a message in every tab, and agents read the result", async () => {
    await using house = await open();
    house.model.answer = () => ["I see."];
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const other = await visited.newTab("/ui/rooms/main");
    // A background tab renders rarely, and each press would wait for that.
    await page.bringToFront();
    const say = async (text: string): Promise<void> => {
      const before = await inRoom(page, "I see.").count();
      await page.getByRole("textbox", { name: "Message Main" }).fill(text);
      await page.keyboard.press("Enter");
      await until(async () => (await inRoom(page, "I see.").count()) === before + 1);
    };
    await say("My cat is called Tom");
    const message = page.getByRole("article").filter({ hasText: "My cat is called" });
    await message.hover();
    await message.getByRole("button", { name: "Edit message" }).click();
    const editor = page.getByRole("textbox", { name: "Edit message" });
    await editor.fill("My cat is called Felix");
    await editor.press("Enter");
    await inRoom(other, "My cat is called Felix").waitFor();
    await message.getByText("(edited)").waitFor();

    await say("A secret that slipped out");
    const secret = page.getByRole("article").filter({ hasText: "A secret that slipped out" });
    await secret.hover();
    await secret.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await inRoom(other, /Message deleted/).waitFor();
    for (const tab of [page, other]) {
      await until(async () => (await inRoom(tab, /A secret that slipped out/).count()) === 0);
    }

    await say("What is my cat called?");
    const asked = JSON.stringify(house.model.requests.at(-1));
    expect(asked).toContain("Felix");
    expect(asked).not.toContain("Tom");
    expect(asked).not.toContain("secret that slipped");
    expect(visited.complaints).toEqual([]);
  });
});
