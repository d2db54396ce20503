import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { expectFit } from "./phone.ts";
import { inBrowser, welcome } from "./browser.ts";

setDefaultTimeout(170_000);

const contentOf = async (daemon: Daemon) => (await daemon.ask("GET", "/api/agents/main")).json.content;

inBrowser("the heartbeat of an agent", ({ visit }) => {
  // Concurrent, because a heartbeat takes ten seconds.
  test.concurrent("is turned on in the settings, with errors beside fields and its next time, and turned off", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, {
      path: "/ui/settings/agents/main/automations",
      reducedMotion: "reduce",
    });
    const { page } = visited;
    await page.getByRole("link", { name: /^Heartbeat Regular/ }).click();
    await page.getByRole("heading", { level: 1, name: "Heartbeat of Main" }).waitFor();
    expect(await page.getByText("Interval").count()).toBe(0);
    await page.getByRole("checkbox", { name: /^Check in regularly/ }).check();
    await page.getByRole("textbox", { name: "Interval" }).fill("5s");
    await page.getByRole("textbox", { name: "From" }).fill("8");
    await page.getByRole("combobox", { name: "Time zone of the agent" }).fill("Mars");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Enter at least 10s.").waitFor();
    await page.getByText("Enter an end time").waitFor();
    await page.getByText("Unknown time zone.").waitFor();
    expect((await contentOf(daemon)).heartbeat).toBeUndefined();
    expect(await judge(page)).toEqual([]);

    await page.getByRole("textbox", { name: "Interval" }).fill("30m");
    await page.getByRole("textbox", { name: "Until" }).fill("22:00");
    await page.getByRole("combobox", { name: "Time zone of the agent" }).fill("Asia/Tokyo");
    await page.getByRole("textbox", { name: "US dollars" }).fill("0,50");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const looks = page.getByRole("region", { name: "Next check and run history" });
    await looks
      .getByText(/^Next check, in your time zone: .* Active hours: 08:00 to 22:00 \(Asia\/Tokyo\)\.$/)
      .waitFor();
    expect(await contentOf(daemon)).toMatchObject({
      ...{ timezone: "Asia/Tokyo", heartbeat: { every: "30m", hours: { from: "08:00", to: "22:00" } } },
    });
    expect((await contentOf(daemon)).heartbeat.budget).toEqual({ money: 500_000 });

    // The initial checklist is empty.
    await page.getByText("The checklist is empty, so the agent does not check in.").waitFor();
    await looks.getByRole("button", { name: "Pause" }).click();
    await looks.getByText("Paused. The agent does not check in until you resume it.").waitFor();
    await looks.getByRole("button", { name: "Resume" }).click();
    await looks.getByText(/^Next check, in your time zone/).waitFor();
    await looks.getByRole("button", { name: "Run now" }).click();
    await looks.getByText("A person started it.").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectFit(page);

    await page.getByRole("checkbox", { name: /^Check in regularly/ }).uncheck();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await looks.waitFor({ state: "detached" });
    await until(async () => (await contentOf(daemon)).heartbeat === undefined);
    expect(visited.complaints).toEqual([]);
  });
});
