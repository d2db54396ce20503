import { expect, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser } from "./browser.ts";
import { expectGerman, readEnglishTexts } from "./german-pages.ts";
import { furnish, PAGES } from "./looks-pages.ts";

inBrowser("all pages in German", ({ visit }) => {
  test("have no English text, fit every screen, and have no axe violation", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    const english = await readEnglishTexts();
    await using visited = await visit(daemon, { locale: "de-DE", reducedMotion: "reduce", expected: /404/ });
    const paths = [
      ...PAGES.map(([, path]) => path),
      ...["", "/workspace", "/memory", "/history", "/proposals", "/prompt"].map((tab) => `/ui/brain/main${tab}`),
      "/ui/automations/main/heartbeat",
    ];
    for (const path of paths) {
      await visited.page.goto(daemon.url + path);
      await expectGerman(visited.page, path, english);
    }
    expect(visited.complaints).toEqual([]);
  });
});
