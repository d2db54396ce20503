import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { PASSWORD, ask, logIn } from "./member-house.ts";

const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};

/** The settings that every member sees. */
const EVERYONE = ["General", "Account", "Notifications", "Agents", "Members", "Rooms", "Usage & limits", "API keys"];

inBrowser("a person whose role changes", ({ visit, stranger }) => {
  test("reads, then writes, then sees that access was removed", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await ask(daemon, "POST", "/api/rooms", { content: { name: "Kitchen" } });
    await ask(daemon, "POST", "/api/rooms/kitchen/messages", { text: "What is for dinner?" });
    await using owner = await visit(daemon, { path: "/ui/settings/new-agent" });
    const { page: office } = owner;

    await office.getByRole("radio", { name: /^Person/ }).check();
    await office.getByLabel("Name", { exact: true }).fill("Bob");
    await office.getByRole("radio", { name: /^Viewer/ }).check();
    await office.getByRole("button", { name: "Add person" }).click();
    await office.getByRole("heading", { name: "Bob", exact: true }).waitFor();
    await office.getByLabel("New password").fill(PASSWORD);
    await office.getByRole("button", { name: "Set password" }).click();
    await office.getByText("A password is set.").waitFor();

    // A request may be on its way when access is removed.
    await using guest = await stranger(daemon, { path: "/ui/rooms/kitchen", expected: /401|404/ });
    const { page } = guest;
    await page.getByLabel("Name", { exact: true }).fill("bob");
    await page.getByLabel("Password", { exact: true }).fill("a wrong guess");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("alert").getByText("The name or the password is wrong.").waitFor();
    await logIn(page, "bob");
    await inRoom(page, "What is for dinner?").waitFor();
    await page.getByText("You have read access only.").waitFor();
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    expect(await composer.count()).toBe(0);
    expect(await page.getByRole("button", { name: "New room" }).count()).toBe(0);
    await page.getByRole("link", { name: /Settings$/ }).click();
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await tabs.first().waitFor();
    expect(await tabs.allTextContents()).toEqual(EVERYONE);
    await tabs.getByText("Agents").click();
    await page.getByRole("link", { name: /^Main/ }).waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page
      .getByRole("navigation", { name: "Chats" })
      .getByRole("link", { name: /Kitchen/ })
      .click();

    await office.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Members" }).click();
    const level = office.getByRole("combobox", { name: "Role of Bob" });
    await level.selectOption({ label: "Member" });
    await composer.fill("Beans.");
    await composer.press("Enter");
    await inRoom(page, "Beans.").waitFor();
    expect(await page.getByText("You have read access only.").count()).toBe(0);

    await level.selectOption({ label: "Remove access" });
    await page.getByRole("heading", { name: "You no longer have access to this room" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);

    const give = office.getByRole("combobox", { name: "Person or agent" });
    await give.selectOption({ label: "Bob" });
    await office.getByRole("button", { name: "Grant access", exact: true }).click();
    await inRoom(page, "Beans.").waitFor();
    expect([...owner.complaints, ...guest.complaints]).toEqual([]);
  });
});

inBrowser("a person with single rights", ({ visit, stranger }) => {
  test("gets the pages of these duties as soon as an admin checks their boxes, and loses them again", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    const { id: bob } = await ask(daemon, "POST", "/api/agents", {
      level: "r",
      content: { name: "Bob", kind: "human" },
    });
    await ask(daemon, "POST", `/api/agents/${bob}/password`, { password: PASSWORD });
    await using owner = await visit(daemon, { path: "/ui/settings/members" });
    const { page: office } = owner;
    await office.getByRole("button", { name: "change the rights of Bob" }).click();
    const box = (name: string) =>
      office.getByRole("group", { name: "Bob also manages" }).getByRole("checkbox", { name });
    await box("Secrets").check();
    await box("Approvals").check();
    await until(async () => {
      const grants = await ask(daemon, "GET", `/api/grants?agent=${bob}`);
      return JSON.stringify(grants[0].rights) === '["secrets","approve"]';
    });

    // A request may be on its way when the right is removed.
    await using guest = await stranger(daemon, { path: "/ui/settings/members", expected: /401|403/ });
    const { page } = guest;
    await logIn(page, "bob");
    await page.getByText("You also manage: secrets, approvals.").waitFor();
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    const more = (await tabs.allTextContents()).filter((title) => !EVERYONE.includes(title));
    expect(more).toEqual(["Web & secrets"]);
    await page.getByRole("link", { name: "Inbox" }).waitFor();
    expect(await page.getByRole("link", { name: "Automations" }).count()).toBe(0);
    await tabs.getByText("Web & secrets").click();
    await page.getByLabel("Name", { exact: true }).fill("TOKEN");
    await page.getByLabel("Value", { exact: true }).fill("a value of Bob");
    await page.getByRole("button", { name: "Add secret", exact: true }).click();
    await page.getByRole("main").getByText("TOKEN", { exact: true }).waitFor();
    expect(await page.getByRole("heading", { name: "Hosts" }).count()).toBe(0);

    await box("Secrets").uncheck();
    await page.getByText("Only admins of this house can open this page.").waitFor();
    await box("Model providers").check();
    await tabs.getByText("Models").click();
    await page.getByRole("table", { name: "Model providers" }).waitFor();
    expect(await page.getByRole("heading", { name: "Speech and pictures" }).count()).toBe(0);

    await box("Audit log").check();
    await tabs.getByText("Audit").click();
    await page.getByRole("table", { name: "Rows of the audit log" }).waitFor();
    await page.getByRole("button", { name: "Verify log" }).click();
    await page.getByText("The log is intact").first().waitFor();
    await box("Audit log").uncheck();
    await page.getByText("Only admins of this house can open this page.").waitFor();
    expect([...owner.complaints, ...guest.complaints]).toEqual([]);
  });
});

