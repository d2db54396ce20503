/** Logins through the login page of a real OpenID Connect provider on this machine. */
import { expect, test } from "bun:test";
import { startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";
import {
  EXPECTED,
  createConfiguredHome,
  ENVIRONMENT,
  logInAtProvider,
  stayHere,
  picture,
  useProvider,
} from "./sign-on-house.ts";

const DESK = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;

const provider = useProvider();

inBrowser("single sign-on", ({ stranger }) => {
  test("a stranger is refused on a page that says why", async () => {
    using home = createConfiguredHome(provider());
    await using daemon = await startDaemon(home.folder, ENVIRONMENT);
    await using desk = await stranger(daemon, { path: "/ui/", ...DESK, expected: /401|400|ERR_FAILED|^foreign: / });
    const { page } = desk;
    await stayHere(page);
    await page.getByRole("button", { name: "Log in with Example" }).waitFor();
    await expectFit(page);
    await picture(page, "login-1440");
    await page.getByRole("button", { name: "Log in with Example" }).click();
    await logInAtProvider(page, provider(), "ben");
    await page.getByText("No person of this house is linked to this account").waitFor();
    await expectFit(page);
    await picture(page, "refused-1440");
    expect((await page.context().cookies(daemon.url)).map(({ name }) => name)).not.toContain("hearth_session");
    const checked = await daemon.hearth("identity", "test", "acme");
    expect([checked.code, checked.stdout]).toEqual([
      0,
      `${provider().issuer} answers, and its settings are complete.\n`,
    ]);
    expect(desk.complaints).toEqual([]);
  });

  test("a new person gets an account at the first login if the house says so", async () => {
    using home = createConfiguredHome(provider(), 'create_accounts = true\nlevel = "w"\n');
    await using daemon = await startDaemon(home.folder, ENVIRONMENT);
    await welcome(daemon);
    await using desk = await stranger(daemon, { path: "/ui/", ...DESK, expected: EXPECTED });
    const { page } = desk;
    await stayHere(page);
    await page.getByRole("button", { name: "Log in with Example" }).click();
    await logInAtProvider(page, provider(), "ada");
    await page.getByRole("link", { name: "Ada Vidal Account" }).waitFor();
    await page.goto(`${daemon.url}/ui/settings/account`);
    await page.getByRole("region", { name: "Linked accounts" }).getByText("ada@example.org").waitFor();
    await picture(page, "account-1440");
    expect(desk.complaints).toEqual([]);
  });
});
