import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Piece } from "../journeys/model.ts";
import { COLOURS, judge } from "./axe.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

inBrowser("the page of a run", ({ visit }) => {
  test("is reached from a reply and from the activity, survives a reload, and updates while the run is active", async () => {
    await using stack = new AsyncDisposableStack();
    const model = stack.use(createModel());
    const home = stack.use(createHome());
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    const daemon = stack.use(await startDaemon(home.folder, { TEST_KEY: "key" }));
    await welcome(daemon);
    await daemon.ask("PATCH", "/api/agents/main", { content: { tools: ["write", "read"] } });
    const held = Promise.withResolvers<void>();
    let round = 0;
    model.answer = async function* () {
      round += 1;
      if (round === 1) yield { tool: "write", input: { path: "notes.md", content: "Felix" } };
      else {
        await held.promise;
        yield "The note is saved.";
      }
    };
    const visited = stack.use(await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" }));
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Keep the name of the cat");
    await composer.press("Enter");
    await until(() => round === 2);

    const [{ id }] = (await daemon.ask("GET", "/api/rooms/main/activations")).json;
    const other = await visited.newTab(`/ui/runs/${id}`);
    const timeline = other.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Tool call: write").waitFor();
    expect(await timeline.getByText("Replied").count()).toBe(0);
    held.resolve();
    await timeline.getByText("Replied").waitFor();

    await inRoom(page, "The note is saved.").waitFor();
    const reply = page.getByRole("article").filter({ hasText: "The note is saved." });
    await reply.hover();
    await reply.getByRole("link", { name: "Show run" }).click();
    await page.waitForURL(`**/ui/runs/${id}`);
    await page.getByText("Tool call: write").waitFor();
    await page.reload();
    await page.getByText("Tool call: write").waitFor();
    await page.getByText("Input and output").click();
    await page.getByText("Felix").waitFor();
    const call = page.getByRole("listitem").filter({ hasText: "Model call" }).last();
    await call.getByText("Prompt parts").click();
    const parts = call.getByRole("table", { name: "Prompt parts" });
    await parts.getByRole("row", { name: /^SOUL\.md \d+ \d+ %/ }).waitFor();
    for (const part of [
      "Tools \\(2\\)",
      "System rules",
      "Message",
      "Replies and calls of this run",
      "Results of write",
    ])
      await parts.getByRole("row", { name: new RegExp(`^${part} \\d+ `) }).waitFor();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect({ width, isTooWide: await isTooWide(page) }).toEqual({ width, isTooWide: false });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await judge(page, colorScheme === "dark" ? COLOURS : {});
        expect({ width, colorScheme, violations }).toEqual({ width, colorScheme, violations: [] });
      }
    }

    await page.goto(`${daemon.url}/ui/settings/agents/main/activity`);
    await page.getByRole("button", { name: "Replied" }).click();
    await page.getByRole("link", { name: "Show run" }).click();
    await page.waitForURL(`**/ui/runs/${id}`);
    expect(visited.complaints).toEqual([]);
  });

  test("leads from a sentence of the reply to its likely sources, with the keyboard and on a phone", async () => {
    await using stack = new AsyncDisposableStack();
    const model = stack.use(createModel());
    const home = stack.use(createHome());
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    const daemon = stack.use(await startDaemon(home.folder, { TEST_KEY: "key" }));
    await welcome(daemon);
    await daemon.ask("PATCH", "/api/agents/main", { content: { tools: ["write", "read"] } });
    const path = "boiler.md";
    const rounds: readonly (readonly Piece[])[] = [
      [{ tool: "write", input: { path, content: "2025: 131 €, Moreau\n2026: 142 €, Vidal\n" } }],
      [{ tool: "read", input: { path } }],
      ["In 2026, **Vidal** charged 142 €. I hope that this helps."],
    ];
    let round = 0;
    model.answer = () => rounds[round++] ?? [];
    await daemon.ask("POST", "/api/chat", { agentName: "main", message: "What did the service cost?" });
    const [{ id }] = (await daemon.ask("GET", "/api/rooms/main/activations")).json;
    const viewport = { width: 390, height: 844 };
    const visited = stack.use(await visit(daemon, { path: `/ui/runs/${id}`, viewport, reducedMotion: "reduce" }));
    const { page } = visited;
    const reply = page.getByRole("region", { name: "Reply" });
    await reply.getByText("They do not prove where a fact comes from.").waitFor();
    await reply.getByText("I hope that this helps.").waitFor();
    // A sentence without a likely source cannot be selected.
    expect(await reply.getByRole("button").count()).toBe(1);
    const sentence = reply.getByRole("button", { name: "In 2026, Vidal charged 142 €." });
    await sentence.focus();
    await page.keyboard.press("Enter");
    const sources = reply.getByRole("list", { name: "Likely sources of: In 2026, Vidal charged 142 €." });
    await sources.getByText("2026: 142 €, Vidal").waitFor();
    expect(await sources.locator("mark").allTextContents()).toEqual(["2026", "142", "€", "Vidal"]);
    expect(await isTooWide(page)).toBe(false);
    expect(await judge(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const step = page.getByRole("region", { name: "Timeline" }).getByRole("listitem").filter({ hasText: "call: read" });
    await until(async () => step.evaluate((item) => item.matches(":target")));
    await sentence.click();
    await sources.waitFor({ state: "detached" });
    expect(visited.complaints).toEqual([]);
  });
});
