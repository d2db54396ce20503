import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const CODE = "```ts\n// The cost of the boiler.\nconst cost: number = 142;\n```";

inBrowser("actions on a message", ({ visit }) => {
  test("code is highlighted in both themes; a message can be edited and resent, and a reply asked for again", async () => {
    await using stack = new AsyncDisposableStack();
    const model = stack.use(createModel());
    const home = stack.use(createHome());
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    const daemon = stack.use(await startDaemon(home.folder, { TEST_KEY: "key" }));
    await welcome(daemon);
    let replies = 0;
    model.answer = () => [`Reply ${(replies += 1)}\n\n${CODE}`];
    const visited = stack.use(await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" }));
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("What does it cost?");
    await composer.press("Enter");
    const reply = page.getByRole("article").filter({ hasText: "Reply 1" });
    await reply.getByText("const", { exact: true }).waitFor();
    const colours = await reply
      .locator("pre span")
      .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
    expect(colours).toBeGreaterThanOrEqual(3);
    // The text stays as it was written.
    expect(await reply.locator("pre").textContent()).toBe("// The cost of the boiler.\nconst cost: number = 142;");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, violations: await judge(page) }).toEqual({ colorScheme, violations: [] });
    }

    await reply.hover();
    await reply.getByRole("button", { name: "Ask again" }).click();
    await inRoom(page, "Reply 2").waitFor();
    expect(await inRoom(page, "What does it cost?").count()).toBe(2);

    const own = page.getByRole("article").filter({ hasText: "What does it cost?" }).last();
    await own.hover();
    await own.getByRole("button", { name: "Edit and resend" }).click();
    await until(() => composer.evaluate((box) => box === document.activeElement));
    expect(await composer.inputValue()).toBe("What does it cost?");
    await composer.fill("What does it cost now?");
    await composer.press("Enter");
    await inRoom(page, "Reply 3").waitFor();
    await inRoom(page, "What does it cost now?").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
