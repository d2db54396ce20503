import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { addAuthenticator } from "./authenticator.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("a passkey", ({ visit, stranger }) => {
  test("is added, logs in without a password, and is renamed and removed", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const named = { url: daemon.url.replace("127.0.0.1", "localhost"), ask: daemon.ask };
    await using desk = await visit(named as typeof daemon, {
      path: "/ui/settings/account",
      ...PHONE,
      expected: /401|429/,
    });
    const { page } = desk;
    await addAuthenticator(page);
    const section = page.getByRole("region", { name: "Passkeys" });
    await section.getByText("No passkeys").waitFor();
    await section.getByRole("button", { name: "Add passkey" }).click();
    // If the house refuses, the reason is shown until the user cancels, and the next attempt begins empty.
    await page.route("**/api/passkeys/setup", (route) =>
      route.fulfill({ status: 429, json: { error: { code: "auth.limited", message: "Too many attempts." } } }),
    );
    await section.getByLabel("Passkey name").fill("Tablet");
    await section.getByRole("button", { name: "Add passkey" }).click();
    await section.getByRole("alert").waitFor();
    expect(await section.getByLabel("Passkey name").inputValue()).toBe("Tablet");
    await section.getByRole("button", { name: "Cancel" }).click();
    await page.unroute("**/api/passkeys/setup");
    await section.getByRole("button", { name: "Add passkey" }).click();
    expect([await section.getByRole("alert").count(), await section.getByLabel("Passkey name").inputValue()]).toEqual([
      0,
      "",
    ]);
    await section.getByLabel("Passkey name").fill("Phone");
    await section.getByRole("button", { name: "Add passkey" }).click();
    await section.getByRole("row", { name: /Phone .*localhost/ }).waitFor();
    await section.getByText("Never used").waitFor();
    await expectFit(page);

    const logOut = async () => {
      await page.evaluate(() => fetch("/logout", { method: "POST", redirect: "manual" }));
      await page.goto(`${named.url}/ui/settings/account`);
      await page.getByRole("heading", { name: "Log in to Hearth" }).waitFor();
    };
    const logIn = () => page.getByRole("button", { name: "Log in with a passkey" }).click();
    await logOut();
    await expectFit(page);
    await logIn();
    await section.getByRole("row", { name: /Phone .*localhost .*Last use: now/ }).waitFor();
    await section.getByRole("button", { name: "Actions of Phone" }).click();
    await section.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Passkey name").fill("Key");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await section.getByRole("button", { name: "Actions of Key" }).click();
    await section.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove 1 passkey" }).click();
    await section.getByText("No passkeys").waitFor();

    await logOut();
    await logIn();
    await page.getByText("The house does not know this passkey").waitFor();
    expect(desk.complaints).toEqual([]);
  });

  test("is not offered at an IP address, and the login page says why", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await using phone = await stranger(daemon, { path: "/ui/", ...PHONE, expected: /401/ });
    await phone.page.getByText("Passkeys do not work at an IP address").waitFor();
    await expectFit(phone.page);
    expect(await phone.page.getByRole("button", { name: "Log in with a passkey" }).count()).toBe(0);
  });
});
