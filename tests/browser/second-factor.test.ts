import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { totp } from "../journeys/totp.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

const PASSWORD = "correct horse battery";

inBrowser("a second factor", ({ visit, stranger }) => {
  test("is set up with an app, asked for at the next login, and turned off after it", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents/owner/password", { password: PASSWORD });
    await using desk = await visit(daemon, { path: "/ui/settings/account" });
    const section = desk.page.getByRole("region", { name: "Second factor" });
    await section.getByText("The second factor is off.").waitFor();
    const current = section.getByLabel("Current password");
    if (await current.isVisible()) await current.fill(PASSWORD);
    await section.getByRole("button", { name: "Set up second factor" }).click();
    await section.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
    const secret = (await section.locator("code").textContent()) ?? "";
    await section.getByLabel("Code", { exact: true }).fill(totp(secret));
    await section.getByRole("button", { name: "Turn on second factor" }).click();
    await section.getByText("10 recovery codes left").waitFor();
    const [recoveryCode = ""] = ((await section.locator("code").textContent()) ?? "").split("\n");

    await using phone = await stranger(daemon, { ...PHONE, expected: /40[01]/ });
    const logIn = async (code: string) => {
      await phone.page.goto(`${daemon.url}/ui/`);
      await phone.page.getByLabel("Name").fill("owner");
      await phone.page.getByLabel("Password").fill(PASSWORD);
      await phone.page.getByRole("button", { name: "Log in", exact: true }).click();
      await phone.page.getByRole("heading", { name: "Enter your code" }).waitFor();
      await expectFit(phone.page);
      await phone.page.getByLabel("Code").fill(code);
      await phone.page.getByRole("button", { name: "Log in" }).click();
    };
    await logIn("000000");
    await phone.page.getByText("The code is wrong").waitFor();
    await phone.page.getByLabel("Code").fill(recoveryCode);
    await phone.page.getByRole("button", { name: "Log in" }).click();
    await phone.page.getByRole("textbox", { name: "Message Main" }).waitFor();

    // A session that began without a code cannot turn it off; the one of the phone can.
    const turnOff = async (page: typeof desk.page) => {
      await page.getByRole("button", { name: "Turn off second factor" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    };
    await turnOff(desk.page);
    await section.getByText("needs a login with a code").waitFor();
    await phone.page.goto(`${daemon.url}/ui/settings/account`);
    await phone.page.getByText("9 recovery codes left").waitFor();
    await expectFit(phone.page);
    await turnOff(phone.page);
    await phone.page.getByRole("status").getByText("The second factor is off.").waitFor();
    expect(phone.complaints).toEqual([]);
  });
});
