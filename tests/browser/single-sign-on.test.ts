/** Logins through the login page of a real OpenID Connect provider on this machine. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT, startProvider, type TestProvider } from "@hearth/testing/oidc";
import type { Page } from "playwright-core";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: "reduce",
} as const;
const DESK = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;
/** Answers 401 before the login; the requests of the provider's own page, whose font is on another site. */
const EXPECTED = /401|ERR_FAILED|^foreign: http:\/\/127\.0\.0\.1:|^foreign: https:\/\/fonts\.googleapis\.com\//;

let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider({
    ada: { name: "Ada Vidal", email: "ada@example.org" },
    ben: { name: "Ben", email: "ben@example.org" },
  });
});
afterAll(() => provider[Symbol.asyncDispose]());

const createConfiguredHome = (more = "") => {
  const home = createHome();
  writeFileSync(
    join(home.folder, "hearth.toml"),
    `version = 1\n[login.oidc.acme]\nissuer = "${provider.issuer}"\nclient_id = "${CLIENT.id}"\nclient_secret = "env:OIDC"\nlabel = "Example"\n${more}`,
  );
  return home;
};
const ENVIRONMENT = { OIDC: CLIENT.secret };

/** Fills the provider's login page, and confirms its question. */
const logInAtProvider = async (page: Page, login: string): Promise<void> => {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
};

const stayHere = (page: Page) => page.context().route("https://fonts.googleapis.com/**", (route) => route.abort());

/** Keeps a picture for a person who looks at this journey. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["HEARTH_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

inBrowser("single sign-on", ({ visit, stranger }) => {
  test("an account is linked, logs in with a button, and is unlinked", async () => {
    using home = createConfiguredHome();
    await using daemon = await startDaemon(home.folder, ENVIRONMENT);
    await welcome(daemon);
    await using desk = await visit(daemon, { path: "/ui/settings/account", ...PHONE, expected: EXPECTED });
    const { page } = desk;
    await stayHere(page);
    const section = page.getByRole("region", { name: "Linked accounts" });
    await section.getByText("No linked accounts").waitFor();
    await section.getByRole("button", { name: "Link account at Example" }).click();
    await section.getByText("Example opens in this window").waitFor();
    await expectFit(page);
    await section.scrollIntoViewIfNeeded();
    await picture(page, "link-390");
    await section.getByRole("button", { name: "Continue" }).click();
    await logInAtProvider(page, "ada");
    await section.getByText("ada@example.org").waitFor();
    expect(new URL(page.url()).pathname).toBe("/ui/settings/account");
    await section.getByText("Never used").waitFor();
    await expectFit(page);
    await picture(page, "linked-390");

    await page.evaluate(() => fetch("/logout", { method: "POST", redirect: "manual" }));
    await page.goto(`${daemon.url}/ui/settings/account`);
    const button = page.getByRole("button", { name: "Log in with Example" });
    await button.waitFor();
    await expectFit(page);
    await picture(page, "login-390");
    await button.click();
    await page.waitForURL(`${daemon.url}/ui/settings/account`);
    await section.getByText("Last login").waitFor();

    // SSO is no fresh login, so unlinking is refused until the person proves who they are.
    await section.getByRole("button", { name: "Unlink ada@example.org" }).click();
    await section.getByRole("button", { name: "Unlink", exact: true }).click();
    await section.getByText("needs a fresh login").waitFor();
    await picture(page, "unlink-refused-390");
    expect(desk.complaints.filter((text) => !text.includes("403"))).toEqual([]);

    const list = await daemon.hearth("identity", "list", "--json");
    const [identity] = JSON.parse(list.stdout);
    expect(identity).toMatchObject({ provider: "acme", account: "ada@example.org" });
    const alone = await daemon.hearth("identity", "unlink", identity.id);
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining("your only way to log in")]);
    await daemon.ask("POST", "/api/agents/owner/password", { password: "correct horse battery" });
    const unlinked = await daemon.hearth("identity", "unlink", identity.id);
    expect([unlinked.code, unlinked.stdout]).toEqual([0, "Unlinked ada@example.org at acme from @owner\n"]);
    expect((await daemon.hearth("identity", "list")).stderr).toContain("No linked accounts");
  });

  test("a stranger is refused on a page that says why", async () => {
    using home = createConfiguredHome();
    await using daemon = await startDaemon(home.folder, ENVIRONMENT);
    await using desk = await stranger(daemon, { path: "/ui/", ...DESK, expected: /401|400|ERR_FAILED|^foreign: / });
    const { page } = desk;
    await stayHere(page);
    await page.getByRole("button", { name: "Log in with Example" }).waitFor();
    await expectFit(page);
    await picture(page, "login-1440");
    await page.getByRole("button", { name: "Log in with Example" }).click();
    await logInAtProvider(page, "ben");
    await page.getByText("No person of this house is linked to this account").waitFor();
    await expectFit(page);
    await picture(page, "refused-1440");
    expect((await page.context().cookies(daemon.url)).map(({ name }) => name)).not.toContain("hearth_session");
    const checked = await daemon.hearth("identity", "test", "acme");
    expect([checked.code, checked.stdout]).toEqual([0, `${provider.issuer} answers, and its settings are complete.\n`]);
    expect(desk.complaints).toEqual([]);
  });

  test("a new person gets an account at the first login if the house says so", async () => {
    using home = createConfiguredHome('create_accounts = true\nlevel = "w"\n');
    await using daemon = await startDaemon(home.folder, ENVIRONMENT);
    await welcome(daemon);
    await using desk = await stranger(daemon, { path: "/ui/", ...DESK, expected: EXPECTED });
    const { page } = desk;
    await stayHere(page);
    await page.getByRole("button", { name: "Log in with Example" }).click();
    await logInAtProvider(page, "ada");
    await page.getByRole("link", { name: "Ada Vidal Account" }).waitFor();
    await page.goto(`${daemon.url}/ui/settings/account`);
    await page.getByRole("region", { name: "Linked accounts" }).getByText("ada@example.org").waitFor();
    await picture(page, "account-1440");
    expect(desk.complaints).toEqual([]);
  });
});
