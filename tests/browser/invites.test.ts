import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

const PASSWORD = "correct horse battery";

inBrowser("an invite link", ({ visit, stranger }) => {
  test("brings a guest into the room, works once, and can be revoked", async () => {
    await using model = createModel();
    model.answer = () => ["Welcome."];
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "key" });
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Garden" } });
    await using owner = await visit(daemon, { path: "/ui/settings/members", ...PHONE });
    const section = owner.page.getByRole("region", { name: "Invite links" });
    await section.getByRole("radio", { name: /Selected rooms/ }).check();
    await section.getByRole("checkbox", { name: "Garden" }).check();
    await section.getByLabel("Note").fill("for Ada");
    await section.getByRole("button", { name: "Create invite link" }).click();
    await section.getByRole("img", { name: "QR code of the invite link" }).waitFor();
    await expectFit(owner.page);
    // Without a public address, the page leads to the setting.
    await section.getByText("the link works only in browsers on the server").waitFor();
    const remote = section.getByRole("link", { name: "Set up remote access" });
    expect(await remote.getAttribute("href")).toBe("/ui/settings/system#remote-access");
    const link = (await section.locator("code").textContent()) ?? "";
    expect(link).toStartWith(`${daemon.url}/ui/invite#`);
    await remote.click();
    const target = owner.page.locator("#remote-access");
    await until(() => target.evaluate((element) => element === document.activeElement));
    await owner.page.goBack();

    await using guest = await stranger(daemon, { ...PHONE, expected: /401/ });
    const requests: string[] = [];
    guest.context.on("request", (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await guest.page.goto(link);
    await guest.page.getByText("Owner invites you as a member in Garden.").waitFor();
    await expectFit(guest.page);
    await guest.page.getByLabel("Your name").fill("Ada");
    await guest.page.getByLabel("Password").fill("short");
    await guest.page.getByRole("button", { name: "Join" }).click();
    await guest.page.getByText("Use at least 10 characters").waitFor();
    await guest.page.getByLabel("Password").fill(PASSWORD);
    await guest.page.getByRole("button", { name: "Join" }).click();
    const composer = guest.page.getByRole("textbox", { name: "Message Garden" });
    await composer.fill("Hello from Ada");
    await guest.page.getByRole("button", { name: "Send" }).click();
    await inRoom(guest.page, "Hello from Ada").waitFor();
    // Neither a request's address nor a header such as Referer contains the token.
    const token = new URL(link).hash.slice(1);
    expect(requests.filter((request) => request.includes(token))).toEqual([]);
    expect(guest.page.url()).not.toContain(token);

    await section.getByRole("cell", { name: "By Ada" }).waitFor();
    await using late = await stranger(daemon, { expected: /401|410/ });
    await late.page.goto(link);
    await late.page.getByRole("heading", { name: "This link does not work" }).waitFor();

    const rights = section.getByRole("group", { name: "The person also manages" });
    await section.getByRole("radio", { name: /Selected rooms/ }).check();
    await rights.waitFor({ state: "detached" });
    await section.getByRole("radio", { name: /The whole house/ }).check();
    await rights.getByRole("checkbox", { name: "Audit log" }).check();
    await section.getByLabel("Note").fill("for Bea");
    await section.getByRole("button", { name: "Create invite link" }).click();
    await section.getByText("Member + Audit log in the whole house", { exact: false }).waitFor();
    await expectFit(owner.page);
    // Only an open link can be revoked.
    expect(await section.getByRole("button", { name: "Actions of for Ada" }).count()).toBe(0);
    await section.getByRole("button", { name: "Actions of for Bea" }).click();
    await section.getByRole("menuitem", { name: "Revoke" }).click();
    await owner.page.getByRole("dialog").getByRole("button", { name: "Revoke 1 link" }).click();
    await section.getByRole("cell", { name: "Revoked" }).waitFor();
    // A short list has no filters, but the address may have one.
    expect(await section.getByRole("combobox", { name: "Status" }).count()).toBe(0);
    await owner.page.goto(`${new URL(owner.page.url()).origin}/ui/settings/members?invite=used`);
    await section.getByRole("row", { name: "for Ada" }).waitFor();
    expect(await section.getByRole("row", { name: "for Bea" }).count()).toBe(0);
    await section.getByRole("button", { name: "Clear filters" }).click();
    await section.getByRole("row", { name: "for Bea" }).waitFor();
    expect([...owner.complaints, ...guest.complaints, ...late.complaints]).toEqual([]);
  });
});
