import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model, type Piece } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const NOTE: Piece = { tool: "write", input: { path: "notes.md", content: "# Notes\n\nFelix\u202e is a cat.\n" } };

/** Calls this tool first, and tells how that went. */
const wish = (model: Model, call: Piece): void => {
  model.answer = ({ messages }: Json) => (messages.at(-1).role === "tool" ? ["It is settled."] : [call]);
};

const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  const tools = ["write", "edit", "http_fetch"].map((tool) => `"${tool}"`).join(", ");
  const egress = "[egress]\nloopback = true\n";
  writeFileSync(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}tools = [${tools}]\nmode = "ask"\nqueue = "followup"\n${egress}`,
  );
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};

const pending = async (daemon: Daemon): Promise<readonly Json[]> =>
  (await daemon.ask("GET", "/api/approvals?state=pending")).json;

/** Makes the agent ask, and gives what it asks. */
const makeAsk = async (daemon: Daemon, text = "Note it"): Promise<Json> => {
  const before = new Set((await pending(daemon)).map(({ id }) => id));
  await daemon.ask("POST", "/api/rooms/main/messages", { text });
  let asked: Json;
  await until(async () => {
    asked = (await pending(daemon)).find(({ id }) => !before.has(id));
    return asked !== undefined;
  });
  return asked;
};

const stateOf = async (daemon: Daemon, { id }: Json): Promise<string> =>
  (await daemon.ask("GET", `/api/approvals/${id}`)).json.state;

/** From here on the page's time is the test's to put forward. */
const holdClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.reload();
};

/** What the house tells by its socket, from the next load on: as it comes, or late. */
const holdSocket = async (page: Page): Promise<{ hold(): void; letGo(): void }> => {
  let held: (() => void)[] | undefined;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const house = socket.connectToServer();
    house.onMessage((message) => (held === undefined ? socket.send(message) : held.push(() => socket.send(message))));
  });
  return {
    hold: () => void (held = []),
    letGo() {
      for (const send of held ?? []) send();
      held = undefined;
    },
  };
};

/** A person who looks for a moment, longer than what has only just come or moved is kept from the finger, and then presses. */
const pressUntil = (page: Page, press: () => Promise<void>, holds: () => Promise<boolean>): Promise<void> =>
  until(async () => {
    if (await holds()) return true;
    await page.clock.runFor(600);
    await press();
    return holds();
  });

inBrowser("a word that an agent waits for", ({ visit }) => {
  test("is given by one key in the inbox, which the room leads to, on exactly what will run", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const asked = await makeAsk(daemon);
    const card = page.getByRole("region", { name: "Main waits for your word" });
    await card.waitFor();
    expect(await card.locator("pre").textContent()).toBe(asked.display);
    await page.getByRole("link", { name: "Approvals 1 waits" }).waitFor();

    await holdClock(page);
    await card.getByRole("link", { name: "Other answers" }).click();
    const article = page.getByRole("article", { name: "Main wants to use write" });
    await article.waitFor();
    expect(await article.locator("pre").textContent()).toBe(asked.display);
    expect(asked.display).toContain("\\u{202E}");
    await article.getByText("Felix\\u{202E} is a cat.", { exact: true }).waitFor();
    await until(() => article.evaluate((element) => element === document.activeElement));
    await pressUntil(
      page,
      () => page.keyboard.press("a"),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    await article.getByText(/^You allowed this, once\./).waitFor();
    await page.clock.runFor(10_000);
    await article.waitFor({ state: "detached" });
    await page.getByText("No agent waits for your word.").waitFor();
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await inRoom(page, "It is settled.").waitFor();
    expect(await stateOf(daemon, asked)).toBe("used");
    expect(visited.complaints).toEqual([]);
  });

  test("is given by no key that was meant for a word, for another field, or is held down", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const asked = await makeAsk(daemon);
    await using visited = await visit(daemon, { path: "/ui/approvals" });
    const { page } = visited;
    await holdClock(page);
    const article = page.getByRole("article", { name: "Main wants to use write" });
    await article.waitFor();
    await page.keyboard.type("what a day, and");
    await page.keyboard.down("x");
    await page.keyboard.down("a");
    for (let count = 0; count < 20; count += 1) await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.keyboard.up("x");
    await page.keyboard.press("Control+d");
    const reason = article.getByRole("textbox", { name: "Why not (optional)" });
    await reason.fill("");
    await reason.pressSequentially("add it by hand", { delay: 5 });
    expect(await reason.inputValue()).toBe("add it by hand");
    expect(await stateOf(daemon, asked)).toBe("pending");
    await reason.press("Shift+Tab");
    await pressUntil(
      page,
      () => page.keyboard.press("d"),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    await article.getByText("You denied this. add it by hand").waitFor();
    expect((await daemon.ask("GET", `/api/approvals/${asked.id}`)).json).toMatchObject({
      state: "denied",
      reason: "add it by hand",
    });
    expect(visited.complaints).toEqual([]);
  });

  test("does not count on a call that has only just come under the finger", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/approvals" });
    const { page } = visited;
    await holdClock(page);
    await page.getByText("No agent waits for your word.").waitFor();
    // Presses the button in the very frame in which it comes.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const button = [...document.querySelectorAll("main button")].find((one) =>
          one.textContent.startsWith("Allow once"),
        );
        if (button === undefined) return;
        observer.disconnect();
        (button as HTMLElement).click();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    const asked = await makeAsk(daemon);
    await page.getByText("This has only just come or moved. Look once more, then press again.").first().waitFor();
    expect(await stateOf(daemon, asked)).toBe("pending");
    const allow = page.getByRole("button", { name: /^Allow once/ });
    await pressUntil(
      page,
      () => allow.click(),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    expect(visited.complaints).toEqual([]);
  });

  test("that was given elsewhere is told, also to who was a moment too late", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const first = await makeAsk(daemon);
    await using visited = await visit(daemon, { path: "/ui/approvals", expected: /409/ });
    const { page } = visited;
    const socket = await holdSocket(page);
    await holdClock(page);
    const article = page.getByRole("article", { name: "Main wants to use write" });
    await article.waitFor();
    expect((await daemon.hearth("approval", "deny", first.id, "--reason", "not now")).code).toBe(0);
    await article.getByText("You denied this. not now").waitFor();
    await page.clock.runFor(10_000);
    await article.waitFor({ state: "detached" });

    const second = await makeAsk(daemon, "Note it again");
    await article.waitFor();
    socket.hold();
    await page.route(`**/api/approvals/${second.id}`, async (route) => {
      if (route.request().method() === "POST")
        await daemon.ask("POST", `/api/approvals/${second.id}`, { decision: "deny", reason: "quicker" });
      else {
        // Once more, before it is known what became of the first press.
        await page.clock.runFor(600);
        await page.keyboard.press("a");
      }
      await route.continue();
    });
    await pressUntil(
      page,
      () => page.keyboard.press("a"),
      async () => (await stateOf(daemon, second)) !== "pending",
    );
    await article.getByText("Your word came too late: it was decided before, or ran out.").waitFor();
    await article.getByText("You denied this. quicker").waitFor();
    socket.letGo();
    expect(visited.complaints).toEqual([]);
  });

  test("may be a rule, which is shown as one and taken back", async () => {
    await using model = createModel();
    await using far = startFarSide();
    using home = createHome();
    wish(model, { tool: "http_fetch", input: { url: far.url } });
    await using daemon = await startHouse(home.folder, model);
    await daemon.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "127.0.0.1", port: far.port }] } });
    const asked = await makeAsk(daemon);
    const offer = asked.offers.find(({ scope }: Json) => scope === "rule");
    await using visited = await visit(daemon, { path: "/ui/approvals" });
    const { page } = visited;
    await holdClock(page);
    const button = page.getByRole("button", { name: "Allow as a rule" });
    await button.waitFor();
    await page.getByRole("listitem").filter({ has: button }).getByText(offer.text, { exact: true }).waitFor();
    await pressUntil(
      page,
      () => button.click(),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    await page.getByRole("region", { name: "Rules" }).getByText(offer.text, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("There are none: nothing passes unasked because of a word that was given.").waitFor();
    expect((await daemon.ask("GET", "/api/approval-rules")).json).toEqual([]);

    // What came from the web is told of the reply that was built from it.
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await inRoom(page, "It is settled.").waitFor();
    const badge = page.getByRole("button", { name: "Built from untrusted content" });
    await badge.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Its sources" }).getByText(far.url).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is asked for on a phone too, and axe finds nothing in either theme", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await makeAsk(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce" });
    const { page } = visited;
    for (const [path, sign] of [
      ["/ui/approvals", "Deny"],
      ["/ui/rooms/main", "Deny"],
      ["/ui/settings/agents/main", "Set its budget"],
    ] as const) {
      await page.goto(daemon.url + path);
      await page.getByRole("button", { name: sign }).first().waitFor();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 760 });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const violations = await judge(page);
          const isTooWide = await page.evaluate(() => document.body.scrollWidth > document.body.clientWidth);
          expect({ path, width, colorScheme, violations, isTooWide }).toEqual({
            ...{ path, width, colorScheme },
            violations: [],
            isTooWide: false,
          });
        }
      }
    }
    expect(visited.complaints).toEqual([]);
  });
});

const startFarSide = () => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("Buy now.\n") });
  return {
    url: `http://127.0.0.1:${server.port}/page`,
    port: server.port,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};

