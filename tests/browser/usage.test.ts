/** The usage of models in the browser: what was spent, by whom, and with which model. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
};

/** A house with a model at 2 dollars per million tokens, and one that is free. */
const CONFIG = (paid: string, free: string): string => `version = 1
[providers.paid]
kind = "openai"
base_url = "${paid}"
api_key = "env:TEST_KEY"
[providers.free]
kind = "openai"
base_url = "${free}"
api_key = "env:TEST_KEY"
[prices."paid/"]
input = 2
output = 2
[prices."free/"]
input = 0
output = 0
`;

inBrowser("a person who wants to know what was spent", ({ visit }) => {
  test("sees the cost per agent and day, groups it by model, and finds the estimated part in the agent's budget", async () => {
    await using model = createModel();
    model.answer = () => ["Hello."];
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), CONFIG(model.baseUrl, model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "key" });
    await welcome(daemon);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/limits", ...phone });
    const { page } = visited;
    await page.getByText("No charged calls in these days.").waitFor();
    for (const name of ["paid/model", "free/model"]) {
      await daemon.ask("PATCH", "/api/agents/main", { content: { model: name } });
      await daemon.ask("POST", "/api/chat", { agentName: "main", message: `hello ${name}` });
    }
    const { json: report } = await daemon.ask("GET", "/api/usage?by=model");
    const [paid, free] = report.groups;
    expect([paid.of, free.of, free.total.money]).toEqual(["paid/model", "free/model", 0]);
    expect(paid.total.money).toBe(2 * (paid.total.inputTokens + paid.total.outputTokens));
    const { budgets } = (await daemon.ask("GET", "/api/budget")).json;
    expect(budgets[0].spent).toMatchObject({ money: report.total.money });

    await page.reload();
    const usage = page.getByRole("region", { name: "Usage" });
    await usage.getByRole("img", { name: /^Cost per day by agent/ }).waitFor();
    await usage.getByRole("button", { name: "Main" }).click();
    await usage.getByRole("table", { name: "Days of Main" }).waitFor();
    await expectFit(page);
    await shoot(page, "usage-390");
    await usage.getByLabel("Group by").selectOption("model");
    await usage.getByRole("table", { name: "Usage by model" }).getByRole("button", { name: "free/model" }).waitFor();
    await usage.getByLabel("Measure").selectOption("tokens");
    await usage.getByRole("img", { name: /^Tokens per day by model/ }).waitFor();
    await page.reload();
    await usage.getByRole("img", { name: /^Tokens per day by model/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?by=model&measure=tokens");
    expect(await judge(page)).toEqual([]);

    await page.setViewportSize({ width: 1440, height: 900 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await judge(page)).toEqual([]);
      await shoot(page, `usage-1440-${colorScheme}`);
    }
    await page.goto(`${daemon.url}/ui/settings/agents/main/budget`);
    await page.getByText("Of which estimated").first().waitFor();
    await shoot(page, "agent-budget");
    await page.getByRole("link", { name: "View usage of Main" }).click();
    await usage.getByRole("table", { name: "Usage by agent" }).waitFor();
    expect(await usage.getByLabel("Agent", { exact: true }).inputValue()).toBe("main");
    expect(visited.complaints).toEqual([]);
  });
});
