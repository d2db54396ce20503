import { expect, test } from "bun:test";
import { until } from "../journeys/daemon.ts";
import { answerOneByOne, inBrowser, inRoom } from "./browser.ts";
import { open } from "./chat-house.ts";

inBrowser("a person in the browser", ({ visit }) => {
  test("stops a reply, which stays stopped", async () => {
    await using house = await open();
    house.model.answer = async function* () {
      yield "On and on ";
      await new Promise(() => {});
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).fill("Talk");
    await page.keyboard.press("Enter");
    await inRoom(page, /^On and on/).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await inRoom(page, "You stopped Main.").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    const [activation] = (await house.daemon.ask("GET", "/api/agents/main/activations")).json;
    expect(activation.state).toBe("stopped");
    await page.reload();
    await inRoom(page, "You stopped Main.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("sees that an interrupted reply is retried, and then the reply", async () => {
    await using house = await open();
    // The connection breaks before the last token.
    house.model.answer = async function* () {
      yield "I was going to";
      throw new Error("cut");
    };
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).fill("Hello?");
    await page.keyboard.press("Enter");
    await page.getByText("Next attempt at").waitFor();
    house.model.answer = () => ["Better now."];
    await inRoom(page, "Better now.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("writes in one tab and reads in another, with each message once in both", async () => {
    await using house = await open();
    house.model.answer = (request) => [`re: ${request.messages.length}`];
    await answerOneByOne(house.daemon);
    await using visited = await visit(house.daemon, { path: "/ui/rooms/main" });
    const tabs = [visited.page, await visited.newTab("/ui/rooms/main")] as const;
    for (const [index, page] of tabs.entries()) {
      await page.getByRole("textbox", { name: "Message Main" }).fill(`from tab ${index}`);
      await page.getByRole("textbox", { name: "Message Main" }).press("Enter");
    }
    for (const page of tabs) {
      await inRoom(page, "from tab 0").waitFor();
      await inRoom(page, "from tab 1").waitFor();
      await until(async () => (await inRoom(page, /^re: \d/).count()) === 2);
      expect(await inRoom(page, /^from tab \d$/).count()).toBe(2);
    }
    expect(visited.complaints).toEqual([]);
  });
});
