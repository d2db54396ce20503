/** The house as an installed app. */
import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

inBrowser("the app", ({ visit }) => {
  test("can be installed, and its shortcuts are pages of the house", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/" });
    const { page, context } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    const session = await context.newCDPSession(page);
    const { data, errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(await session.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });

    const { icons, shortcuts, start_url } = JSON.parse(data ?? "");
    expect(start_url).toBe("/ui/");
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, `/ui/${src}`);
      if (sizes !== "any") expect(size).toBe(sizes);
    }
    for (const { name, url } of shortcuts) {
      await page.goto(`${daemon.url}${url}`);
      await page.getByRole("heading", { name }).first().waitFor();
    }
    expect(visited.complaints).toEqual([]);
  });

  test("shows that an error occurred which no code handled", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.evaluate(() => reportError(new Error("a failed promise")));
    await page.getByText("An unexpected error occurred. If something does not work, reload the page.").waitFor();
    expect(visited.complaints.join("\n")).toContain("a failed promise");
  });
});
