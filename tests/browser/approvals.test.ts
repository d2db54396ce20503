import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { expectFit } from "./phone.ts";
import { NOTE, wish, startHouse, makeAsk, stateOf, holdClock, pressUntil } from "./approval-house.ts";

const NARROW = { width: 360, height: 740 };

inBrowser("an approval request", ({ visit }) => {
  test("is granted with one key in the inbox, which shows the same card as the room, for exactly the shown call", async () => {
    await using model = createModel();
    using home = createHome();
    wish(model, NOTE);
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const asked = await makeAsk(daemon);
    const article = page.getByRole("article", { name: "Main asks for approval: Write files" });
    await article.waitFor();
    const target = article.locator("pre").first();
    const exact = article.getByRole("group").locator("pre");
    expect(await target.textContent()).toBe("notes.md");
    expect(await exact.textContent()).toBe(asked.display);
    await page.getByRole("link", { name: "Inbox 1 pending" }).waitFor();
    await page.setViewportSize(NARROW);
    await expectFit(page);

    await holdClock(page);
    // The address of earlier versions.
    await page.goto(`${daemon.url}/ui/approvals/${asked.id}`);
    await page.waitForURL(`${daemon.url}/ui/inbox/${asked.id}`);
    await article.waitFor();
    expect(await target.textContent()).toBe("notes.md");
    expect(await exact.isVisible()).toBe(false);
    await article.getByText("Exact call", { exact: true }).click();
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
    await using visited = await visit(daemon, { path: "/ui/inbox", reducedMotion: "reduce" });
    const { page } = visited;
    const request = page.getByRole("article", { name: "Main asks for approval: Write files" });
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
    await request.waitFor();
    await page.setViewportSize(NARROW);
    await expectFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("checkbox", { name: "Select Main asks for approval: Write files" }).check();
    await page.getByRole("checkbox", { name: "Select Change to SOUL.md · Scout" }).check();
    expect(await judge(page)).toEqual([]);
    await page.getByRole("group", { name: "Selected requests" }).getByRole("button", { name: "Deny 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Deny 2 requests?" });
    await dialog.getByLabel("Reason (optional)").fill("Ask me on Monday");
    await dialog.getByRole("button", { name: "Deny 2" }).click();
    await request.getByText("You denied this.").waitFor();
    await change.getByText("You denied this.").waitFor();
    expect([await stateOf(daemon, asked), (await daemon.ask("GET", "/api/proposals")).json]).toEqual(["denied", []]);
    expect((await daemon.ask("GET", `/api/approvals/${asked.id}`)).json.reason).toBe("Ask me on Monday");
    await filters.getByLabel("Status").selectOption({ label: "Decided" });
    const history = page.getByRole("table", { name: "Decided requests" });
    await history
      .getByRole("row", { name: /Main asks for approval: Write files Approval You denied this\./ })
      .waitFor();
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
    const card = page.getByRole("article", { name: "Main asks for approval: Write files" });
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
    // The card describes the scope, and its details have the exact text of the house.
    const scope = "Only this exact call, in every room, until you remove the rule.";
    await page.getByRole("article").getByText(scope, { exact: true }).waitFor();
    expect(
      await button.evaluate((element) => (element as HTMLButtonElement).ariaDescribedByElements?.[0]?.textContent),
    ).toBe(scope);
    await page.getByText("Exact call", { exact: true }).click();
    await page.getByRole("article").getByText(offer.text, { exact: true }).waitFor();
    await pressUntil(
      page,
      () => button.click(),
      async () => (await stateOf(daemon, asked)) !== "pending",
    );
    const rules = page.getByRole("region", { name: "Saved rules" });
    await rules.getByText("Main may do this without approval: Read web pages.").waitFor();
    await rules.getByRole("definition").getByText(far.url, { exact: true }).waitFor();
    await rules.getByText("In every room. Nothing else may differ.").waitFor();
    await rules.getByText("Exact rule").click();
    await rules.getByText(offer.text, { exact: true }).waitFor();
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
    await page.getByRole("link", { name: `View in run: ${far.url}` }).click();
    const source = page.getByRole("region", { name: "Sources" }).getByRole("listitem").filter({ hasText: far.url });
    await until(() => source.evaluate((element) => element === document.activeElement));
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
});
