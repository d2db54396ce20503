import { expect, test } from "bun:test";
import { until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { open } from "./chat-house.ts";
import { isTooWide } from "./crawl.ts";

/** A provider with a price. The model of the agent is not in the file, so that a person may change it. */
const pricedConfig = (baseUrl: string): string =>
  `version = 1\n[providers.test]\nkind = "openai"\nbase_url = "${baseUrl}"\napi_key = "env:TEST_KEY"\n[prices."test/"]\ninput = 1\noutput = 1\n`;

const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;

inBrowser("a chat", ({ visit }) => {
  test("changes the agent's model on a phone, confirms it, and shows what the chat cost", async () => {
    await using house = await open(pricedConfig);
    await house.daemon.ask("PATCH", "/api/agents/main", { content: { model: "test/model" } });
    house.model.models = ["model", "other-large", "other-small"];
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main", ...PHONE });
    const { page } = visited;
    await page.getByRole("button", { name: "Model of Main: model" }).click();
    const dialog = page.getByRole("dialog", { name: "Model of Main" });
    await dialog.getByRole("radio", { name: /^model Current/ }).waitFor();
    await dialog.getByRole("searchbox", { name: "Find a model" }).fill("OTHER small");
    await dialog.getByRole("radio", { name: "other-large" }).waitFor({ state: "detached" });
    await dialog.getByRole("radio", { name: "other-small" }).check();
    await dialog.getByRole("button", { name: "Test" }).click();
    await dialog.getByText(/^The model answered in/).waitFor();
    expect([await isTooWide(page), await judge(page)]).toEqual([false, []]);
    await dialog.getByRole("button", { name: "Use model" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Model of Main: other-small" }).waitFor();
    const toast = page.getByRole("region", { name: "Announcements" });
    await toast.getByText("Main now uses other-small.").waitFor();
    expect([await isTooWide(page), await judge(page)]).toEqual([false, []]);
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await toast.getByRole("button", { name: "Dismiss" }).waitFor({ state: "detached" });

    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Hello");
    await composer.press("Enter");
    await inRoom(page, "ok").waitFor();
    expect(house.model.requests.at(-1)?.model).toBe("other-small");
    await page.getByRole("button", { name: / USD today/ }).focus();
    await page
      .getByRole("tooltip")
      .getByText(/tokens in 30 days$/)
      .waitFor();
    expect([await isTooWide(page), await judge(page)]).toEqual([false, []]);
    expect(visited.complaints).toEqual([]);
  });

  test("offers commands after a slash, and its send button stops the run while nothing is typed", async () => {
    await using house = await open();
    house.model.answer = async function* () {
      yield "On and on ";
      await new Promise(() => {});
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    const list = page.getByRole("listbox", { name: "Commands" });
    await composer.press("/");
    await list.getByRole("option", { name: /^\/model/ }).waitFor();
    expect(await judge(page)).toEqual([]);
    await composer.pressSequentially("ren");
    await until(async () => (await list.getByRole("option").count()) === 1);
    await composer.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Rename chat" });
    await dialog.getByRole("textbox", { name: "Title" }).fill("Rome");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Rome" }).waitFor();
    expect(await composer.inputValue()).toBe("");

    await composer.fill("Talk");
    await page.getByRole("button", { name: "Send" }).click();
    await inRoom(page, /^On and on/).waitFor();
    const [send, stop] = ["Send", "Stop"].map((name) => page.getByRole("button", { name, exact: true }));
    expect([await send?.count(), await stop?.count()]).toEqual([0, 1]);
    await composer.fill("more");
    expect([await send?.count(), await stop?.count()]).toEqual([1, 0]);
    await composer.fill("");
    await stop?.click();
    await inRoom(page, "You stopped Main.").waitFor();
    await send?.waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("replies to a message, which the agent reads in the note and the quote leads to", async () => {
    await using house = await open();
    house.model.answer = () => ["It is noon."];
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("What time is it?");
    await composer.press("Enter");
    const answer = page.getByRole("article").filter({ hasText: "It is noon." });
    await answer.waitFor();
    await answer.hover();
    await answer.getByRole("button", { name: "Reply" }).click();
    await until(() => composer.evaluate((box) => box === document.activeElement));
    await page.getByRole("group", { name: "Reply to Main: It is noon." }).waitFor();
    await page.reload();
    await page.getByRole("group", { name: "Reply to Main: It is noon." }).waitFor();
    house.model.answer = () => ["I am sure."];
    await composer.fill("Are you sure?");
    await composer.press("Enter");
    await inRoom(page, "I am sure.").waitFor();
    expect(JSON.stringify(house.model.requests.at(-1))).toContain(', in reply to you: \\"It is noon.\\"');
    const own = page.getByRole("article").filter({ hasText: "Are you sure?" });
    await own.getByRole("button", { name: "Reply to Main: It is noon." }).click();
    await until(() => answer.first().evaluate((row) => row === document.activeElement));
    expect(await judge(page)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("shows the change of a tool call and that a command failed, and undoes a change of the brain", async () => {
    await using house = await open();
    await house.daemon.ask("PATCH", "/api/agents/main", {
      content: { tools: ["read_brain", "write_brain", "write", "edit"] },
    });
    const ending = Promise.withResolvers<void>();
    let round = 0;
    house.model.answer = async function* () {
      round += 1;
      if (round === 1) {
        yield { tool: "write", input: { path: "a.md", content: "one\n" } };
        yield { tool: "edit", input: { path: "a.md", old: "missing", new: "three" } };
        yield { tool: "write_brain", input: { path: "notes.md", mode: "append", text: "Felix the cat" } };
      } else {
        yield "The note";
        await ending.promise;
        yield " is written.";
      }
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Keep it");
    await composer.press("Enter");
    await inRoom(page, /^The note/).waitFor();
    await page.getByRole("button", { name: /Saved notes\.md/ }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    const dialog = page.getByRole("dialog", { name: "Revert this change?" });
    await dialog.waitFor();
    // The dialog stays open when the reply replaces the run.
    ending.resolve();
    await page.locator('[role="log"]').getByText("The note is written.").waitFor();
    await page.locator('article[aria-label="Main, working"]').waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Used 3 tools" }).click();
    await page.getByRole("button", { name: /^Changed a\.md .*failed$/ }).click();
    await page.getByText("Removed: missing").waitFor();
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await until(() => undo.evaluate((button) => button === document.activeElement));
    await undo.click();
    await dialog.getByRole("button", { name: "Revert" }).click();
    await dialog.waitFor({ state: "detached" });
    // The announcement of the revert is visible for a moment.
    const dismiss = page.getByRole("region", { name: "Announcements" }).getByRole("button", { name: "Dismiss" });
    await dismiss.waitFor();
    await dismiss.waitFor({ state: "detached" });
    const { status } = await house.daemon.ask("GET", "/api/agents/main/brain/file?path=notes.md");
    expect(status).toBe(404);
    expect(await judge(page)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });
});
