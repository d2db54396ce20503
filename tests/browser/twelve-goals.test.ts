/**
 * Twelve goals of a new user, each reached from the start page without a terminal, on a phone and on
 * a wide screen. `EFFORTS` states the presses and the filled fields of each goal.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { startTelegram, TOKEN } from "../journeys/telegram-server.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { createPerson, type Person, type PersonOptions, PHONE_WIDTH, type Width, WIDTHS } from "./person.ts";

setDefaultTimeout(170_000);

/** Presses and fields of each goal, on a phone and on a wide screen. */
const EFFORTS = {
  "connect-key": { 390: [8, 1], 1440: [7, 1] },
  "switch-model": { 390: [5, 0], 1440: [4, 0] },
  "create-agent": { 390: [4, 1], 1440: [3, 1] },
  "web-access": { 390: [5, 0], 1440: [4, 0] },
  approve: { 390: [3, 0], 1440: [2, 0] },
  "find-message": { 390: [3, 1], 1440: [2, 1] },
  "day-cost": { 390: [5, 0], 1440: [4, 0] },
  undo: { 390: [6, 0], 1440: [4, 0] },
  "daily-job": { 390: [5, 2], 1440: [4, 2] },
  invite: { 390: [4, 0], 1440: [3, 0] },
  join: { 390: [1, 2], 1440: [1, 2] },
  telegram: { 390: [10, 2], 1440: [9, 2] },
  backup: { 390: [8, 1], 1440: [7, 1] },
} as const satisfies Readonly<Record<string, Readonly<Record<Width, readonly [number, number]>>>>;

type Goal = keyof typeof EFFORTS;

const PASSWORD = "correct horse battery";

/** Fails if the goal took other presses or fields than the table states, or if the page complained. */
const expectEffort = (goal: Goal, width: Width, { effort, complaints }: Person): void => {
  const [presses, fields] = EFFORTS[goal][width];
  expect({ goal, width, effort, complaints }).toEqual({ goal, width, effort: { presses, fields }, complaints: [] });
};

/** The house that the goals share. Each test adds its own agents and rooms, named after its goal and width. */
interface House extends AsyncDisposable {
  readonly daemon: Daemon;
  readonly model: Model;
}

const openHouse = async (): Promise<House> => {
  await using stack = new AsyncDisposableStack();
  const model = stack.use(createModel());
  const home = stack.use(createHome());
  const price = '[prices."test/"]\ninput = 2\noutput = 2\n';
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl) + price);
  const daemon = stack.use(await startDaemon(home.folder, { TEST_KEY: "key" }));
  await welcome(daemon);
  const opened = stack.move();
  return { daemon, model, [Symbol.asyncDispose]: () => opened.disposeAsync() };
};

const addAgent = async (daemon: Daemon, name: string, content: object = {}): Promise<Json> => {
  const { status, json } = await daemon.ask("POST", "/api/agents", {
    content: { name, kind: "bot", model: "test/model", ...content },
  });
  if (status !== 201) throw new Error(`the agent was not created: ${status}`);
  return json;
};

/** Sends the requests that name a platform or a vendor to a fake server. */
const leadTo = async (page: Page, baseUrl: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths)
    await page.route(path, async (route) => {
      const body: unknown = route.request().postDataJSON();
      await route.continue(body === null ? {} : { postData: JSON.stringify({ ...(body as object), baseUrl }) });
    });
};

