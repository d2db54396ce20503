import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

inBrowser("API keys", ({ visit }) => {
  test("an owner creates a key for one room, sees its use and revokes it, on a phone", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const { json: den } = await daemon.ask("POST", "/api/rooms", { content: { name: "Den" } });
    await using visited = await visit(daemon, { path: "/ui/settings/keys", reducedMotion: "reduce" });
    const { page } = visited;
    await page.setViewportSize({ width: 390, height: 844 });

    await page.getByText("No API keys").waitFor();
    await page.getByRole("button", { name: "New API key" }).click();
    await page.getByRole("radio", { name: "Limited access" }).check();
    await page.getByLabel("Role", { exact: true }).selectOption({ label: "Viewer" });
    await page.getByLabel("Places", { exact: true }).selectOption({ label: "Selected places" });
    await page.getByLabel("Requests per minute (optional)").fill("many");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByText("Enter a name.").waitFor();
    await page.getByText("Select a place where the key is valid.").waitFor();
    await page.getByText("Enter a whole number from 1 to 100,000").waitFor();
    expect(await judge(page)).toEqual([]);
    const shots = process.env["HEARTH_SHOTS"];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/keys-form-390.png`, fullPage: true });
    await page.getByLabel("Name of the new key").fill("lamp");
    await page.getByRole("checkbox", { name: "Den", exact: true }).check();
    await page.getByRole("checkbox", { name: "Audit log" }).check();
    await page.getByLabel("Requests per minute (optional)").fill("60");
    await page.getByLabel("Expiration").selectOption({ label: "90 days" });
    await page.getByRole("button", { name: "Create API key" }).click();
    const secret = (await page.locator("code", { hasText: "hearth_" }).textContent()) ?? "";
    const row = page.getByRole("row").filter({ hasText: "lamp" });
    await row.getByText("At most viewer · Only in Den · Audit log · 60 requests per minute").waitFor();
    await row.getByText("Never used").waitFor();
    await row.getByText("expires").waitFor();

    const send = async (method: string): Promise<number> => {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const body = method === "POST" ? { body: JSON.stringify({ text: "hello" }) } : {};
      return (await fetch(`${daemon.url}/api/rooms/${den.id}/messages`, { method, headers, ...body })).status;
    };
    expect(await send("POST")).toBe(403);
    await page.reload();
    await row.getByText("Last used").waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await judge(page)).toEqual([]);
    for (const [width, colorScheme] of [
      [390, "light"],
      [1440, "dark"],
    ] as const) {
      if (shots === undefined) continue;
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/keys-${width}.png`, fullPage: true });
    }
    await page.getByRole("button", { name: "Actions of lamp" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke 1 key" }).click();
    await page.getByText("No API keys").waitFor();
    expect(await send("POST")).toBe(401);
    expect(visited.complaints).toEqual([]);
  });
});
