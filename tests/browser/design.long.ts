import { test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

inBrowser("the page of the design", ({ visit }) => {
  for (const width of [360, 768])
    test(`fits a phone, ${width} px wide`, async () => {
      using home = createHome();
      await using daemon = await startDaemon(home.folder);
      await welcome(daemon);
      await using visited = await visit(daemon, { path: "/ui/design", ...PHONE, viewport: { width, height: 740 } });
      await visited.page.getByRole("heading", { level: 1, name: "Design" }).waitFor();
      await expectFit(visited.page);
    });
});
