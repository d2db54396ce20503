import { expect, test } from "bun:test";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

const PASSWORD = "correct horse battery";
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

/** A login link that a key created. Its login is no fresh one. */
const weakLink = async (daemon: Daemon): Promise<string> => {
  const { json } = await daemon.ask("POST", "/api/keys", { name: "links" });
  const response = await fetch(`${daemon.url}/api/login-links`, {
    method: "POST",
    headers: { authorization: `Bearer ${json.key}`, "content-type": "application/json" },
    body: "{}",
  });
  return (await response.json()).url;
};

inBrowser("a change that needs a fresh login", ({ stranger }) => {
  test("asks for the password above the form, and then makes the change with what was typed", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents/owner/password", { password: PASSWORD });
    await using visit = await stranger(daemon, { ...PHONE, expected: /40[013]/ });
    const { page, context } = visit;
    const form = { code: new URL(await weakLink(daemon)).searchParams.get("code") ?? "" };
    const headers = { origin: daemon.url };
    expect((await context.request.post(`${daemon.url}/login`, { form, headers, maxRedirects: 0 })).status()).toBe(303);
    await page.goto(`${daemon.url}/ui/settings/keys`);

    const keys = page.getByRole("main");
    const name = keys.getByLabel("Name of the new key");
    const create = keys.getByRole("button", { name: "Create API key" });
    await keys.getByRole("button", { name: "New API key" }).click();
    await name.fill("lamp");
    await create.click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Password").waitFor();
    await expectFit(page);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "confirm-360.png") });
    // A closed dialog leaves the form as it was, with the reason.
    await page.keyboard.press("Escape");
    await keys.getByText("needs a fresh login").waitFor();
    expect(await name.inputValue()).toBe("lamp");

    await create.click();
    await dialog.getByLabel("Password").fill("wrong password");
    await page.keyboard.press("Enter");
    await dialog.getByText("The password is wrong.").waitFor();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await keys.getByText("API key for lamp. It is shown only once.").waitFor();
    expect(await dialog.count()).toBe(0);
    const made = (await daemon.ask("GET", "/api/keys")).json;
    expect(made.map((key: { name: string }) => key.name)).toEqual(["links", "lamp"]);

    // The login is fresh now, so the next change asks nothing.
    await keys.getByRole("button", { name: "New API key" }).click();
    await name.fill("kettle");
    await create.click();
    await keys.getByText("API key for kettle. It is shown only once.").waitFor();
    expect(visit.complaints).toEqual([]);
  });
});
