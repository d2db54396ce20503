/** Chats that continue after a message of another chat. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

inBrowser("a branch", ({ visit }) => {
  test("continues after a message in a new chat that links to its origin, and is forgotten with it", async () => {
    using home = createHome();
    await using model = createModel();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    for (const [said, answer] of [
      ["My code word is zanzibar.", "I keep it in mind."],
      ["What is the capital of Peru?", "Lima."],
      ["And of Chile?", "Santiago."],
    ] as const) {
      model.answer = () => [answer];
      await daemon.hearth("chat", "-m", said);
    }
    const before = model.requests.length;
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const reply = page.getByRole("article").filter({ hasText: "Lima." });
    await reply.hover();
    await reply.getByRole("button", { name: "Branch", exact: true }).click();
    await page.waitForURL(/\/ui\/rooms\/main-2/);
    await page.getByText("Branched from").waitFor();
    expect(await page.getByRole("article").count()).toBe(4);
    expect(await page.getByText("Santiago.").count()).toBe(0);
    // Copies wake no agent.
    expect(model.requests.length).toBe(before);
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expectFit(page);
      expect(await judge(page)).toEqual([]);
      if (SHOTS === undefined) continue;
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `branch-${width}.png`) });
    }

    model.answer = () => ["Quito."];
    await page.getByRole("textbox", { name: "Message Main" }).fill("And of Ecuador?");
    await page.keyboard.press("Enter");
    await page.getByText("Quito.", { exact: true }).first().waitFor();
    const prompt = JSON.stringify(model.requests.at(-1));
    for (const text of ["zanzibar", "Lima.", "And of Ecuador?"]) expect(prompt).toContain(text);
    expect(prompt).not.toContain("And of Chile?");

    await page.getByText("Branched from").getByRole("link").click();
    await until(() => reply.evaluate((article) => article === document.activeElement));
    expect(visited.complaints).toEqual([]);

    const { events } = (await daemon.ask("GET", "/api/rooms/main/events")).json as {
      events: readonly { readonly id: string; readonly body?: { readonly text: string } }[];
    };
    const [first, second] = events;
    const { stdout } = await daemon.hearth("room", "branch", "main", second?.id ?? "");
    expect(stdout).toBe("Continue in main-3: hearth chat --room main-3\n");
    expect((await daemon.hearth("room", "events", "main-3")).stdout).toContain("zanzibar");
    await daemon.ask("POST", "/api/agents/main/memory/forget", { source: first?.id });
    for (const room of ["main", "main-2", "main-3"])
      expect(JSON.stringify((await daemon.ask("GET", `/api/rooms/${room}/events`)).json)).not.toContain("zanzibar");
  });
});
