/** Web access of an agent by one switch: on, a page that the agent reads, and off. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";
import { SITE, startPublicSite } from "./public-site.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const width of [390, 1440])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.setViewportSize({ width: 390, height: 844 });
};

const NEWS = "The tomatoes of the village are ripe.";

inBrowser("the tools and access of an agent", ({ visit }) => {
  test("an owner turns web access on, the agent reads a public page, and after turning it off the same page is refused", async () => {
    using home = createHome();
    await using model = createModel();
    using site = await startPublicSite(`<title>News</title><p>${NEWS}</p>`);
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "key", ...site.env });
    await welcome(daemon);
    const url = `https://${SITE}/today?page=2`;
    model.answer = ({ messages }: Json) => {
      const last = messages.at(-1);
      return last.role === "tool" ? [String(last.content)] : [{ tool: "http_fetch", input: { url } }];
    };
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/tools", ...phone });
    const { page } = visited;
    const content = async (): Promise<Json> => (await daemon.ask("GET", "/api/agents/main")).json.content;

    const web = page.getByRole("switch", { name: "Read public pages" });
    await web.check();
    await until(async () => (await content()).egress?.[0]?.host === "*");
    expect((await content()).tools).toEqual(["default", "http_fetch"]);
    await page.getByText("this house has no search engine").first().waitFor();
    await expectFit(page);
    await shoot(page, "access");
    await page.getByRole("heading", { name: "Tools", exact: true }).scrollIntoViewIfNeeded();
    await page.getByRole("switch", { name: "Search the web" }).scrollIntoViewIfNeeded();
    await shoot(page, "access-tools");
    await page.getByRole("region", { name: "Hosts" }).scrollIntoViewIfNeeded();
    await shoot(page, "access-hosts");
    await page.reload();
    await web.waitFor();
    expect(await web.isChecked()).toBe(true);
    expect(await page.getByRole("switch", { name: "Read web pages" }).isChecked()).toBe(true);

    const ask = async (): Promise<void> => {
      await page.goto(`${daemon.url}/ui/rooms/main`);
      const box = page.getByRole("textbox", { name: "Message Main" });
      await box.fill(`What is new at ${url} ?`);
      await box.press("Enter");
    };
    await ask();
    await inRoom(page, new RegExp(NEWS)).first().waitFor();
    expect(site.requests).toEqual(["GET /today?page=2"]);

    await page.goto(`${daemon.url}/ui/settings/agents/main/tools`);
    await web.uncheck();
    await until(async () => (await content()).egress === undefined);
    expect((await content()).tools).toBeUndefined();
    await ask();
    await inRoom(page, /The tool http_fetch is not enabled for this agent/)
      .first()
      .waitFor();
    expect(site.requests).toHaveLength(1);
    expect(visited.complaints).toEqual([]);
  });

  test("an owner turns tools on and off and chooses when the agent asks; another browser and the command line show it at once", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/tools" });
    const { page } = visited;
    const content = async (): Promise<Json> => (await daemon.ask("GET", "/api/agents/main")).json.content;
    const messages = page.getByRole("region", { name: "Messages and pictures" });
    await messages.getByRole("switch", { name: "Write in other rooms" }).check();
    await page.getByRole("switch", { name: "Write files" }).uncheck();
    await until(async () => JSON.stringify((await content()).tools) === '["default","send_message","-write"]');
    await page.getByText("2 tools differ from the default.").waitFor();

    await page.getByRole("radio", { name: /Before every change/ }).click();
    await until(async () => (await content()).mode === "ask");
    await messages
      .getByText(/Asks every time/)
      .first()
      .waitFor();
    await page.getByLabel("Trusted folders (optional)").fill("notes\ndrafts/today");
    await page.getByRole("button", { name: "Save trusted folders" }).click();
    await until(async () => (await content()).trusted?.length === 2);

    expect((await daemon.hearth("agent", "edit", "main", "--tools", "-send_message,+git", "--mode", "plan")).code).toBe(
      0,
    );
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.value === "plan",
    );
    await until(async () => await page.getByRole("switch", { name: "Use git" }).isChecked());
    expect(await messages.getByRole("switch", { name: "Write in other rooms" }).isChecked()).toBe(false);
    await page.getByRole("button", { name: "Use default tools" }).click();
    await until(async () => (await content()).tools === undefined);

    // The page about hosts and secrets opens on this agent.
    await daemon.ask("POST", "/api/agents", { content: { name: "Aria", kind: "bot" } });
    await page
      .getByRole("region", { name: "Secrets" })
      .getByRole("link", { name: /Web & secrets/ })
      .click();
    await page.getByRole("combobox", { name: "Agent" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Agent" }).locator("option:checked").textContent()).toBe("Main");
    expect(visited.complaints).toEqual([]);
  });

  test("an admin sets the search engine of the house, tests it, and turns it off", async () => {
    using home = createHome();
    const queries: string[] = [];
    using engine = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        queries.push(new URL(request.url).searchParams.get("q") ?? "");
        return Response.json({ results: [{ title: "A house", url: "https://a.example/", content: "for agents" }] });
      },
    });
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/web", ...phone });
    const { page } = visited;
    const section = page.getByRole("region", { name: "Search engine" });
    await section.getByLabel("Engine").selectOption("Brave Search");
    await section.getByRole("button", { name: "Save search engine" }).click();
    await section.getByText("Enter at least 8 characters.").waitFor();
    await section.getByLabel("Engine").selectOption("SearXNG");
    await section.getByLabel("Address (optional)").fill(`http://127.0.0.1:${engine.port}`);
    await section.getByRole("button", { name: "Save search engine" }).click();
    await section.getByRole("button", { name: "Test search engine" }).click();
    await section.getByText("Searched for “Hearth”. The first of 1: A house").waitFor();
    expect(queries).toEqual(["Hearth"]);
    await expectFit(page);
    await shoot(page, "search-engine");

    // Without a restart, the switch of an agent now offers the search too.
    await page.goto(`${daemon.url}/ui/settings/agents/main/tools`);
    await page.getByText("It also searches the web").waitFor();
    await page.getByRole("switch", { name: "Read public pages" }).check();
    await until(async () => (await daemon.ask("GET", "/api/agents/main")).json.content.tools?.includes("web_search"));

    await page.goto(`${daemon.url}/ui/settings/web`);
    await section.getByLabel("Engine").selectOption("None");
    await section.getByRole("button", { name: "Save search engine" }).click();
    await section.getByRole("button", { name: "Test search engine" }).waitFor({ state: "detached" });
    expect(await Bun.file(join(home.folder, "hearth.toml")).text()).not.toMatch(/^\[search\]/m);
    expect(visited.complaints).toEqual([]);
  });
});
