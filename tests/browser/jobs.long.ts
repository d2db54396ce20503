import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { JOBS, add } from "./job-house.ts";

setDefaultTimeout(170_000);

const fileOf = async (daemon: Daemon): Promise<string> => {
  const { json } = await daemon.ask("GET", "/api/agents/main");
  const name = readdirSync(join(daemon.home, "brains")).find((name) => name === json.id || name === json.handle);
  return join(daemon.home, "brains", name ?? "", "cron/jobs.toml");
};

inBrowser("the jobs of agents", ({ visit }) => {
  test("are run, paused, resumed and deleted, and an open page shows changes by others", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, { name: "tea", prompt: "Tea?\u202e", every: "2h" });
    await using visited = await visit(daemon, { path: "/ui/" });
    const { page } = visited;
    await page.getByRole("link", { name: "Automations", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Automations", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Tea every 2h/ }).press("Enter");
    await page.getByText("No runs yet").waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    const slots = page.getByRole("region", { name: "Run history of tea" });
    await slots.getByText("A person started it.").waitFor();
    await until(async () => (await slots.getByText("Ran", { exact: true }).count()) === 1);
    await slots.getByRole("button", { name: /^Ran/ }).click();
    await slots.getByRole("link", { name: "Open Main" }).waitFor();
    expect(await judge(page)).toEqual([]);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("row", { name: /Tea every 2h Main Job Paused/ }).waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    // The page follows changes by the CLI, the agent and the file.
    await daemon.ask("PATCH", `${JOBS}/tea`, { paused: false });
    await page.getByRole("button", { name: "Pause" }).waitFor();
    writeFileSync(
      await fileOf(daemon),
      `${readFileSync(await fileOf(daemon), "utf8")}\n[jobs.two]\nprompt = "Two"\ncron = "bad"\n`,
    );
    await page.getByText(/^Line \d+, two: /).waitFor();
    await page.getByRole("link", { name: "Edit file" }).waitFor();

    await page.getByRole("button", { name: "Delete job" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete tea?" });
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    expect((await daemon.ask("GET", `${JOBS}/tea`)).status).toBe(200);
    await page.getByRole("button", { name: "Delete job" }).click();
    await dialog.getByRole("button", { name: "Delete job" }).click();
    await page.getByText("No automations").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
