import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createHome, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";
import { JOBS, add } from "./job-house.ts";

setDefaultTimeout(170_000);

inBrowser("the jobs of agents", ({ visit }) => {
  test("are written in words, previewed before saving, and edited as cron", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main/automations", expected: /400/ });
    const { page } = visited;
    await page.getByRole("link", { name: /^Jobs Scheduled/ }).click();
    await page.getByRole("heading", { level: 1, name: "Automations of Main" }).waitFor();
    await page.getByText("No automations").waitFor();
    await page.getByRole("button", { name: "New job" }).click();
    const dialog = page.getByRole("dialog", { name: "New job for Main" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter a prompt.").waitFor();
    await dialog.getByText("Enter a time.").waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("news");
    await dialog.getByRole("textbox", { name: "Prompt" }).fill("What is new?");
    const words = dialog.getByRole("textbox", { name: "In words" });
    await words.fill("soon");
    await dialog.getByText('"soon" is not a time that Hearth understands.').waitFor();
    await words.fill("every weekday at 9");
    const understood = dialog.getByRole("status");
    await understood.getByText(/^Schedule: every weekday at 09:00 \(/).waitFor();
    expect((await understood.getByText(/^In your time zone: /).textContent())?.split(" · ")).toHaveLength(3);
    expect((await daemon.ask("GET", JOBS)).json.jobs).toEqual([]);
    expect(await judge(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    const row = page.getByRole("button", { name: /^News every weekday at 09:00/ });
    await row.click();

    await page.getByRole("button", { name: "Edit" }).click();
    const editing = page.getByRole("dialog", { name: "Edit news" });
    await editing.getByLabel("Schedule", { exact: true }).selectOption({ label: "Cron" });
    await editing.getByRole("textbox", { name: "Cron" }).fill("30 8 * * *");
    await editing.getByText("Schedule: every day at 08:30").waitFor();
    await editing.getByText("More options").click();
    await editing.getByRole("textbox", { name: "Time zone (optional)" }).fill("Mars");
    await editing.getByText('There is no time zone "Mars".').waitFor();
    await editing.getByRole("textbox", { name: "Time zone (optional)" }).fill("");
    await editing.getByLabel("Missed runs").selectOption({ label: "Skip them" });
    await editing.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /^News every day at 08:30/ }).waitFor();
    expect((await daemon.ask("GET", `${JOBS}/news`)).json).toMatchObject({
      ...{ schedule: { kind: "cron", cron: "30 8 * * *" }, catchUp: "skip", prompt: "What is new?" },
    });
    expect(visited.complaints).toEqual([]);
  });

  test("have a webhook: its key is shown once, callers with the key trigger the job, and it can be turned off", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, { name: "build", prompt: "What broke?", every: "1d" });
    await using visited = await visit(daemon, { path: "/ui/jobs/main" });
    const { page } = visited;
    // The address of earlier versions.
    await page.waitForURL(`${daemon.url}/ui/automations/main`);
    await page.getByRole("button", { name: /^Build/ }).click();
    await page.getByRole("button", { name: "Turn webhook on" }).click();
    const key = page.locator("code").filter({ hasText: /^whsec_/ });
    const secret = (await key.textContent()) ?? "";
    const path =
      (await page
        .locator("code")
        .filter({ hasText: /^\/hooks\// })
        .textContent()) ?? "";
    expect(await judge(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await until(async () => (await key.count()) === 0);

    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = '{"build":"red"}';
    const signature = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
    const call = (): Promise<Response> =>
      fetch(daemon.url + path, {
        ...{ method: "POST", body },
        headers: {
          ...{ "content-type": "application/json", "webhook-id": "msg_1", "webhook-timestamp": timestamp },
          "webhook-signature": `v1,${signed}`,
        },
      });
    const signed = signature.update(`msg_1.${timestamp}.${body}`).digest("base64");
    expect((await call()).status).toBe(202);
    await page.getByRole("region", { name: "Run history of build" }).getByText("A webhook started it.").waitFor();

    await page.getByRole("button", { name: "Turn webhook off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn webhook on" }).waitFor();
    expect((await call()).status).toBe(401);
    expect(visited.complaints).toEqual([]);
  });

  test("of every agent are filtered in the address, and several are paused, resumed and deleted at once", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/agents", { content: { name: "Scout", kind: "bot" } });
    await add(daemon, { name: "morning-news", prompt: "News?", cron: "0 9 * * *" });
    await add(daemon, { name: "tea", prompt: "Tea?", every: "2h" });
    await daemon.ask("POST", `${JOBS}/tea/hook`);
    await daemon.ask("POST", "/api/agents/scout/jobs", { name: "look", prompt: "Look.", every: "1d" });
    await daemon.ask("PATCH", "/api/agents/main", { content: { heartbeat: { every: "1h" } } });
    await using visited = await visit(daemon, { path: "/ui/automations" });
    const { page } = visited;
    const rows = page.getByRole("table", { name: "Automations" }).getByRole("row");
    const shown = (count: number): Promise<void> => until(async () => (await rows.count()) === count + 1);
    const filter = async (name: string, title: string): Promise<void> => {
      await page
        .getByRole("group", { name: "Filters" })
        .getByLabel(name, { exact: true })
        .selectOption({ label: title });
    };
    await shown(4);
    await page.getByRole("row", { name: /Heartbeat .* Main Heartbeat Active/ }).waitFor();
    expect(await judge(page)).toEqual([]);
    await filter("Agent", "Scout");
    await shown(1);
    await filter("Agent", "Main");
    await filter("Kind", "Webhooks");
    await shown(1);
    await page.reload();
    await shown(1);
    expect(new URL(page.url()).search).toBe("?agent=main&kind=webhook");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await shown(4);

    await page.getByRole("checkbox", { name: "Select all" }).check();
    const bulk = page.getByRole("group", { name: "Selected automations" });
    await bulk.getByRole("button", { name: "Pause 4" }).click();
    await filter("Status", "Paused");
    await shown(4);
    const states = async (): Promise<readonly string[]> =>
      (await daemon.ask("GET", JOBS)).json.jobs.map(({ name, status }: Json) => `${name} ${status}`).toSorted();
    expect(await states()).toEqual(["heartbeat paused", "morning-news paused", "tea paused"]);
    await page.getByRole("checkbox", { name: "Select Tea · Main" }).check();
    await page.getByRole("checkbox", { name: "Select Heartbeat · Main" }).check();
    // A heartbeat is not a job of the file: it is turned off in its settings.
    await bulk.getByRole("button", { name: "Delete 1" }).waitFor();
    await bulk.getByRole("button", { name: "Resume 2" }).click();
    await shown(2);
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await bulk.getByRole("button", { name: "Delete 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 jobs?" });
    expect(await judge(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete 2" }).click();
    await page.getByText("No automation matches these filters.").waitFor();
    expect(await states()).toEqual(["heartbeat active", "tea active"]);
    expect((await daemon.ask("GET", "/api/agents/scout/jobs")).json.jobs).toEqual([]);
    await page.getByRole("button", { name: "New job" }).click();
    await page.getByRole("menuitem", { name: "Scout" }).click();
    await page.getByRole("dialog", { name: "New job for Scout" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("fit a phone in both themes and are accessible", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, {
      name: "a-name-that-is-as-long-as-a-name-may-be-and-then-some-more-of-it",
      prompt: `${"x".repeat(300)}\nDo it.`,
      cron: "0 9 * * *",
    });
    await daemon.ask("POST", `${JOBS}/a-name-that-is-as-long-as-a-name-may-be-and-then-some-more-of-it/hook`);
    await using visited = await visit(daemon, { path: "/ui/automations", ...PHONE });
    const { page } = visited;
    await page.getByRole("button", { name: /^A name/ }).click();
    await page.getByText("No runs yet").waitFor();
    await expectFit(page);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByText("Schedule: every day at 09:00").waitFor();
    await page.getByText("More options", { exact: true }).click();
    await expectFit(page);
    expect(visited.complaints).toEqual([]);
  });
});
