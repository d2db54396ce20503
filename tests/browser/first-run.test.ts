import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { inBrowser, inRoom } from "./browser.ts";

inBrowser("a new user", ({ stranger, visit }) => {
  test("logs in with the printed link, completes three steps and sends a message", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await stranger(daemon);
    const { page } = visited;
    await page.goto(daemon.loginLink);
    await page.getByRole("button", { name: "Log in" }).click();

    const [name, zone] = [
      page.getByRole("textbox", { name: "Your name" }),
      page.getByRole("combobox", { name: "Your time zone" }),
    ];
    const ownZone = await zone.inputValue();
    await name.fill(" ");
    await zone.fill("Mars/Olympus");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter your name, or skip this step.").waitFor();
    await page.getByText("Unknown time zone.").waitFor();
    await name.fill(" Ada ");
    await page.getByText("Enter your name, or skip this step.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Unknown time zone.").waitFor();
    await zone.fill(ownZone);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "Agent name" }).fill("Robin");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("radio", { name: /^No language model/ }).check();
    await page.getByRole("button", { name: "Finish" }).click();

    const composer = page.getByRole("textbox", { name: "Message Robin" });
    await composer.fill("remember that the cat is called Felix");
    await composer.press("Enter");
    await until(async () => (await page.getByRole("article").count()) >= 2);
    const { json } = await daemon.ask("GET", "/api/me");
    expect(json.agent.content.name).toBe("Ada");
    expect(json.house.content.welcomedAt).toBeNumber();
    expect((await daemon.ask("GET", "/api/agents/robin")).json.content).toMatchObject({
      name: "Robin",
      model: "offline/basic",
    });

    await page.goto(`${daemon.url}/ui/`);
    await composer.waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("enters a key and an address, tests them, and uses that model; the browser never stores the key", async () => {
    await using model = createModel();
    model.answer = () => ["Hello from the model."];
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await visit(daemon, { path: "/ui/welcome" });
    const { page } = visited;
    await page.getByRole("button", { name: "Skip", exact: true }).click();
    await page.getByRole("button", { name: "Skip", exact: true }).click();
    await page.getByRole("radio", { name: /^OpenAI-compatible endpoint/ }).check();
    await page.getByRole("textbox", { name: "Address" }).fill(model.baseUrl);
    await page.getByLabel(/key/i).last().fill("canary-key-4711");
    await page.getByRole("combobox", { name: /model/i }).fill("some-model");
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText(/answered in/).waitFor();
    await page.getByRole("button", { name: "Finish" }).click();
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Hi");
    await composer.press("Enter");
    await inRoom(page, "Hello from the model.").waitFor();
    const kept = await page.evaluate(
      () => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.documentElement.outerHTML,
    );
    expect(kept).not.toContain("canary-key-4711");
    expect(visited.complaints).toEqual([]);
  });
});
