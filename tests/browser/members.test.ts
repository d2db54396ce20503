import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const PASSWORD = "correct horse battery";

const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};
/** One request of the owner that must succeed. */
const ask = async (daemon: Daemon, method: string, path: string, body?: unknown) => {
  const { status, json } = await daemon.ask(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
  return json;
};
const logIn = async (page: Page, person: string): Promise<void> => {
  await page.getByLabel("Name", { exact: true }).fill(person);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
};

inBrowser("a person who is let in step by step", ({ visit, stranger }) => {
  test("reads, then writes, then reads in words that it is over", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await ask(daemon, "POST", "/api/rooms", { content: { name: "Kitchen" } });
    await ask(daemon, "POST", "/api/rooms/kitchen/messages", { text: "What is for dinner?" });
    await using owner = await visit(daemon, { path: "/ui/settings/new-agent" });
    const { page: office } = owner;

    await office.getByRole("radio", { name: /^A person/ }).check();
    await office.getByLabel("Name", { exact: true }).fill("Bob");
    await office.getByRole("radio", { name: /^Reads/ }).check();
    await office.getByRole("button", { name: "Add person" }).click();
    await office.getByRole("heading", { name: "Bob", exact: true }).waitFor();
    await office.getByLabel("New password").fill(PASSWORD);
    await office.getByRole("button", { name: "Set password" }).click();
    await office.getByText("A password is set.").waitFor();

    await using guest = await stranger(daemon, { path: "/ui/rooms/kitchen", expected: /401/ });
    const { page } = guest;
    await page.getByLabel("Name", { exact: true }).fill("bob");
    await page.getByLabel("Password", { exact: true }).fill("a wrong guess");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("alert").getByText("The name or the password is wrong.").waitFor();
    await logIn(page, "bob");
    await inRoom(page, "What is for dinner?").waitFor();
    await page.getByText("You can read here, but not write.").waitFor();
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    expect(await composer.count()).toBe(0);
    expect(await page.getByRole("button", { name: "New room" }).count()).toBe(0);
    await page.getByRole("link", { name: /Settings$/ }).click();
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await tabs.first().waitFor();
    expect(await tabs.allTextContents()).toEqual(["General", "Account", "Agents", "Members", "Rooms"]);
    await tabs.getByText("Agents").click();
    await page.getByRole("link", { name: /^Main/ }).waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page
      .getByRole("navigation", { name: "Rooms" })
      .getByRole("link", { name: /Kitchen/ })
      .click();

    await office.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Members" }).click();
    const level = office.getByRole("combobox", { name: "What Bob may do" });
    await level.selectOption({ label: "Speaks" });
    await composer.fill("Beans.");
    await composer.press("Enter");
    await inRoom(page, "Beans.").waitFor();
    expect(await page.getByText("You can read here, but not write.").count()).toBe(0);

    await level.selectOption({ label: "Take away" });
    await page.getByRole("heading", { name: "This room is not open to you any more" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);

    const give = office.getByRole("combobox", { name: "Somebody else" });
    await give.selectOption({ label: "Bob" });
    await office.getByRole("button", { name: "Give", exact: true }).click();
    await inRoom(page, "Beans.").waitFor();
    expect([...owner.complaints, ...guest.complaints]).toEqual([]);
  });

  test("cannot be the last to decide, which is said in words", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using owner = await visit(daemon, { path: "/ui/settings/members", expected: /409/ });
    const { page } = owner;
    await page.getByRole("combobox", { name: "What Owner may do" }).selectOption({ label: "Speaks" });
    await page.getByRole("dialog").getByRole("button", { name: "Give it up" }).click();
    await page.getByText("Owner is the only person who decides in this house.").waitFor();
    await until(async () => (await page.getByRole("combobox", { name: "What Owner may do" }).inputValue()) === "x");
    expect(owner.complaints).toEqual([]);
  });
});

inBrowser("who may do what, while somebody looks", ({ visit }) => {
  test("follows what another browser gives and takes, and who comes with a level", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await ask(daemon, "POST", "/api/agents", { level: "none", content: { name: "Bob", kind: "human" } });
    await using desk = await visit(daemon, { path: "/ui/settings/members" });
    await using office = await visit(daemon, { path: "/ui/settings/members" });
    const bobs = ({ page }: typeof desk) => page.getByRole("combobox", { name: "What Bob may do" });
    await office.page.getByRole("combobox", { name: "What Owner may do" }).waitFor();
    expect(await bobs(office).count()).toBe(0);
    await desk.page.getByRole("combobox", { name: "Somebody else" }).selectOption({ label: "Bob" });
    await desk.page.getByRole("button", { name: "Give", exact: true }).click();
    await until(async () => (await bobs(office).count()) === 1 && (await bobs(office).inputValue()) === "r");
    await bobs(desk).selectOption({ label: "Speaks" });
    await until(async () => (await bobs(office).inputValue()) === "w");
    await bobs(desk).selectOption({ label: "Take away" });
    await bobs(office).waitFor({ state: "detached" });
    await ask(daemon, "POST", "/api/agents", { level: "r", content: { name: "Cy", kind: "human" } });
    await office.page.getByRole("combobox", { name: "What Cy may do" }).waitFor();
    expect([...desk.complaints, ...office.complaints]).toEqual([]);
  });
});

