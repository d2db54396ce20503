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

const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: "reduce",
} as const;

const provider = useProvider();

inBrowser("single sign-on", ({ visit }) => {
  test("an account is linked, logs in with a button, and is unlinked", async () => {
    using home = createConfiguredHome(provider());
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
    await logInAtProvider(page, provider(), "ada");
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
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("link", { name: "Log in with Example" }).waitFor();
    await expectFit(page);
    await picture(page, "unlink-confirm-390");
    await dialog.getByRole("button", { name: "Close" }).click();
    await section.getByText("needs a fresh login").waitFor();

    // After a new login in another tab, the change is made; it is refused because it is the only login.
    await section.getByRole("button", { name: "Unlink", exact: true }).click();
    const [tab] = await Promise.all([
      desk.context.waitForEvent("page"),
      dialog.getByRole("link", { name: "Log in with Example" }).click(),
    ]);
    await tab.getByPlaceholder("Enter any login").fill("ada");
    await tab.getByPlaceholder("and password").fill("x");
    await tab.getByRole("button", { name: "Sign-in" }).click();
    await tab.waitForURL(`${daemon.url}/ui/**`);
    await tab.close();
    await dialog.getByRole("button", { name: "Continue after login" }).click();
    await section.getByText("This account is your only way to log in.").waitFor();
    await picture(page, "unlink-refused-390");
    expect(desk.complaints.filter((text) => !/\b40[03]\b/.test(text))).toEqual([]);

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
});
