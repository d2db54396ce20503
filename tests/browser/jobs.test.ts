import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";

setDefaultTimeout(170_000);

const JOBS = "/api/agents/main/jobs";

const fileOf = async (daemon: Daemon): Promise<string> => {
  const { json } = await daemon.ask("GET", "/api/agents/main");
  const name = readdirSync(join(daemon.home, "brains")).find((one) => one === json.id || one === json.handle);
  return join(daemon.home, "brains", name ?? "", "cron/jobs.toml");
};

const add = async (daemon: Daemon, job: Json): Promise<void> => {
  const { status } = await daemon.ask("POST", JOBS, job);
  if (status !== 201) throw new Error(`the job was not added: ${status}`);
};

inBrowser("the jobs of agents", ({ visit }) => {
  test("a job is written in words, shown back with its next times before it is saved, and edited as cron", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/agents/main", expected: /400/ });
    const { page } = visited;
    await page.getByRole("link", { name: /^Jobs What it does/ }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs of Main" }).waitFor();
    await page.getByText("It has no jobs.").waitFor();
    await page.getByRole("button", { name: "New job" }).click();
    const dialog = page.getByRole("dialog", { name: "New job of Main" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Write what it should do.").waitFor();
    await dialog.getByText("Say when.").waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("news");
    await dialog.getByRole("textbox", { name: "What to do" }).fill("What is new?");
    const words = dialog.getByRole("textbox", { name: "In words" });
    await words.fill("soon");
    await dialog.getByText('"soon" is no time that is understood.').waitFor();
    await words.fill("every weekday at 9");
    const understood = dialog.getByRole("status");
    await understood.getByText(/^Understood: every weekday at 09:00 \(/).waitFor();
    expect((await understood.getByText(/^By your clock: /).textContent())?.split(" · ")).toHaveLength(3);
    expect((await daemon.ask("GET", JOBS)).json.jobs).toEqual([]);
    expect(await judge(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    const row = page.getByRole("button", { name: /^news every weekday at 09:00/ });
    await row.click();

    await page.getByRole("button", { name: "Edit" }).click();
    const editing = page.getByRole("dialog", { name: "Edit news" });
    await editing.getByLabel("When", { exact: true }).selectOption({ label: "As cron" });
    await editing.getByRole("textbox", { name: "As cron" }).fill("30 8 * * *");
    await editing.getByText("Understood: every day at 08:30").waitFor();
    await editing.getByText("More").click();
    await editing.getByRole("textbox", { name: "Time zone (optional)" }).fill("Mars");
    await editing.getByText('There is no time zone "Mars".').waitFor();
    await editing.getByRole("textbox", { name: "Time zone (optional)" }).fill("");
    await editing.getByLabel("Times that passed while nobody was there").selectOption({ label: "Let them go" });
    await editing.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /^news every day at 08:30/ }).waitFor();
    expect((await daemon.ask("GET", `${JOBS}/news`)).json).toMatchObject({
      ...{ schedule: { kind: "cron", cron: "30 8 * * *" }, catchUp: "skip", prompt: "What is new?" },
    });
    expect(visited.complaints).toEqual([]);
  });

  test("a job is run, paused, taken up and cancelled, and a page that stands open sees what others do", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, { name: "tea", prompt: "Tea?\u202e", every: "2h" });
    await using visited = await visit(daemon, { path: "/ui/" });
    const { page } = visited;
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs", exact: true }).waitFor();
    await page.getByRole("button", { name: /^tea every 2h/ }).press("Enter");
    await page.getByText("Nothing of it was due yet.").waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    const slots = page.getByRole("region", { name: "What became of tea" });
    await slots.getByText("A person asked for it.").waitFor();
    await until(async () => (await slots.getByText("Fired", { exact: true }).count()) === 1);
    await slots.getByRole("button", { name: /^Fired/ }).click();
    await slots.getByRole("link", { name: "Go to Main" }).waitFor();
    expect(await judge(page)).toEqual([]);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^tea Paused/ }).waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    // At the command line, by the agent, in the file: the page follows.
    await daemon.ask("PATCH", `${JOBS}/tea`, { paused: false });
    await page.getByRole("button", { name: "Pause" }).waitFor();
    writeFileSync(
      await fileOf(daemon),
      `${readFileSync(await fileOf(daemon), "utf8")}\n[jobs.two]\nprompt = "Two"\ncron = "bad"\n`,
    );
    await page.getByText(/^Line \d+, two: /).waitFor();
    await page.getByRole("link", { name: "Mend the file" }).waitFor();

    await page.getByRole("button", { name: "Cancel job" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel tea?" });
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    expect((await daemon.ask("GET", `${JOBS}/tea`)).status).toBe(200);
    await page.getByRole("button", { name: "Cancel job" }).click();
    await dialog.getByRole("button", { name: "Cancel job" }).click();
    await page.getByText("It has no jobs.").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("a webhook is switched on with a key that is shown once, opens the job to who holds it, and is switched off", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, { name: "build", prompt: "What broke?", every: "1d" });
    await using visited = await visit(daemon, { path: "/ui/jobs/main" });
    const { page } = visited;
    await page.getByRole("button", { name: /^build/ }).click();
    await page.getByRole("button", { name: "Switch its webhook on" }).click();
    const key = page.locator("code").filter({ hasText: /^whsec_/ });
    const secret = (await key.textContent()) ?? "";
    const path =
      (await page
        .locator("code")
        .filter({ hasText: /^\/hooks\// })
        .textContent()) ?? "";
    expect(await judge(page)).toEqual([]);
    await page.getByRole("button", { name: "I have it" }).click();
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
    await page.getByRole("region", { name: "What became of build" }).getByText("A webhook asked for it.").waitFor();

    await page.getByRole("button", { name: "Switch its webhook off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("button", { name: "Switch its webhook on" }).waitFor();
    expect((await call()).status).toBe(401);
    expect(visited.complaints).toEqual([]);
  });

  test("on a phone, light and dark, nothing is too wide and the page can be used by everybody", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await add(daemon, {
      name: "a-name-that-is-as-long-as-a-name-may-be-and-then-some-more-of-it",
      prompt: `${"x".repeat(300)}\nDo it.`,
      cron: "0 9 * * *",
    });
    await daemon.ask("POST", `${JOBS}/a-name-that-is-as-long-as-a-name-may-be-and-then-some-more-of-it/hook`);
    await using visited = await visit(daemon, { path: "/ui/jobs", ...PHONE });
    const { page } = visited;
    await page.getByRole("button", { name: /^a-name/ }).click();
    await page.getByText("Nothing of it was due yet.").waitFor();
    await expectFit(page);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByText("Understood: every day at 09:00").waitFor();
    await page.getByText("More", { exact: true }).click();
    await expectFit(page);
    expect(visited.complaints).toEqual([]);
  });
});
