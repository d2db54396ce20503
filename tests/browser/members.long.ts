import { expect, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";
import { PASSWORD, ask, logIn } from "./member-house.ts";

inBrowser("a person whose role changes", ({ visit }) => {
  test("cannot be removed as the last admin, with an explanation", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using owner = await visit(daemon, { path: "/ui/settings/members", expected: /409/ });
    const { page } = owner;
    await page.getByRole("combobox", { name: "Role of Owner" }).selectOption({ label: "Member" });
    await page.getByRole("dialog").getByRole("button", { name: "Give up role" }).click();
    await page.getByText("Owner is the only admin of this house.").waitFor();
    await until(async () => (await page.getByRole("combobox", { name: "Role of Owner" }).inputValue()) === "x");
    expect(owner.complaints).toEqual([]);
  });
});

inBrowser("the list of roles", ({ visit }) => {
  test("follows changes from another browser, including new members", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await ask(daemon, "POST", "/api/agents", { level: "none", content: { name: "Bob", kind: "human" } });
    await using desk = await visit(daemon, { path: "/ui/settings/members" });
    await using office = await visit(daemon, { path: "/ui/settings/members" });
    const bobs = ({ page }: typeof desk) => page.getByRole("combobox", { name: "Role of Bob" });
    await office.page.getByRole("combobox", { name: "Role of Owner" }).waitFor();
    expect(await bobs(office).count()).toBe(0);
    await desk.page.getByRole("combobox", { name: "Person or agent" }).selectOption({ label: "Bob" });
    await desk.page.getByRole("button", { name: "Grant access", exact: true }).click();
    await until(async () => (await bobs(office).count()) === 1 && (await bobs(office).inputValue()) === "r");
    await bobs(desk).selectOption({ label: "Member" });
    await until(async () => (await bobs(office).inputValue()) === "w");
    await bobs(desk).selectOption({ label: "Remove access" });
    await bobs(office).waitFor({ state: "detached" });
    await ask(daemon, "POST", "/api/agents", { level: "r", content: { name: "Cy", kind: "human" } });
    await office.page.getByRole("combobox", { name: "Role of Cy" }).waitFor();
    expect([...desk.complaints, ...office.complaints]).toEqual([]);
  });
});

inBrowser("a session that is ended elsewhere", ({ visit, stranger }) => {
  test("shows a notice immediately, and keeps the draft", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await ask(daemon, "POST", "/api/agents/owner/password", { password: PASSWORD });
    await using phone = await stranger(daemon, { path: "/ui/rooms/main", expected: /401|WebSocket/ });
    await logIn(phone.page, "owner");
    const composer = phone.page.getByRole("textbox", { name: "Message Main" });
    await composer.fill("half a thought");

    await using desk = await visit(daemon, { path: "/ui/settings/account" });
    const { page } = desk;
    await page.getByText("This device").waitFor();
    await page.getByRole("button", { name: "Log out all others" }).click();
    await phone.page.getByText("Your session ended. Log in again to continue. Your drafts are kept.").waitFor();
    await page.getByText("No other devices").waitFor();

    await logIn(phone.page, "owner");
    await until(async () => (await composer.inputValue()) === "half a thought");
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
  });
});

inBrowser("a person with several houses", ({ stranger }) => {
  test("sees a room of another house as soon as it becomes accessible, with its messages", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const annex = await ask(daemon, "POST", "/api/houses", { content: { name: "Annex", welcomedAt: 1 } });
    const person = { house: annex.id, content: { name: "Bea", kind: "human" } };
    const bea = await ask(daemon, "POST", "/api/agents", person);
    await ask(daemon, "POST", `/api/agents/${bea.id}/password`, { password: PASSWORD });
    const kitchen = await ask(daemon, "POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using guest = await stranger(daemon, { path: "/ui/settings/account", expected: /401/ });
    const { page } = guest;
    await logIn(page, "bea");
    const rooms = page.getByRole("navigation", { name: "Chats" });
    await rooms.waitFor();
    const chooser = page.getByRole("combobox", { name: "House" });
    expect(await chooser.count()).toBe(0);

    await ask(daemon, "PUT", `/api/rooms/${kitchen.id}/grants/${bea.id}`, { level: "r" });
    await chooser.selectOption({ label: "home" });
    await rooms.getByRole("link", { name: "Kitchen" }).click();
    await page.getByText("You have read access only.").waitFor();
    await ask(daemon, "POST", "/api/rooms/kitchen/messages", { text: "Come in." });
    await inRoom(page, "Come in.").waitFor();
    expect(guest.complaints).toEqual([]);
  });
});