inBrowser("an agent that reads along", ({ visit }) => {
  test("is set up on its page, and its activity shows why it did not reply", async () => {
    await using model = createModel();
    using home = createHome();
    model.answer = () => ["Noted."];
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/automations" });
    const { page } = visited;
    await page.getByRole("radio", { name: /^When relevant/ }).click();
    await page.getByLabel("Pause before it responds (seconds)").fill("0");
    await page
      .getByLabel("Relevance check", { exact: true })
      .selectOption({ label: "None: every message is relevant" });
    await page.getByRole("button", { name: "Save response settings" }).click();
    await until(async () => (await ask(daemon, "GET", "/api/agents/main")).content.ambient?.relevance === "off");

    await page.goto(`${daemon.url}/ui/settings/new-room`);
    await page.getByLabel("Name", { exact: true }).fill("Kitchen");
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByRole("link", { name: "Open room" }).click();
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    await composer.fill("What is for dinner?");
    await composer.press("Enter");
    await inRoom(page, "Noted.").waitFor();
    await composer.fill("Beans, perhaps.");
    await composer.press("Enter");

    await page.goto(`${daemon.url}/ui/settings/agents/main/activity`);
    const quiet = page.getByRole("button", { name: /^No reply: cooldown/ });
    await quiet.click();
    await page.getByText("The agent wrote one of the last five messages, so it let others reply.").waitFor();
    await page.getByText("Owner: Beans, perhaps.").waitFor();
    await page.getByText("No model or tool calls").waitFor();
    await page.getByLabel("Reason for no reply").selectOption({ label: "Not relevant" });
    await page.getByText("No runs match.").waitFor();
    await page.getByLabel("Reason for no reply").selectOption({ label: "Cooldown" });
    await quiet.waitFor();
    expect(await page.getByRole("button", { name: /^Replied/ }).count()).toBe(0);

    await page.goto(`${daemon.url}/ui/settings/rooms/kitchen/activity`);
    await page.getByRole("button", { name: /^Replied Main · Group message/ }).click();
    await page.getByRole("list", { name: "Steps" }).getByText("Model call").waitFor();
    await page.getByRole("link", { name: "Open Kitchen" }).click();
    await inRoom(page, "Noted.").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a person with several houses", ({ visit }) => {
  test("switches houses, and the choice is kept; users of one house see no switch", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    const chooser = page.getByRole("combobox", { name: "House" });
    expect(await chooser.count()).toBe(0);
    const annex = await ask(daemon, "POST", "/api/houses", { content: { name: "Annex", welcomedAt: 1 } });
    await ask(daemon, "POST", "/api/rooms", { house: annex.id, content: { name: "Attic" } });
    await chooser.selectOption({ label: "Annex" });
    const rooms = page.getByRole("navigation", { name: "Chats" });
    await rooms.getByRole("link", { name: "Attic" }).click();
    expect(await rooms.getByRole("link").count()).toBe(1);
    const composer = page.getByRole("textbox", { name: "Message Attic" });
    await composer.fill("First in here.");
    await composer.press("Enter");
    await inRoom(page, "First in here.").waitFor();
    await page.reload();
    await inRoom(page, "First in here.").waitFor();
    await page.goto(`${daemon.url}/ui/settings/new-agent`);
    await page.getByLabel("Name", { exact: true }).fill("Ghost");
    await page
      .getByRole("radio", { name: /^The offline helper|No language model/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { name: "Ghost", exact: true }).waitFor();
    expect((await ask(daemon, "GET", "/api/agents/ghost")).house).toBe(annex.id);
    await page.goto(`${daemon.url}/ui/settings/agents`);
    await page.getByRole("link", { name: /^Ghost/ }).waitFor();
    expect(await page.getByRole("link", { name: /^Main/ }).count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
