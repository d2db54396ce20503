import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser } from "./browser.ts";

inBrowser("a new user", ({ stranger, visit }) => {
  test("can skip all steps, is not asked again, and changes the settings later", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await visit(daemon);
    const { page } = visited;
    await page.getByRole("button", { name: "Skip all" }).click();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.goto(`${daemon.url}/ui/`);
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();

    await page.getByRole("link", { name: /Settings$/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Grace");
    await page.getByRole("button", { name: "Save profile" }).click();
    await until(async () => (await daemon.ask("GET", "/api/me")).json.agent.content.name === "Grace");
    expect(visited.complaints).toEqual([]);
  });

  test("reads what to do if the link was already used", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await stranger(daemon, { expected: /401/ });
    const { page } = visited;
    await page.goto(`${daemon.url}/login?code=used-or-made-up`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("hearth login").waitFor();
    await page.goto(`${daemon.url}/`);
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
