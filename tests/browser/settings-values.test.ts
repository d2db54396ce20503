import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

const shots = process.env["HEARTH_SHOTS"];
/** The tables with forms of their own. */
const OTHER_FORMS = /^(search|backup|observers)\./;

inBrowser("the settings of the config file", ({ visit }) => {
  test("each has a field, and is changed without a terminal", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const settings = async (): Promise<readonly { readonly key: string; readonly value?: unknown }[]> =>
      (await daemon.ask("GET", "/api/settings")).json;
    const valueOf = async (key: string) => (await settings()).find((setting) => setting.key === key)?.value;
    const groups = await readFile(new URL("../../packages/ui/src/settings/values/groups.ts", import.meta.url), "utf8");
    const fields = new Set([...groups.matchAll(/key: "([\w.]+)"/g)].map(([, key]) => key));
    const missing = (await settings()).filter(({ key }) => !fields.has(key) && !OTHER_FORMS.test(key));
    expect(missing.map(({ key }) => key)).toEqual([]);

    await using visited = await visit(daemon, { path: "/ui/settings/sandboxes", reducedMotion: "reduce" });
    const { page } = visited;
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    const picture = async (name: string): Promise<void> => {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        expect({ name, width, isTooWide: await isTooWide(page), found: await judge(page) }).toEqual({
          ...{ name, width, isTooWide: false, found: [] },
        });
        if (shots !== undefined)
          await page.screenshot({ path: `${shots}/settings-${name}-${width}.png`, fullPage: true });
      }
    };

    await region("Sandbox defaults").getByLabel("Isolation").selectOption("process");
    await region("Sandbox defaults").getByLabel("Maximum open sandboxes").fill("4");
    await region("Sandbox defaults").getByRole("button", { name: "Save sandbox defaults" }).click();
    await until(async () => (await valueOf("cells.max_open")) === 4 && (await valueOf("cells.backend")) === "process");
    await daemon.ask("POST", "/api/chat", { agentName: "main", message: "run: echo hello" });
    await page.getByRole("checkbox", { name: "Select Main · Private" }).check();
    await picture("sandboxes");
    await page.getByRole("button", { name: "Close 1 sandbox" }).click();
    await page.getByText("No open sandboxes").waitFor();

    await page.goto(`${daemon.url}/ui/settings/limits`);
    await region("Budget").getByLabel("At the limit").selectOption({ label: "Use a cheaper model" });
    expect(await region("Budget").getByRole("button", { name: "Save budget" }).isDisabled()).toBe(true);
    await region("Budget").getByLabel("Cheaper model, as provider/model").fill("offline/basic");
    await region("Budget").getByRole("button", { name: "Save budget" }).click();
    await until(async () => (await valueOf("budget.at_limit")) === "offline/basic");
    // A change from elsewhere appears when the person returns to the page.
    await daemon.ask("PATCH", "/api/settings", { values: { "budget.day": 7 } });
    await until(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      return (await region("Budget").getByLabel("Per day", { exact: true }).inputValue()) === "7";
    });
    await picture("limits");

    await page.goto(`${daemon.url}/ui/settings/models`);
    await region("Default model").getByLabel("Model of new agents").fill("offline/basic");
    await region("Default model").getByRole("button", { name: "Save default model" }).click();
    await until(async () => (await valueOf("defaults.model")) === "offline/basic");
    const { json: made } = await daemon.ask("POST", "/api/agents", { content: { name: "Clerk", kind: "bot" } });
    expect(made.content.model).toBe("offline/basic");
    await region("Memory search").getByLabel("Embedding model").selectOption({ label: "None" });
    expect(await region("Memory search").getByLabel("Address of the server").count()).toBe(0);
    await region("Memory search").getByRole("button", { name: "Save memory search" }).click();
    await until(async () => (await valueOf("memory.embedder")) === "none");
    await picture("models");

    await page.goto(`${daemon.url}/ui/settings/web`);
    await page.getByLabel("Agents can get access to addresses of this machine").check();
    await page.getByRole("button", { name: "Save addresses of this machine" }).click();
    await until(async () => (await valueOf("egress.loopback")) === true);

    await page.goto(`${daemon.url}/ui/settings/system`);
    await region("Update").getByText("The installed version runs").waitFor();
    await region("Log settings").getByLabel("Lowest level").selectOption({ label: "Warning" });
    await region("Log settings").getByLabel("Standard error of the process").check();
    await region("Log settings").getByRole("button", { name: "Save log settings" }).click();
    await until(async () => (await valueOf("log.level")) === "warn");
    expect(await valueOf("log.to")).toEqual(["file", "stderr"]);
    await picture("system");
    expect(visited.complaints).toEqual([]);
  });

  test("a provider gets another address, and another house is created and opened", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/providers", { name: "den", kind: "openai", baseUrl: "http://127.0.0.1:9/v1" });
    await using visited = await visit(daemon, {
      path: "/ui/settings/models",
      reducedMotion: "reduce",
      expected: /409/,
    });
    const { page } = visited;
    const den = async () =>
      (await daemon.ask("GET", "/api/providers")).json.find(({ name }: { readonly name: string }) => name === "den");
    await page.getByRole("button", { name: "Actions of den" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address", { exact: true }).fill("ftp://nowhere");
    await page.getByRole("button", { name: "Save provider" }).click();
    await page.getByText("Enter an address that begins with http").waitFor();
    await dialog.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:10/v1");
    await dialog.getByLabel("Retries").selectOption("1");
    if (shots !== undefined) await page.screenshot({ path: `${shots}/settings-provider.png`, fullPage: true });
    await page.getByRole("button", { name: "Save provider" }).click();
    await until(async () => (await den()).baseUrl === "http://127.0.0.1:10/v1");
    expect((await den()).retries).toBe(1);

    await page.goto(`${daemon.url}/ui/settings`);
    await page.getByRole("button", { name: "New house" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create house" }).click();
    await page.getByRole("dialog").getByText("Enter a name.").waitFor();
    let refusals = 1;
    await page.route("**/api/houses", async (route) => {
      const isRefused = route.request().method() === "POST" && refusals > 0;
      if (!isRefused) return route.continue();
      refusals -= 1;
      return route.fulfill({ status: 409, json: { error: { code: "record.version", message: "Not now." } } });
    });
    await page.getByRole("dialog").getByLabel("House name").fill("Annex");
    await page.getByRole("dialog").getByRole("textbox", { name: "Description" }).fill("Where we rest");
    await page.getByRole("dialog").getByText("Enter a name.").waitFor({ state: "detached" });
    await page.getByRole("dialog").getByRole("button", { name: "Create house" }).click();
    // The house refuses once: the dialog stays, with the reason and everything that was entered.
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await page.getByRole("dialog").getByRole("textbox", { name: "Description" }).inputValue()).toBe(
      "Where we rest",
    );
    await page.getByRole("dialog").getByLabel("House name").fill("The Annex");
    await page.getByRole("dialog").getByRole("alert").waitFor({ state: "detached" });
    await page.getByRole("dialog").getByLabel("House name").fill("Annex");
    await page.getByRole("dialog").getByRole("button", { name: "Create house" }).click();
    await page.getByRole("button", { name: "Open Annex" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await daemon.ask("GET", "/api/houses/annex")).json.content).toMatchObject({ description: "Where we rest" });
    await page.getByRole("button", { name: "New house" }).click();
    for (const field of ["House name", "Description"])
      expect(await page.getByRole("dialog").getByRole("textbox", { name: field }).inputValue()).toBe("");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await isTooWide(page)).toBe(false);
      expect(await judge(page)).toEqual([]);
      if (shots !== undefined) await page.screenshot({ path: `${shots}/settings-houses-${width}.png`, fullPage: true });
    }
    await page.getByRole("button", { name: "Open Annex" }).click();
    await until(
      async () =>
        (await page.getByRole("combobox", { name: "House" }).locator("option:checked").textContent()) === "Annex",
    );
    expect(visited.complaints).toEqual([]);
  });
});