inBrowser("a person without a terminal", ({ visit, stranger }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  }, 120_000);
  afterAll(() => house[Symbol.asyncDispose]());

  const arrive = (goal: Goal, width: Width, options: Partial<PersonOptions> = {}): Promise<Person> =>
    createPerson({ visit, stranger, daemon: house.daemon, goal, width, ...options });

  test.each(WIDTHS)("connects a model key, at %d px", async (width) => {
    const { daemon, model } = house;
    const vendor = width === PHONE_WIDTH ? "Groq" : "Mistral";
    model.models = ["model"];
    await using person = await arrive("connect-key", width);
    const { page } = person;
    await leadTo(page, model.baseUrl, ["**/api/providers"]);
    await person.stop("start");
    await person.openSettings("Models");
    await page.getByRole("radio", { name: /^API key/ }).waitFor();
    await person.stop("models");
    await person.select(page.getByLabel("Provider", { exact: true }), vendor);
    await person.fill(page.getByLabel("API key", { exact: true }).last(), "a-key-of-the-vendor");
    await person.stop("filled");
    await person.press(page.getByRole("button", { name: "Add", exact: true }));
    const row = page.getByRole("table", { name: "Model providers" }).getByRole("row", { name: new RegExp(vendor) });
    await row.waitFor();
    await person.stop("added");
    await person.press(row.getByRole("button", { name: `Test ${vendor}` }));
    const dialog = page.getByRole("dialog", { name: `Test ${vendor}` });
    await person.press(dialog.getByRole("button", { name: "Send test request" }));
    await dialog.getByText("Connected: 1 model.").waitFor();
    await person.stop("tested");
    const { json } = await daemon.ask("GET", "/api/providers");
    expect(json.find(({ name }: Json) => name === vendor.toLowerCase())).toMatchObject({ ready: true });
    expect(readFileSync(join(daemon.home, "keys", vendor.toLowerCase()), "utf8").trim()).toBe("a-key-of-the-vendor");
    expectEffort("connect-key", width, person);
  });

  test.each(WIDTHS)("switches the model of an agent, at %d px", async (width) => {
    const { daemon, model } = house;
    model.models = ["model", "better-model"];
    const agent = await addAgent(daemon, `Robin ${width}`);
    await daemon.ask("POST", "/api/chat", { agentName: agent.handle, message: "hello" });
    await using person = await arrive("switch-model", width);
    const { page } = person;
    await person.follow(new RegExp(`^Robin ${width}`));
    await person.press(page.getByRole("button", { name: `Model of Robin ${width}: model` }));
    const dialog = page.getByRole("dialog", { name: `Model of Robin ${width}` });
    const better = dialog.getByRole("group", { name: "test" }).getByRole("radio", { name: "better-model" });
    await better.waitFor();
    await person.stop("dialog");
    await person.press(better);
    await person.stop("chosen");
    await person.press(dialog.getByRole("button", { name: "Use model" }));
    await page.getByRole("button", { name: `Model of Robin ${width}: better-model` }).waitFor();
    await person.stop("switched");
    expect((await daemon.ask("GET", `/api/agents/${agent.handle}`)).json.content.model).toBe("test/better-model");
    expectEffort("switch-model", width, person);
  });

  test.each(WIDTHS)("creates an agent, at %d px", async (width) => {
    const { daemon } = house;
    await using person = await arrive("create-agent", width);
    const { page } = person;
    await person.follow("Agents");
    await person.stop("agents");
    await person.press(page.getByRole("link", { name: "Add agent or person" }));
    await page.getByRole("radio", { name: /^test/ }).waitFor();
    await person.stop("form");
    await person.fill(page.getByRole("textbox", { name: "Name", exact: true }), `Scout ${width}`);
    await page.getByRole("button", { name: "Create agent" }).scrollIntoViewIfNeeded();
    await person.stop("form-end");
    await person.press(page.getByRole("button", { name: "Create agent" }));
    await page.getByRole("heading", { name: `Scout ${width}` }).waitFor();
    await person.stop("created");
    const { json } = await daemon.ask("GET", `/api/agents/scout-${width}`);
    expect(json.content).toMatchObject({ name: `Scout ${width}`, kind: "bot", model: "test/model" });
    expectEffort("create-agent", width, person);
  });

  test.each(WIDTHS)("gives an agent web access, at %d px", async (width) => {
    const { daemon } = house;
    const agent = await addAgent(daemon, `Reader ${width}`);
    await using person = await arrive("web-access", width);
    const { page } = person;
    await person.follow("Agents");
    await person.press(page.getByRole("link", { name: `Reader ${width}`, exact: true }));
    await person.press(page.getByRole("link", { name: `Tools & access · Reader ${width}` }));
    const web = page.getByRole("switch", { name: "Read public pages" });
    await web.waitFor();
    await person.stop("tools");
    await person.press(web);
    const content = async (): Promise<Json> => (await daemon.ask("GET", `/api/agents/${agent.handle}`)).json.content;
    await until(async () => (await content()).egress?.[0]?.host === "*");
    await person.stop("on");
    expect((await content()).tools).toContain("http_fetch");
    expectEffort("web-access", width, person);
  });

  test.each(WIDTHS)("approves a command, at %d px", async (width) => {
    const { daemon, model } = house;
    const agent = await addAgent(daemon, `Smith ${width}`, { tools: ["shell"], mode: "ask" });
    model.answer = ({ messages }: Json) =>
      messages.at(-1).role === "tool"
        ? [`Done: ${messages.at(-1).content}`]
        : [{ tool: "shell", input: { command: "echo forged" } }];
    const { json: room } = await daemon.ask("POST", `/api/agents/${agent.handle}/room`);
    await daemon.ask("POST", `/api/rooms/${room.handle}/messages`, { text: "Forge it" });
    const asked = async (): Promise<Json> =>
      (await daemon.ask("GET", "/api/approvals")).json.find((approval: Json) => approval.agent === agent.id);
    await until(async () => (await asked())?.state === "pending");
    await using person = await arrive("approve", width);
    const { page } = person;
    await person.follow(/^Inbox/);
    const card = page.getByRole("article", { name: new RegExp(`^Smith ${width}`) });
    await card.waitFor();
    await person.stop("inbox");
    await person.pressSteadily(
      card.getByRole("button", { name: /^Allow once/ }),
      async () => (await asked()).state !== "pending",
    );
    await card.getByText(/^You allowed this once\./).waitFor();
    await person.stop("allowed");
    await until(async () =>
      JSON.stringify((await daemon.ask("GET", `/api/rooms/${room.handle}/events`)).json).includes("Done: "),
    );
    expect((await asked()).state).toBe("used");
    expectEffort("approve", width, person);
  });

  test.each(WIDTHS)("finds an old message, at %d px", async (width) => {
    const { daemon } = house;
    const name = `Cellar ${width}`;
    await addAgent(daemon, `Keeper ${width}`);
    const { json: room } = await daemon.ask("POST", "/api/rooms", { content: { name } });
    await daemon.ask("POST", `/api/rooms/${room.handle}/messages`, { text: `Vidal repaired boiler${width} for 142 €` });
    for (let number = 1; number <= 60; number += 1)
      await daemon.ask("POST", `/api/rooms/${room.handle}/messages`, { text: `Newer message ${number}` });
    await using person = await arrive("find-message", width);
    const { page } = person;
    if (width === PHONE_WIDTH) await person.press(page.getByRole("button", { name: /^Chats and settings/ }));
    await person.press(page.getByRole("button", { name: "Search house" }));
    const dialog = page.getByRole("dialog", { name: "Search" });
    await person.fill(dialog.getByRole("searchbox"), `boiler${width}`);
    const hit = dialog.getByRole("link", { name: /Vidal repaired/ });
    await hit.waitFor();
    await person.stop("results");
    await person.press(hit);
    const message = page.getByRole("article").filter({ hasText: "Vidal repaired" });
    await until(() => message.evaluate((article) => article === document.activeElement));
    await person.stop("found");
    expect(page.url()).toContain(room.handle);
    // The models of several agents do not fit into the header on a phone.
    expect((await page.getByRole("button", { name: /^Model of / }).count()) === 0).toBe(width === PHONE_WIDTH);
    expectEffort("find-message", width, person);
  });

  test.each(WIDTHS)("sees what a day cost, at %d px", async (width) => {
    const { daemon, model } = house;
    model.answer = () => ["Hello."];
    const agent = await addAgent(daemon, `Clerk ${width}`);
    await daemon.ask("POST", "/api/chat", { agentName: agent.handle, message: "hello" });
    await using person = await arrive("day-cost", width);
    const { page } = person;
    await person.openSettings("Usage & limits");
    const usage = page.getByRole("region", { name: "Usage" });
    await usage.getByRole("table").first().waitFor();
    await person.stop("usage");
    await person.select(usage.getByLabel("Period"), "Today");
    await until(() => page.url().includes("period="));
    await person.stop("today");
    const table = usage.getByRole("table", { name: "Usage by agent" });
    const cost = await table.getByRole("row", { name: new RegExp(`Clerk ${width} `) }).innerText();
    const { json } = await daemon.ask("GET", "/api/usage?by=agent");
    const { total } = json.groups.find(({ of }: Json) => of === agent.id);
    expect(total.money).toBe(2 * (total.inputTokens + total.outputTokens));
    expect(cost).toContain((total.money / 1_000_000).toFixed(4));
    expectEffort("day-cost", width, person);
  });

  test.each(WIDTHS)("undoes what a run changed, at %d px", async (width) => {
    const { daemon, model } = house;
    const agent = await addAgent(daemon, `Writer ${width}`, { tools: ["write_brain", "read_brain"] });
    const paths = ["memory/cat.md", "memory/dog.md"];
    model.answer = ({ messages }: Json) =>
      messages.at(-1).role === "tool"
        ? ["Both are noted."]
        : paths.map((path) => ({ tool: "write_brain", input: { path, mode: "replace", text: "Felix\n" } }));
    await daemon.ask("POST", "/api/chat", { agentName: agent.handle, message: "Note it" });
    const statusOf = async (path: string): Promise<number> =>
      (await daemon.ask("GET", `/api/agents/${agent.handle}/brain/file?path=${encodeURIComponent(path)}`)).status;
    for (const path of paths) await until(async () => (await statusOf(path)) === 200);
    await using person = await arrive("undo", width);
    const { page } = person;
    await person.follow(new RegExp(`^Writer ${width}`));
    await inRoom(page, "Both are noted.").waitFor();
    await person.stop("room");
    const reply = page.getByRole("article").filter({ hasText: "Both are noted." });
    if (width === PHONE_WIDTH) await person.press(reply.getByRole("button", { name: "More" }));
    else await reply.hover();
    await person.press(reply.getByRole("link", { name: "Show run" }));
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByText("Saved: memory/dog.md").waitFor();
    await person.stop("run");
    await person.press(changes.getByRole("button", { name: "Revert the whole run" }));
    const dialog = page.getByRole("dialog", { name: "Revert all changes of this run?" });
    await dialog.getByText("memory/cat.md is removed").waitFor();
    await person.stop("dialog");
    await person.press(dialog.getByRole("button", { name: "Revert all" }));
    for (const path of paths) await until(async () => (await statusOf(path)) === 404);
    await person.stop("undone");
    expectEffort("undo", width, person);
  });

  test.each(WIDTHS)("schedules a daily job, at %d px", async (width) => {
    const { daemon } = house;
    const agent = await addAgent(daemon, `Herald ${width}`);
    await using person = await arrive("daily-job", width);
    const { page } = person;
    await person.follow("Automations");
    await person.stop("automations");
    await person.press(page.getByRole("button", { name: "New job" }));
    await person.stop("agents");
    await person.press(page.getByRole("menuitem", { name: `Herald ${width}` }));
    const dialog = page.getByRole("dialog", { name: `New job for Herald ${width}` });
    await dialog.waitFor();
    await person.stop("form");
    await person.fill(dialog.getByRole("textbox", { name: "Prompt" }), "What is new?");
    await person.fill(dialog.getByRole("textbox", { name: "In words" }), "every day at 9");
    await dialog.getByText(/^Schedule: every day at 09:00/).waitFor();
    await person.stop("filled");
    await person.press(dialog.getByRole("button", { name: "Save" }));
    await page.getByRole("button", { name: /^What is new every day at 09:00/i }).waitFor();
    await person.stop("saved");
    const { json } = await daemon.ask("GET", `/api/agents/${agent.handle}/jobs/what-is-new`);
    expect(json).toMatchObject({ prompt: "What is new?", status: "active" });
    expectEffort("daily-job", width, person);
  });

  test.each(WIDTHS)("invites a second person, who joins through the link, at %d px", async (width) => {
    const { daemon } = house;
    await using person = await arrive("invite", width);
    const { page } = person;
    await person.openSettings("Members");
    const section = page.getByRole("region", { name: "Invite links" });
    await section.waitFor();
    // Above the list of members, which can be long.
    expect((await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents())[1]).toBe("Invite links");
    await person.stop("members");
    await person.press(section.getByRole("button", { name: "Create invite link" }));
    await section.getByRole("img", { name: "QR code of the invite link" }).waitFor();
    await person.stop("link");
    const link = (await section.locator("code").textContent()) ?? "";
    await using guest = await arrive("join", width, { link, expected: /401/ });
    await guest.page.getByText("Owner invites you as a member", { exact: false }).waitFor();
    await guest.stop("offer");
    await guest.fill(guest.page.getByLabel("Your name"), `Ada ${width}`);
    await guest.fill(guest.page.getByLabel("Password"), PASSWORD);
    await guest.stop("filled");
    await guest.press(guest.page.getByRole("button", { name: "Join" }));
    await guest.page.getByRole("textbox", { name: /^Message / }).waitFor();
    await guest.stop("joined");
    await section.getByText(/^By /).first().waitFor();
    const { json } = await daemon.ask("GET", "/api/agents");
    expect(json.map(({ content }: Json) => content.name)).toContain(`Ada ${width}`);
    expect(guest.complaints).toEqual([]);
    expectEffort("invite", width, person);
    expectEffort("join", width, guest);
  });

  test.each(WIDTHS)("connects Telegram, at %d px", async (width) => {
    await using telegram = startTelegram();
    await using own = await openHouse();
    await using person = await arrive("telegram", width, { daemon: own.daemon });
    const { page } = person;
    await leadTo(page, telegram.url, ["**/api/channels", "**/api/channel-tests"]);
    await person.openSettings("Channels");
    await page.getByRole("link", { name: "Add channel" }).waitFor();
    await person.stop("channels");
    await person.press(page.getByRole("link", { name: "Add channel" }));
    await page.getByRole("radio", { name: "Telegram" }).waitFor();
    await person.stop("platform");
    await person.press(page.getByRole("button", { name: "Next" }));
    await person.fill(page.getByLabel("Bot token"), TOKEN);
    await person.stop("token");
    await person.press(page.getByRole("button", { name: "Check token" }));
    await page.getByText("Connected to @").waitFor();
    await person.stop("access");
    await person.press(page.getByRole("button", { name: "Connect" }));
    await page.getByText("Waiting for a message").first().waitFor();
    await person.stop("waiting");
    telegram.say("hello?");
    const [text = ""] = await telegram.until((texts) => texts.length === 1);
    await page.getByText("Code sent to Ana.").waitFor();
    await person.fill(page.getByLabel("Code"), /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0] ?? "");
    await person.stop("code");
    await person.press(page.getByRole("button", { name: "Approve" }));
    await person.press(page.getByRole("button", { name: "Send test message" }));
    await page.getByText("The test message was delivered").waitFor();
    await telegram.until((texts) => texts.at(-1)?.startsWith("This is a test message from Hearth.") === true);
    await person.stop("tested");
    await person.press(page.getByRole("link", { name: "Done" }));
    await page.getByText("Writes as Owner").waitFor();
    await person.stop("done");
    expect((await own.daemon.ask("GET", "/api/channels")).json).toHaveLength(1);
    expectEffort("telegram", width, person);
  });

  test.each(WIDTHS)("makes a backup and restores it, at %d px", async (width) => {
    using folder = createHome();
    await using own = await openHouse();
    const { daemon } = own;
    const expected = /401|ERR_|Failed to/;
    await using person = await arrive("backup", width, { daemon, expected });
    const { page } = person;
    await person.openSettings("Backup & storage");
    const schedule = page.getByRole("region", { name: "Backup folder" });
    await schedule.getByLabel("Path on this machine").waitFor();
    expect((await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents())[1]).toBe(
      "Backup folder",
    );
    await person.stop("backups");
    await person.fill(schedule.getByLabel("Path on this machine"), join(folder.folder, "backups"));
    await person.press(schedule.getByRole("button", { name: "Save backup folder" }));
    const backups = page.getByRole("region", { name: "Backups" });
    await person.press(backups.getByRole("button", { name: "Back up now to Folder" }));
    await backups.getByText("Backup 1", { exact: false }).waitFor();
    await person.stop("made");
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "said after the backup" });
    const restore = page.getByRole("region", { name: "Restore" });
    await person.press(restore.getByRole("button", { name: "List backups" }));
    await person.stop("listed");
    await person.press(restore.getByRole("button", { name: "Restore backup 1" }));
    await person.stop("confirm");
    // The page may show the banner before it is reloaded.
    const reloaded = page.waitForEvent("load");
    await person.press(page.getByRole("dialog").getByRole("button", { name: "Restore backup 1" }));
    await reloaded;
    await page.getByText("This house was restored from a copy and is on hold.").first().waitFor();
    await person.stop("restored");
    // The restored house has another token.
    const token = readFileSync(join(daemon.home, "run/token"), "utf8").trim();
    const ask = async (path: string): Promise<Json> =>
      (await daemon.ask("GET", path, undefined, { headers: { authorization: `Bearer ${token}` } })).json;
    await until(async () => (await ask("/api/restore")).onHold === true);
    expect(JSON.stringify(await ask("/api/rooms/main/events"))).not.toContain("said after the backup");
    expectEffort("backup", width, person);
  });
});
