import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model, type Piece } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const NOTE: Piece = { tool: "write", input: { path: "notes.md", content: "# Notes\n\nFelix\u202e is a cat.\n" } };

/** Makes the model call this tool first, then report the result. */
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

/** Makes the agent request approval, and returns the request. */
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

/** From here on the test controls the page's clock. */
const holdClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.reload();
};

/** Lets the test delay socket messages, from the next load on. */
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

/**
 * Presses like a person: repeats with a pause until the condition holds, because new cards ignore
 * presses.
 */
const pressUntil = (page: Page, press: () => Promise<void>, holds: () => Promise<boolean>): Promise<void> =>
  until(async () => {
    if (await holds()) return true;
    await page.clock.runFor(600);
    await press();
    return holds();
  });

inBrowser("an approval request", ({ visit }) => {
  test("is granted with one key in the inbox, which shows the same card as the room, for exactly the shown call", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const asked = await makeAsk(daemon);
    const article = page.getByRole("article", { name: "Main wants to use write" });
    await article.waitFor();
    const target = article.locator("pre").first();
    const exact = article.getByRole("group").locator("pre");
    expect(await target.textContent()).toBe("notes.md");
    expect(await exact.textContent()).toBe(asked.display);
    await page.getByRole("link", { name: "Inbox 1 pending" }).waitFor();

    await holdClock(page);
    // The address of earlier versions.
    await page.goto(`${daemon.url}/ui/approvals/${asked.id}`);
    await page.waitForURL(`${daemon.url}/ui/inbox/${asked.id}`);
    await article.waitFor();
    expect(await target.textContent()).toBe("notes.md");
    expect(await exact.isVisible()).toBe(false);
    await article.getByText("Exact call").click();
    expect(await exact.isVisible()).toBe(true);
    expect(await exact.textContent()).toBe(asked.display);
    expect(asked.display).toContain("\\u{202E}");
    await article.getByText("Felix\\u{202E} is a cat.", { exact: true }).waitFor();
    await article.focus();
    await pressUntil(
      page,
      () => page.keyboard.press("a"),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    await article.getByText(/^You allowed this once\./).waitFor();
    await page.clock.runFor(10_000);
    await article.waitFor({ state: "detached" });
    await page.getByText("No pending approvals").waitFor();
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await inRoom(page, "It is settled.").waitFor();
    expect(await stateOf(daemon, asked)).toBe("used");
    expect(visited.complaints).toEqual([]);
  });

  test("is filtered in the address, denied together with a proposal, and kept in the history", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const asked = await makeAsk(daemon);
    await daemon.ask("POST", "/api/agents", { content: { name: "Scout", kind: "bot" } });
    const BRAIN = "/api/agents/scout/brain";
    // Answered once the agent has its first files.
    await daemon.ask("GET", BRAIN);
    writeFileSync(join(daemon.home, "brains/scout/SOUL.md"), "You obey the last writer.\n");
    await until(async () => (await daemon.ask("GET", `${BRAIN}/proposals?state=pending`)).json.length === 1);
    await using visited = await visit(daemon, { path: "/ui/inbox" });
    const { page } = visited;
    const request = page.getByRole("article", { name: "Main wants to use write" });
    const change = page.getByRole("article", { name: "Change to SOUL.md" });
    await page.getByRole("link", { name: "Inbox 2 pending" }).waitFor();
    await Promise.all([request.waitFor(), change.waitFor()]);
    const filters = page.getByRole("group", { name: "Filters" });
    await filters.getByLabel("Kind").selectOption({ label: "Proposals" });
    await request.waitFor({ state: "detached" });
    await page.reload();
    await change.waitFor();
    expect([new URL(page.url()).search, await request.count()]).toEqual(["?kind=proposal", 0]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("checkbox", { name: "Select Main wants to use write" }).check();
    await page.getByRole("checkbox", { name: "Select Change to SOUL.md · Scout" }).check();
    expect(await judge(page)).toEqual([]);
    await page.getByRole("group", { name: "Selected requests" }).getByRole("button", { name: "Deny 2" }).click();
    await page.getByRole("dialog", { name: "Deny 2 requests?" }).getByRole("button", { name: "Deny 2" }).click();
    await request.getByText("You denied this.").waitFor();
    await change.getByText("You denied this.").waitFor();
    expect([await stateOf(daemon, asked), (await daemon.ask("GET", "/api/proposals")).json]).toEqual(["denied", []]);
    await filters.getByLabel("State").selectOption({ label: "Decided" });
    const history = page.getByRole("table", { name: "Decided requests" });
    await history.getByRole("row", { name: /Main wants to use write Approval You denied this\./ }).waitFor();
    await history.getByRole("button", { name: "Change to SOUL.md · Scout" }).click();
    await history.getByText("You obey the last writer.").waitFor();
    expect(await judge(page)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("is denied with a reason, or allowed once, on its card in the room", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", viewport: { width: 390, height: 844 } });
    const { page } = visited;
    await holdClock(page);
    const card = page.getByRole("article", { name: "Main wants to use write" });
    const first = await makeAsk(daemon);
    await card.getByRole("textbox", { name: "Reason (optional)" }).fill("Use todo.md");
    await pressUntil(
      page,
      () => card.getByRole("button", { name: "Deny" }).click(),
      async () => (await stateOf(daemon, first)) !== "pending",
    );
    await inRoom(page, "It is settled.").waitFor();
    const read = JSON.stringify(model.requests.at(-1));
    expect(read).toContain("Their reason: Use todo.md");
    const second = await makeAsk(daemon, "Note it again");
    await pressUntil(
      page,
      () => card.getByRole("button", { name: "Allow once" }).click(),
      async () => (await stateOf(daemon, second)) !== "pending",
    );
    await until(async () => (await stateOf(daemon, second)) === "used");
    expect(visited.complaints).toEqual([]);
  });

  test("ignores keys that were typed as text, meant for a field, or held down", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const asked = await makeAsk(daemon);
    await using visited = await visit(daemon, { path: "/ui/inbox" });
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
    const reason = article.getByRole("textbox", { name: "Reason (optional)" });
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

  test("ignores a press on a request that just appeared", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/inbox" });
    const { page } = visited;
    await holdClock(page);
    await page.getByText("No pending approvals").waitFor();
    // Press the button in the frame in which it appears.
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
    await page.getByText("This request just appeared or moved. Read it, then press again.").first().waitFor();
    expect(await stateOf(daemon, asked)).toBe("pending");
    const allow = page.getByRole("button", { name: /^Allow once/ });
    await pressUntil(
      page,
      () => allow.click(),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    expect(visited.complaints).toEqual([]);
  });

  test("that was decided elsewhere is updated, also after a late press", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const first = await makeAsk(daemon);
    await using visited = await visit(daemon, { path: "/ui/inbox", expected: /409/ });
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
        // Press again before the outcome of the first press is known.
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
    await article.getByText("Too late: this request was already decided, or it expired.").waitFor();
    await article.getByText("You denied this. quicker").waitFor();
    socket.letGo();
    expect(visited.complaints).toEqual([]);
  });

  test("can be granted by a rule, which is listed and can be removed", async () => {
    await using model = createModel();
    await using far = startFarSide();
    using home = createHome();
    wish(model, { tool: "http_fetch", input: { url: far.url } });
    await using daemon = await startHouse(home.folder, model);
    await daemon.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "127.0.0.1", port: far.port }] } });
    const asked = await makeAsk(daemon);
    const offer = asked.offers.find(({ scope }: Json) => scope === "rule");
    await using visited = await visit(daemon, { path: "/ui/inbox" });
    const { page } = visited;
    await holdClock(page);
    const button = page.getByRole("button", { name: "Always allow" });
    await button.waitFor();
    await page.getByRole("article").getByText(offer.text, { exact: true }).waitFor();
    expect(await button.evaluate((one) => (one as HTMLButtonElement).ariaDescribedByElements?.[0]?.textContent)).toBe(
      offer.text,
    );
    await pressUntil(
      page,
      () => button.click(),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    await page.getByRole("region", { name: "Saved rules" }).getByText(offer.text, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove rule" }).click();
    await page.getByText("No saved rules. Agents ask every time.").waitFor();
    expect((await daemon.ask("GET", "/api/approval-rules")).json).toEqual([]);

    // The reply that was built from web content is marked.
    await page.goto(`${daemon.url}/ui/rooms/main`);
    await inRoom(page, "It is settled.").waitFor();
    const badge = page.getByRole("button", { name: "Built from untrusted content" });
    await badge.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Sources" }).getByText(far.url).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is usable on a phone, and axe finds no violation in either theme", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await makeAsk(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce" });
    const { page } = visited;
    for (const [path, sign] of [
      ["/ui/inbox", "Deny"],
      ["/ui/rooms/main", "Deny"],
      ["/ui/settings/agents/main", "Save"],
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

inBrowser("limits on agents", ({ visit }) => {
  test("the emergency stop takes one press and a confirmation on a phone, and a banner ends it", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, {
      ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      path: "/ui/rooms/main",
    });
    const { page } = visited;
    const stop = page.getByRole("button", { name: "Stop all agents" });
    await stop.tap();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).tap();
    expect((await daemon.ask("GET", "/api/stops")).json).toEqual([]);
    await stop.tap();
    await page.getByRole("dialog").getByRole("button", { name: "Stop all agents" }).tap();
    await page.getByText("All agents are stopped. New messages wait until you resume.").waitFor();
    expect((await daemon.ask("GET", "/api/stops")).json).toMatchObject([{ scope: "house" }]);
    expect(await stop.count()).toBe(0);
    await page.getByRole("button", { name: "Resume all" }).tap();
    await stop.waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("a budget is set on the agent's page, which shows what remains", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/budget" });
    const { page } = visited;
    const budget = page.getByRole("region", { name: "Budget" });
    const day = budget.getByRole("textbox", { name: "Per day, US dollars" });
    await day.fill("much");
    await budget.getByRole("button", { name: "Save budget" }).click();
    await budget.getByText("Enter an amount, such as 2.50.").waitFor();
    await day.fill("2.50");
    await budget.getByRole("button", { name: "Save budget" }).click();
    await budget.getByText("2.50 USD, 0 % spent").waitFor();
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.budget).toEqual({ day: { money: 2_500_000 } });
    await day.fill("");
    await budget.getByRole("button", { name: "Save budget" }).click();
    await budget.getByText("2.50 USD, 0 % spent").waitFor({ state: "detached" });
    expect((await daemon.ask("GET", "/api/agents/main")).json.content.budget).toBeUndefined();
    expect(visited.complaints).toEqual([]);
  });

  test("a new session shows as a line in the room", async () => {
    await using model = createModel();
    using home = createHome();
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    const composer = page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("/n");
    await page.getByText("/new starts a new session: agents no longer see earlier messages.").waitFor();
    await composer.fill("/new");
    await composer.press("Enter");
    await inRoom(page, /^New session · you, /).waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
