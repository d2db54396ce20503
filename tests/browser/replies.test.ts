/** How replies look: footnotes and images. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Both widths and themes have to fit and be accessible. */
const examine = async (page: Page, name: string): Promise<void> => {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expectFit(page);
    await page.emulateMedia({ colorScheme });
    if (SHOTS === undefined) continue;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
  }
};

const startWith = async (home: string, model: Model, reply: string): Promise<Daemon> => {
  model.answer = () => [reply];
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "k" });
  await welcome(daemon);
  await daemon.hearth("chat", "-m", "go on");
  return daemon;
};

inBrowser("a reply", ({ visit }) => {
  test("with footnotes shows their numbers, and leads from a mark to its footnote and back", async () => {
    using home = createHome();
    await using model = createModel();
    const reply =
      "The Rhine is 1,233 km long[^length] and ends in the North Sea[^end].\n\n" +
      "[^length]: Measured again in 2010, see https://example.org/rhine.\n[^end]: At *Hoek van Holland*.";
    await using daemon = await startWith(home.folder, model, reply);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const notes = page.getByRole("region", { name: "Footnotes" });
    const mark = page.getByRole("button", { name: "Footnote 2", exact: true });
    await mark.click();
    const second = notes.getByRole("listitem").nth(1);
    await until(() => second.evaluate((element) => element === document.activeElement));
    expect(await second.textContent()).toContain("At Hoek van Holland.");
    await notes.getByRole("button", { name: "Back to the text of footnote 2" }).press("Enter");
    await until(() => mark.evaluate((element) => element === document.activeElement));
    await examine(page, "footnotes");
    expect(visited.complaints).toEqual([]);
  });

  test("A52: an image of another host loads nothing and has a link; an attached picture is shown", async () => {
    using home = createHome();
    await using model = createModel();
    const image = "https://images.example/cat.png?told=everything";
    await using daemon = await startWith(home.folder, model, `A cat:\n\n![a *cat*](${image})`);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const link = page.getByRole("link", { name: "Open image in new tab" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(image);
    expect(await link.getAttribute("referrerpolicy")).toBe("no-referrer");
    await page.getByText("Image: a *cat*").waitFor();
    await page.getByText("(images.example)").waitFor();
    expect(await page.locator("article img").count()).toBe(0);

    model.answer = () => ["Seen."];
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "two cats.png",
        mimeType: "image/png",
        buffer: Buffer.from(PNG),
      });
    await page.getByRole("textbox", { name: "Message Main" }).fill("Mine: ![both](pictures/two%20cats.png)");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const picture = page.getByRole("article").getByRole("img", { name: "both", exact: true });
    await picture.waitFor();
    await until(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth === 1));
    await page.getByText("Seen.", { exact: true }).first().waitFor();
    await examine(page, "images");
    // A request to another host is a complaint.
    expect(visited.complaints).toEqual([]);
  });
});
