import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("an agent that changes", ({ visit }) => {
  // The path contains the old handle, which the page must not report as missing.
  test("a rename elsewhere does not close an open room", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/kitchen", expected: /404/ });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Kitchen" }).fill("half a thought");
    await daemon.ask("PATCH", "/api/rooms/kitchen", { content: { name: "Pantry" } });
    await page.getByRole("link", { name: /Pantry/ }).waitFor();
    const shown = page.getByRole("textbox", { name: "Message Pantry" }).or(page.getByText("half a thought"));
    expect(await shown.count()).toBe(1);
  });
});
