import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { isTooWide } from "./crawl.ts";
import { ask } from "./member-house.ts";

inBrowser("security without a terminal", ({ visit }) => {
  test("an owner finds the acts of a person, verifies and exports the log, and fixes a finding", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const { id: bob } = await ask(daemon, "POST", "/api/agents", {
      level: "r",
      content: { name: "Bob", kind: "human" },
    });
    await ask(daemon, "POST", "/api/keys", { name: "laptop" });
    await ask(daemon, "POST", "/api/chat", { agentName: "main", message: "run: echo hello" });
    await using visited = await visit(daemon, { path: "/ui/settings/audit", reducedMotion: "reduce" });
    const { page } = visited;

    // Only with the keyboard: the filter, and the row.
    const table = page.getByRole("table", { name: "Rows of the audit log" });
    await table.getByRole("button", { name: "API key “laptop”", exact: false }).waitFor();
    const person = page.getByRole("combobox", { name: "Person" });
    await person.focus();
    await page.keyboard.type("Bob");
    await table.getByRole("button", { name: "API key “laptop”", exact: false }).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("person")).toBe(bob);
    const role = table.getByRole("button", { name: "Bob is now Viewer in", exact: false });
    await role.focus();
    await page.keyboard.press("Enter");
    await table.getByText(`Bob (${bob})`).waitFor();
    await table.getByText("Seal", { exact: true }).waitFor();
    await page.reload();
    await role.waitFor();
    expect(await person.inputValue()).toBe(bob);
    await page.getByLabel("To", { exact: true }).fill("2020-01-31");
    await page.getByText("No rows match.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "API keys" });
    await table.getByRole("button", { name: "API key “laptop”", exact: false }).click();

    await page.getByRole("button", { name: "Verify log" }).click();
    await page.getByRole("status").getByText("The log is intact").waitFor();
    await page.getByText(/rows verified in [\d.]+ (?:ms|s)\./).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export log" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    const exported = lines.map((line): { readonly kind: string } => JSON.parse(line));
    expect([exported[0]?.kind, exported.at(-1)?.kind]).toEqual(["begin", "end"]);
    expect(exported.filter(({ kind }) => kind === "row").length).toBe(exported.length - 2);

    const shots = process.env["HEARTH_SHOTS"];
    for (const width of [390, 1440])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await judge(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        if (shots !== undefined)
          await page.screenshot({ path: `${shots}/audit-${width}-${colorScheme}.png`, fullPage: true });
      }

    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "System" }).click();
    const security = page.getByRole("region", { name: "Security" });
    await security.getByRole("button", { name: "Run security check" }).click();
    const fix = security.getByRole("button", { name: "Revoke key: key", exact: false });
    await fix.click();
    const dialog = page.getByRole("dialog", { name: "Revoke key?" });
    await dialog.getByText("Programs that use this key lose access at once.", { exact: false }).waitFor();
    expect(await judge(page)).toEqual([]);
    if (shots !== undefined) await page.screenshot({ path: `${shots}/fix-dialog.png` });
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await fix.waitFor({ state: "detached" });
    const keys: readonly { readonly name: string; readonly revokedAt?: number }[] = await ask(
      daemon,
      "GET",
      "/api/keys",
    );
    expect(keys.find(({ name }) => name === "laptop")?.revokedAt).toBeGreaterThan(0);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await judge(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      if (shots === undefined) continue;
      await security.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${shots}/security-${width}.png` });
    }
    expect(visited.complaints).toEqual([]);
  });
});
