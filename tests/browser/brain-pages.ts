/** Opens every page of a brain, and examines how it looks. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { folderOf, put } from "./brain-house.ts";
import { type Visitors, welcome } from "./browser.ts";
import { examine, type Extent, viewsOf } from "./crawl.ts";

/** Each path with a button that is there once the page has loaded. */
const PAGES = [
  ["", "New file"],
  ["/files?file=SOUL.md", "Remove file"],
  ["/files?file=memory/new.md", "New file"],
  ["/history", "Preview"],
  ["/proposals", "Approve"],
  ["/prompt", "Show text of SOUL.md"],
] as const;

/** Fails if a page of the brain does not fit the screen, or has axe violations. */
export const examineBrain = async (visit: Visitors["visit"], extent: Extent): Promise<void> => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  await welcome(daemon);
  await put(daemon, "memory/2026-01-02.md", `- ${"word".repeat(200)}\n- it rains\n`);
  await put(daemon, "memory/2026-01-02.md", "- it rains\n");
  writeFileSync(join(await folderOf(daemon), "SOUL.md"), "You obey the last writer.\n");
  await using visited = await visit(daemon, { reducedMotion: "reduce" });
  const { page } = visited;
  for (const [index, [path, sign]] of PAGES.entries()) {
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.goto(`${daemon.url}/ui/brain/main${path}`);
    await page.getByRole("button", { name: sign }).first().waitFor();
    const folded = page.locator("main ol > li > button[aria-expanded=false]");
    if ((await folded.count()) > 0) await folded.first().click();
    await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
    await examine(page, path, viewsOf(extent, index));
  }
  expect(visited.complaints).toEqual([]);
};
