import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

/** Ports that the house probes for model servers. One of them may be in use on this machine. */
const PLACES = [
  { name: "Ollama", id: "ollama", port: 11434 },
  { name: "LM Studio", id: "lm-studio", port: 1234 },
] as const;

const isFree = ({ port }: { readonly port: number }): boolean => {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
};

const place = PLACES.find(isFree);

inBrowser("a model server on the same machine", ({ visit }) => {
  test.skipIf(place === undefined)("is discovered in the welcome, tested and used", async () => {
    const { name, id, port } = place ?? PLACES[0];
    await using model = createModel({ port });
    model.answer = () => ["Hello from next door."];
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using visited = await visit(daemon, { path: "/ui/welcome" });
    const { page } = visited;
    await page.getByRole("button", { name: "Skip", exact: true }).click();
    await page.getByRole("button", { name: "Skip", exact: true }).click();
    const found = page.getByRole("radio", { name: new RegExp(`^${name}`) });
    await found.waitFor();
    await page.getByText("Found on the server, 1 model").first().waitFor();
    await found.check();
    const field = page.getByRole("combobox", { name: "Model" });
    await field.fill("model");
    expect(model.requests).toEqual([]);
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText(/answered in/).waitFor();
    expect(model.requests).toHaveLength(1);
    await page.getByRole("button", { name: "Finish" }).click();
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("Hi");
    await composer.press("Enter");
    await inRoom(page, "Hello from next door.").waitFor();
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.model).toBe(`${id}/model`);
    // It is configured, so it is not offered again.
    await page.goto(`${daemon.url}/ui/settings/models`);
    await page.getByRole("row", { name: new RegExp(`${name} Ready .* Main`) }).waitFor();
    expect(
      (await daemon.ask("GET", "/api/providers/found")).json.map((server: { name: string }) => server.name),
    ).not.toContain(id);
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("an agent that changes", ({ visit }) => {
  test("shows its new name everywhere, also on open pages, and uses its new model", async () => {
    await using one = createModel();
    await using other = createModel();
    one.answer = () => ["Said by the first."];
    other.answer = () => ["Said by the second."];
    using home = createHome();
    const provider = (name: string, { baseUrl }: { readonly baseUrl: string }): string =>
      `[providers.${name}]\nkind = "openai"\nbase_url = "${baseUrl}"\napi_key = "env:TEST_KEY"\n`;
    writeFileSync(join(home.folder, "hearth.toml"), `version = 1\n${provider("one", one)}${provider("other", other)}`);
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "key" });
    await welcome(daemon);
    await daemon.ask("PATCH", "/api/agents/main", { content: { model: "one/model" } });
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).fill("Who speaks?");
    await page.keyboard.press("Enter");
    await inRoom(page, "Said by the first.").waitFor();
    const link = (name: string) =>
      page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: new RegExp(name) });
    await link("Kitchen").click();
    const kitchen = page.getByRole("textbox", { name: "Message Kitchen" });
    await kitchen.fill("@main come here");
    await kitchen.press("Enter");
    await inRoom(page, "Said by the first.").waitFor();

    const settings = await visited.newTab("/ui/settings/agents/main");
    await settings.getByRole("textbox", { name: "Name", exact: true }).fill("Robin");
    await settings.getByRole("button", { name: "Save profile" }).click();
    await settings.getByRole("heading", { name: "Robin" }).waitFor();
    await until(() => settings.url().endsWith("/settings/agents/robin"));
    await settings.getByRole("button", { name: "Change model" }).click();
    await settings.getByRole("radio", { name: /^other/ }).check();
    await settings.getByRole("combobox", { name: "Model" }).fill("newer-model");
    await settings.getByRole("button", { name: "Save model" }).click();
    await settings.getByText(/newer-model/).waitFor();
    await settings.getByRole("button", { name: "Change model" }).waitFor();

    // The other tab receives the change.
    await page.bringToFront();
    await page.getByRole("article", { name: /^Robin/ }).waitFor();
    await page.getByRole("button", { name: "Model of Robin: newer-model" }).waitFor();
    await kitchen.pressSequentially("@ro");
    await page.getByRole("option", { name: /Robin/ }).waitFor();
    await kitchen.press("Tab");
    expect(await kitchen.inputValue()).toBe("@robin ");
    await kitchen.pressSequentially("are you there?");
    await kitchen.press("Enter");
    await inRoom(page, "Said by the second.").waitFor();
    expect(other.requests.at(-1)).toMatchObject({ model: "newer-model" });

    await link("Robin").click();
    await page.getByRole("heading", { level: 1, name: "Robin" }).waitFor();
    await page.getByRole("article", { name: /^Robin/ }).waitFor();
    const composer = page.getByRole("textbox", { name: "Message Robin" });
    await composer.fill("And here?");
    await composer.press("Enter");
    await inRoom(page, "Said by the second.").waitFor();
    expect(await link("Main").count()).toBe(0);
    expect(one.requests).toHaveLength(2);
    expect(visited.complaints).toEqual([]);
  });
});
