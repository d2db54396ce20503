import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { startTelegram, TOKEN } from "../journeys/telegram-server.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

/** Leads the requests that name the platform to the fake one. */
const leadTo = async (page: Page, url: string): Promise<void> => {
  for (const path of ["**/api/channels", "**/api/channel-tests"])
    await page.route(path, async (route) => {
      const body: unknown = route.request().postDataJSON();
      await route.continue(body === null ? {} : { postData: JSON.stringify({ ...(body as object), baseUrl: url }) });
    });
};

const shots = process.env["HEARTH_SHOTS"];

inBrowser("the wizard for channels", ({ visit }) => {
  test("refuses wrong tokens, continues after a reload, and has no axe violation", async () => {
    using home = createHome();
    await using telegram = startTelegram();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const viewport = { width: 390, height: 844 };
    await using visited = await visit(daemon, { path: "/ui/settings/channels", viewport, reducedMotion: "reduce" });
    const { page } = visited;
    await leadTo(page, telegram.url);
    const expectFine = async (step: string): Promise<void> => {
      expect({ step, isTooWide: await isTooWide(page), violations: await judge(page) }).toEqual({
        ...{ step, isTooWide: false, violations: [] },
      });
      if (shots !== undefined) await page.screenshot({ path: `${shots}/wizard-${step}.png`, fullPage: true });
    };

    await page.getByRole("link", { name: "Add channel" }).click();
    await page.getByRole("radio", { name: "Telegram" }).waitFor();
    await expectFine("platform");
    await page.getByRole("button", { name: "Next" }).click();

    await page.getByText("write /newbot to @BotFather").waitFor();
    await page.getByLabel("Bot token").fill("no token");
    await page.getByRole("button", { name: "Check token" }).click();
    await page.getByText("A bot token consists of a number").waitFor();
    await page.getByLabel("Bot token").fill("4242:of-another-bot");
    await page.getByRole("button", { name: "Check token" }).click();
    await page.getByText("Telegram does not accept this token").waitFor();
    await expectFine("token");
    expect((await daemon.ask("GET", "/api/channels")).json).toEqual([]);
    await page.getByLabel("Bot token").fill(TOKEN);
    await page.getByLabel("Bot token").press("Enter");

    await page.getByText("Connected to @").waitFor();
    await page.getByRole("radio", { name: "People with a code" }).waitFor();
    await page.getByRole("checkbox", { name: "Ignore groups" }).check();
    await expectFine("access");
    await page.getByRole("button", { name: "Connect" }).click();

    await page.getByText("Waiting for a message").first().waitFor();
    const config = await readFile(join(home.folder, "hearth.toml"), "utf8");
    expect(config).toContain("direct_only = true");
    expect(config).not.toContain(TOKEN);
    // A reload continues with the pairing.
    await page.reload();
    telegram.say("hello?");
    const [text = ""] = await telegram.until((texts) => texts.length === 1);
    await page.getByText("Code sent to Ana.").waitFor();
    await expectFine("pairing");
    await page.getByLabel("Code").fill(/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0] ?? "");
    await page.getByRole("button", { name: "Approve" }).click();

    await page.getByRole("button", { name: "Send test message" }).click();
    await page.getByText("The test message was delivered").waitFor();
    await telegram.until((texts) => texts.at(-1)?.startsWith("This is a test message from Hearth.") === true);
    await expectFine("test");
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByText("Writes as Owner").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
