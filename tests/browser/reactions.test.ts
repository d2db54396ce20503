/** Reactions in the browser, the command line and the agent's prompt. */
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

interface Reacted {
  readonly type: string;
  readonly id: string;
  readonly author?: string;
  readonly emoji?: string;
}

inBrowser("reactions", ({ visit }) => {
  test("are added with the pointer and the keys, seen in another tab at once, and read by the agent", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = () => ["The boiler costs 142 euros."];
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    await daemon.hearth("chat", "-m", "What does it cost?");
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const other = await visited.newTab("/ui/rooms/main");
    const reply = page.getByRole("article").filter({ hasText: "142 euros" });
    await reply.hover();
    await reply.getByRole("button", { name: "React", exact: true }).click();
    await page.getByRole("menuitem", { name: "thumbs up" }).click();
    const pill = reply.getByRole("button", { name: /^👍 1: You$/ });
    await pill.waitFor();
    expect(await pill.getAttribute("aria-pressed")).toBe("true");
    await other.getByRole("button", { name: /^👍 1: You$/ }).waitFor();

    // By keyboard: the menu takes the focus, and the arrow keys move in it.
    await reply.getByRole("button", { name: "React", exact: true }).focus();
    await page.keyboard.press("Enter");
    const first = page.getByRole("menuitem", { name: "Remove thumbs up" });
    await until(() => first.evaluate((item) => item === document.activeElement));
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, "react-menu.png") });
    }
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await reply.getByRole("button", { name: /^❤️ 1: You$/ }).waitFor();
    await pill.click();
    await pill.waitFor({ state: "detached" });
    await other.getByRole("button", { name: /^👍/ }).waitFor({ state: "detached" });

    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expectFit(page);
      expect(await judge(page)).toEqual([]);
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `reactions-${width}.png`) });
    }

    const { events } = (await daemon.ask("GET", "/api/rooms/main/events")).json as { events: readonly Reacted[] };
    const message = events.findLast(({ type }) => type === "message")?.id ?? "";
    expect(events.flatMap(({ emoji }) => emoji ?? [])).toEqual(["👍", "❤️", "👍"]);
    expect((await daemon.hearth("room", "react", "main", message, "🎉")).stdout).toBe("added 🎉\n");
    await reply.getByRole("button", { name: /^🎉 1: / }).waitFor();
    expect((await daemon.hearth("room", "events", "main")).stdout).toMatch(/❤️ \S+ {2}🎉 \S+/u);
    await daemon.hearth("room", "react", "main", message, "🎉", "--remove");
    await reply.getByRole("button", { name: /^🎉/ }).waitFor({ state: "detached" });

    await daemon.hearth("chat", "-m", "Thanks!");
    expect(JSON.stringify(model.requests.at(-1))).toMatch(/reactions: ❤️ by [^"\\]+ on your last message/u);
    expect(visited.complaints).toEqual([]);
  });
});
