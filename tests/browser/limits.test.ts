import { expect, test } from "bun:test";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

const ADDRESS = "https://plain-words.trycloudflare.com";
/** Prints what the program prints when its tunnel is open. */
const STAND_IN = `#!/bin/sh\necho "INF |  ${ADDRESS}  |" >&2\nexec sleep 1000\n`;

inBrowser("limits, remote access and measurements without a terminal", ({ visit }) => {
  test("an admin changes the budget, and the file keeps its comments", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/limits" });
    const { page } = visited;
    const valueOf = async (key: string) =>
      (await daemon.ask("GET", "/api/settings")).json.find((setting: { key: string }) => setting.key === key).value;

    const budget = page.getByRole("region", { name: "Budget" });
    await budget.getByLabel("Per day", { exact: true }).fill("much");
    await budget.getByText("Enter a number, or leave the field empty.").waitFor();
    expect(await budget.getByRole("button", { name: "Save budget" }).isDisabled()).toBe(true);
    await budget.getByLabel("Per day", { exact: true }).fill("2.5");
    await budget.getByRole("button", { name: "Save budget" }).click();
    await until(async () => (await valueOf("budget.day")) === 2.5);

    expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toContain("# The settings of this house.");
    await budget.getByLabel("Per day", { exact: true }).fill("");
    await budget.getByRole("button", { name: "Save budget" }).click();
    await until(async () => (await valueOf("budget.day")) === undefined);
  });

  test("an admin opens a tunnel, and closes it", async () => {
    using home = createHome();
    const programs = join(home.folder, "programs");
    await mkdir(programs);
    await writeFile(join(programs, "cloudflared"), STAND_IN);
    await chmod(join(programs, "cloudflared"), 0o700);
    const PATH = `${programs}:${process.env["PATH"] ?? ""}`;
    await using daemon = await startDaemon(join(home.folder, "house"), { PATH });
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents/owner/password", { password: "correct horse battery" });
    await using visited = await visit(daemon, { path: "/ui/settings/system" });
    const { page } = visited;
    const remote = page.getByRole("region", { name: "Remote access" });
    await remote.getByRole("button", { name: "Open tunnel" }).click();
    await remote.getByRole("link", { name: ADDRESS }).waitFor();
    await remote.getByRole("button", { name: "Close tunnel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close tunnel" }).click();
    await remote.getByRole("button", { name: "Open tunnel" }).waitFor();
    expect((await daemon.ask("GET", "/api/tunnel")).json).toEqual({ state: "off" });
  });

  test("an admin turns measurements on, a wrong address of the collector is named, and they are turned off", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/system", expected: /400/ });
    const { page } = visited;
    const section = page.getByRole("region", { name: "Measurements" });
    const save = section.getByRole("button", { name: "Save measurements" });
    const metrics = async (): Promise<number> =>
      (await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${daemon.token}` } })).status;
    await section.getByLabel("Prometheus").check();
    expect(await metrics()).toBe(404);
    await save.click();
    await until(async () => (await metrics()) === 200);

    await section.getByLabel("OpenTelemetry").check();
    await section.getByLabel("Address of the collector").fill("ftp://collector");
    await save.click();
    await section.getByText("otlp_endpoint").waitFor();
    await section.getByLabel("OpenTelemetry").uncheck();
    await section.getByLabel("Prometheus").uncheck();
    await save.click();
    await until(async () => (await metrics()) === 404);
    expect(visited.complaints).toEqual([]);
  });
});
