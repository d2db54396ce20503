/** Keys of model providers and fallback models of agents in the browser. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

inBrowser("an admin who rotates a key", ({ visit }) => {
  test("replaces it only by one that the provider accepts, and orders the fallback models of an agent", async () => {
    await using model = createModel();
    model.answer = () => ["Hello."];
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const provider = { name: "den", kind: "openai", baseUrl: model.baseUrl, key: "old-key" };
    expect((await daemon.ask("POST", "/api/providers", provider)).status).toBe(201);
    await daemon.ask("PATCH", "/api/agents/main", { content: { model: "den/model" } });
    const stored = (): string => readFileSync(join(home.folder, "keys", "den"), "utf8").trim();
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/models", ...phone });
    const { page } = visited;

    await page.getByRole("button", { name: "Actions of den" }).click();
    await page.getByRole("menuitem", { name: "Change key" }).click();
    const row = page.getByRole("dialog", { name: "Change key of den" });
    const field = row.getByLabel("New API key for den");
    await row.getByRole("button", { name: "Test and save key" }).click();
    await row.getByText("Enter an API key.").waitFor();
    model.refuse = () => Response.json({ error: { message: "wrong key" } }, { status: 401 });
    await field.fill("wrong-key");
    await row.getByRole("button", { name: "Test and save key" }).click();
    await row.getByText("The old key stays in use.").waitFor();
    expect(stored()).toBe("old-key");
    await expectFit(page);
    expect(await judge(page)).toEqual([]);

    delete model.refuse;
    await field.fill("new-key");
    await row.getByRole("button", { name: "Test and save key" }).click();
    await field.waitFor({ state: "detached" });
    expect(stored()).toBe("new-key");
    await daemon.ask("POST", "/api/chat", { agentName: "main", message: "hello" });
    expect(model.keys.at(-1)).toBe("Bearer new-key");

    await page.goto(`${daemon.url}/ui/settings/agents/main`);
    const fallback = page.getByRole("region", { name: "Fallback models" });
    for (const name of ["den/small", "den/tiny"]) {
      await fallback.getByLabel("New fallback model").fill(name);
      await fallback.getByRole("button", { name: "Add fallback model" }).click();
      await fallback.getByText(name).waitFor();
    }
    await fallback.getByRole("button", { name: "Move up den/tiny" }).click();
    const saved = async () => (await daemon.ask("GET", "/api/agents/main")).json.content.fallback;
    await until(async () => (await saved())?.[0] === "den/tiny");
    await fallback.getByRole("button", { name: "Remove den/small" }).click();
    await until(async () => (await saved())?.length === 1);
    await expectFit(page);
    expect(await judge(page)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });
});