inBrowser("what keeps agents within bounds", ({ visit }) => {
  test("is one press and a yes away on a phone, and ended above every page", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, {
      ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      path: "/ui/rooms/main",
    });
    const { page } = visited;
    const stop = page.getByRole("button", { name: "Stop everything" });
    await stop.tap();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).tap();
    expect((await daemon.ask("GET", "/api/stops")).json).toEqual([]);
    await stop.tap();
    await page.getByRole("dialog").getByRole("button", { name: "Stop everything" }).tap();
    await page.getByText("All agents are stopped. Messages wait.").waitFor();
    expect((await daemon.ask("GET", "/api/stops")).json).toMatchObject([{ scope: "house" }]);
    expect(await stop.count()).toBe(0);
    await page.getByRole("button", { name: "Resume all" }).tap();
    await stop.waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is a budget that is set on the agent's page, and shows what is left of it", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main" });
    const { page } = visited;
    const budget = page.getByRole("region", { name: "Budget" });
    const day = budget.getByRole("textbox", { name: "A day, US dollars" });
    await day.fill("much");
    await budget.getByRole("button", { name: "Set its budget" }).click();
    await budget.getByText("Write an amount, such as 2.50.").waitFor();
    await day.fill("2.50");
    await budget.getByRole("button", { name: "Set its budget" }).click();
    await budget.getByText("2.50 USD, 0 % of it spent").waitFor();
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.budget).toEqual({ day: { money: 2_500_000 } });
    await day.fill("");
    await budget.getByRole("button", { name: "Set its budget" }).click();
    await budget.getByText("2.50 USD, 0 % of it spent").waitFor({ state: "detached" });
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.budget).toBeUndefined();
    expect(visited.complaints).toEqual([]);
  });

  test("is a new session, which a line in the room shows", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("/n");
    await page.getByText("/new begins a new session: agents read nothing of what was said before it.").waitFor();
    await composer.fill("/new");
    await composer.press("Enter");
    await inRoom(page, /^New session · you, /).waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