inBrowser("a login that is ended elsewhere", ({ visit, stranger }) => {
  test("is told at once in the browser that had it, and what was written there is kept", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await ask(daemon, "POST", "/api/agents/owner/password", { password: PASSWORD });
    await using phone = await stranger(daemon, { path: "/ui/rooms/main", expected: /401|WebSocket/ });
    await logIn(phone.page, "owner");
    const composer = phone.page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("half a thought");

    await using desk = await visit(daemon, { path: "/ui/settings/account" });
    const { page } = desk;
    await page.getByText("This browser").waitFor();
    await page.getByRole("button", { name: "End all others" }).click();
    await phone.page.getByText("Your login here has ended. What you wrote is kept.").waitFor();
    await page.getByText("You are logged in nowhere else.").waitFor();

    await logIn(phone.page, "owner");
    await until(async () => (await composer.inputValue()) === "half a thought");
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
  });
});

inBrowser("an agent that listens along", ({ visit }) => {
  test("is made on its page, and its activity says why it kept quiet", async () => {
    await using model = createModel();
    using home = createHome();
    model.answer = () => ["Noted."];
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main" });
    const { page } = visited;
    await page.getByRole("radio", { name: /^When the talk concerns it/ }).click();
    await page.getByLabel("Seconds of silence before it looks").fill("0");
    await page
      .getByLabel("Whether talk concerns it is said by")
      .selectOption({ label: "Nobody: everything concerns it" });
    await page.locator("form").filter({ hasText: "Seconds of silence" }).getByRole("button", { name: "Save" }).click();
    await until(async () => (await ask(daemon, "GET", "/api/agents/main")).content.ambient?.relevance === "off");

    await page.goto(`${daemon.url}/ui/settings/new-room`);
    await page.getByLabel("Name", { exact: true }).fill("Kitchen");
    await page.getByRole("button", { name: "Make room" }).click();
    await page.getByRole("link", { name: "Go to the room" }).click();
    const composer = page.getByRole("textbox", { name: "Message Kitchen" });
    await composer.fill("What is for dinner?");
    await composer.press("Enter");
    await inRoom(page, "Noted.").waitFor();
    await composer.fill("Beans, perhaps.");
    await composer.press("Enter");

    await page.goto(`${daemon.url}/ui/settings/agents/main/activity`);
    const quiet = page.getByRole("button", { name: /^Kept quiet: it had just spoken/ });
    await quiet.click();
    await page.getByText("It wrote one of the last five messages, so it let others speak.").waitFor();
    await page.getByText("Owner: Beans, perhaps.").waitFor();
    await page.getByText("No model and no tool was asked.").waitFor();
    await page.getByLabel("Why it kept quiet").selectOption({ label: "Did not concern it" });
    await page.getByText("Nothing, or nothing of this kind.").waitFor();
    await page.getByLabel("Why it kept quiet").selectOption({ label: "It had just spoken" });
    await quiet.waitFor();
    expect(await page.getByRole("button", { name: /^Replied/ }).count()).toBe(0);

    await page.goto(`${daemon.url}/ui/settings/rooms/kitchen/activity`);
    await page.getByRole("button", { name: /^Replied Main · Talk that may concern it/ }).click();
    await page.getByRole("list", { name: "Steps" }).getByText("Asked its model").waitFor();
    await page.getByRole("link", { name: "Go to Kitchen" }).click();
    await inRoom(page, "Noted.").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("somebody who sees more than one house", ({ visit, stranger }) => {
  test("is shown a room of another house as soon as it is opened, and what is said there", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const annex = await ask(daemon, "POST", "/api/houses", { content: { name: "Annex", welcomedAt: 1 } });
    const person = { house: annex.id, content: { name: "Bea", kind: "human" } };
    const bea = await ask(daemon, "POST", "/api/agents", person);
    await ask(daemon, "POST", `/api/agents/${bea.id}/password`, { password: PASSWORD });
    const kitchen = await ask(daemon, "POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using guest = await stranger(daemon, { path: "/ui/settings/account", expected: /401/ });
    const { page } = guest;
    await logIn(page, "bea");
    const rooms = page.getByRole("navigation", { name: "Rooms" });
    await rooms.waitFor();
    const chooser = page.getByRole("combobox", { name: "House" });
    expect(await chooser.count()).toBe(0);

    await ask(daemon, "PUT", `/api/rooms/${kitchen.id}/grants/${bea.id}`, { level: "r" });
    await chooser.selectOption({ label: "home" });
    await rooms.getByRole("link", { name: "Kitchen" }).click();
    await page.getByText("You can read here, but not write.").waitFor();
    await ask(daemon, "POST", "/api/rooms/kitchen/messages", { text: "Come in." });
    await inRoom(page, "Come in.").waitFor();
    expect(guest.complaints).toEqual([]);
  });

  test("chooses which one is shown, and finds it again; who sees one house learns of no other", async () => {
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
    const rooms = page.getByRole("navigation", { name: "Rooms" });
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
      .getByRole("radio", { name: /^The offline helper|No model/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Make agent" }).click();
    await page.getByRole("heading", { name: "Ghost", exact: true }).waitFor();
    expect((await ask(daemon, "GET", "/api/agents/ghost")).house).toBe(annex.id);
    await page.goto(`${daemon.url}/ui/settings/agents`);
    await page.getByRole("link", { name: /^Ghost/ }).waitFor();
    expect(await page.getByRole("link", { name: /^Main/ }).count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
