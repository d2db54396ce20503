import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("the devices of a person", ({ visit, stranger }) => {
  test("A19: a phone is added by a code, and every other login is shown", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using desk = await visit(daemon, { path: "/ui/settings/account" });
    const section = desk.page.getByRole("region", { name: "Devices" });
    await section.getByText("No other devices").waitFor();
    // 1. The desktop shows a code.
    await section.getByRole("button", { name: "Add device" }).click();
    await section.getByRole("img", { name: "QR code of the login link" }).waitFor();
    const link = (await section.locator("code").textContent()) ?? "";
    // 2. The phone opens it. 3. A press logs it in.
    await using phone = await stranger(daemon, {
      ...PHONE,
      userAgent: "Mozilla/5.0 (iPhone) Safari/1",
      expected: /401/,
    });
    await phone.page.goto(link);
    await phone.page.getByRole("heading", { name: "Log in on this device" }).waitFor();
    await expectFit(phone.page);
    await phone.page.getByRole("button", { name: "Log in" }).click();
    await phone.page.getByRole("textbox", { name: "Message Main" }).waitFor();
    expect(phone.page.url()).not.toContain("#");
    await section.getByText("Safari on iPhone is logged in.").waitFor();

    await section.getByRole("button", { name: "Actions of Safari on iPhone" }).click();
    await section.getByRole("menuitem", { name: "Rename" }).click();
    const naming = desk.page.getByRole("dialog", { name: "Rename Safari on iPhone" });
    await naming.getByLabel("Device name").fill("Ada's phone");
    await naming.getByRole("button", { name: "Save" }).click();
    await section.getByText("Ada's phone", { exact: true }).waitFor();

    // A login elsewhere is shown on both, and ended from one of them.
    await using thief = await visit(daemon, { userAgent: "Mozilla/5.0 (X11; Linux) Firefox/1", expected: /401/ });
    await phone.page.reload();
    const alert = phone.page.getByText("New login: Firefox on Linux");
    await alert.waitFor();
    await expectFit(phone.page);
    await phone.page.getByRole("button", { name: "Log out Firefox on Linux" }).click();
    await alert.waitFor({ state: "detached" });
    await thief.page.getByRole("heading", { name: "Log in to Hearth" }).waitFor();
    await desk.page.reload();
    await desk.page.getByText("New login: Firefox on Linux").waitFor();
    await desk.page.getByRole("button", { name: "Dismiss" }).click();
    await desk.page.reload();
    await section.getByRole("button", { name: "Actions of Ada's phone" }).click();
    await section.getByRole("menuitem", { name: "Log out" }).waitFor();
    await desk.page.keyboard.press("Escape");
    expect(await desk.page.getByText("New login").count()).toBe(0);

    await section.getByRole("button", { name: "Log out all others" }).click();
    await phone.page.getByRole("heading", { name: "Log in to Hearth" }).waitFor();
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
  });
});
