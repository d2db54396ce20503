import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { isTooWide } from "./crawl.ts";
import { NOTE, wish, startHouse, makeAsk, stateOf, holdClock, pressUntil } from "./approval-house.ts";

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

inBrowser("an approval request", ({ visit }) => {
  test("ignores keys that were typed as text, meant for a field, or held down", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    const asked = await makeAsk(daemon);
    await using visited = await visit(daemon, { path: "/ui/inbox" });
    const { page } = visited;
    await holdClock(page);
    const article = page.getByRole("article", { name: "Main asks for approval: Write files" });
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
        const button = [...document.querySelectorAll("main button")].find((button) =>
          button.textContent.startsWith("Allow once"),
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
    const article = page.getByRole("article", { name: "Main asks for approval: Write files" });
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
          expect({ path, width, colorScheme, violations, isTooWide: await isTooWide(page) }).toEqual({
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

inBrowser("limits on agents", ({ visit }) => {
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
    await page.getByRole("option", { name: /^\/new Start a new session/ }).waitFor();
    await composer.fill("/new");
    await composer.press("Enter");
    await inRoom(page, /^New session · you, /).waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });
});
