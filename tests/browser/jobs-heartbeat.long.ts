import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

setDefaultTimeout(170_000);

const PATH = "/ui/automations/main/heartbeat";

inBrowser("the heartbeat of an agent", ({ visit }) => {
  test.concurrent("fits a phone in both themes and is accessible", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    const heartbeat = { every: "10s", hours: { from: "00:00", to: "24:00" } };
    await daemon.ask("PATCH", "/api/agents/main", { content: { heartbeat } });
    await until(async () => (await daemon.ask("GET", "/api/agents/main/jobs/heartbeat/slots")).json.length > 0);
    await using visited = await visit(daemon, { path: PATH, ...PHONE });
    await visited.page.getByText("HEARTBEAT.md of the brain is missing or empty.").waitFor();
    await expectFit(visited.page);
    expect(visited.complaints).toEqual([]);
  });
});
