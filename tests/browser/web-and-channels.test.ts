import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { startTelegram, TOKEN } from "../journeys/telegram-server.ts";
import { inBrowser, welcome } from "./browser.ts";

const VALUE = "a-token-that-no-page-shows";

inBrowser("web access, secrets and channels without a terminal", ({ visit }) => {
  test("an admin gives an agent a host and a secret for it, replaces the secret, and takes both back", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings/web" });
    const { page } = visited;
    const grants = async () => (await daemon.ask("GET", "/api/agents/main")).json.content.egress;
    /** The house has other secrets, too. */
    const github = async () =>
      (await daemon.ask("GET", "/api/houses/home/secrets")).json.filter(
        ({ name }: { name: string }) => name === "GITHUB",
      );

    const web = page.getByRole("region", { name: "Hosts" });
    await web.getByText("No hosts. The agent has no network.").waitFor();
    await web.getByLabel("Host", { exact: true }).fill("github");
    await web.getByRole("button", { name: "Allow host" }).click();
    await web.getByText("Enter a host name in lower case").waitFor();
    await web.getByLabel("Host", { exact: true }).fill("https://API.github.com/repos");
    await web.getByRole("button", { name: "Allow host" }).click();
    await web.getByText("GET, HEAD", { exact: true }).waitFor();
    expect(await grants()).toEqual([{ host: "api.github.com", methods: ["GET", "HEAD"] }]);

    const own = page.getByRole("region", { name: "Secrets" });
    await own.getByLabel("Name").fill("GITHUB");
    await own.getByLabel("Value").fill("short");
    await own.getByRole("button", { name: "Add secret" }).click();
    await own.getByText("Enter at least 8 characters.").waitFor();
    await own.getByLabel("Value").fill(VALUE);
    await own.getByRole("button", { name: "Add secret" }).click();
    const row = own.getByRole("row", { name: /^Select GITHUB/ });
    await row.getByText("No agent can use it.").waitFor();
    const choose = async (name: string): Promise<void> => {
      await own.getByRole("button", { name: "Actions of GITHUB" }).click();
      await own.getByRole("menuitem", { name }).click();
    };
    await choose("Allow use");
    const use = page.getByRole("dialog", { name: "Allow use of GITHUB" });
    await use.getByLabel("Host").fill("api.github.com");
    await use.getByLabel("Added as").selectOption("header");
    await use.getByLabel("Header name").fill("X-Api-Key");
    await use.getByRole("button", { name: "Allow use", exact: true }).click();
    await row.getByText("Main at api.github.com, as header X-Api-Key").waitFor();
    expect(await github()).toMatchObject([
      { grants: [{ host: "api.github.com", as: "header:X-Api-Key" }], version: 1 },
    ]);

    await choose("Change value");
    await page.getByRole("dialog").getByLabel("New value").fill(`${VALUE}-2`);
    await page.getByRole("dialog").getByRole("button", { name: "Save value" }).click();
    await until(async () => (await github())[0].version === 2);
    await own.getByRole("button", { name: "GITHUB", exact: true }).click();
    await own.getByRole("button", { name: /^Revoke Main/ }).click();
    await row.getByText("No agent can use it.").waitFor();
    // Several are removed at once.
    await own.getByLabel("Name").fill("GITLAB");
    await own.getByLabel("Value").fill(VALUE);
    await own.getByRole("button", { name: "Add secret" }).click();
    for (const name of ["GITHUB", "GITLAB"]) await own.getByRole("checkbox", { name: `Select ${name}` }).check();
    await own.getByRole("button", { name: "Remove 2 secrets" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove 2 secrets" }).click();
    await row.waitFor({ state: "detached" });
    expect(await github()).toEqual([]);

    // A second change uses the version that the first one made.
    await web.getByLabel("Host", { exact: true }).fill("example.org");
    await web.getByRole("button", { name: "Allow host" }).click();
    await web.getByRole("checkbox", { name: "Select example.org" }).check();
    await web.getByRole("checkbox", { name: "Select api.github.com" }).check();
    await web.getByRole("button", { name: "Remove 2 hosts" }).click();
    await web.getByText("No hosts. The agent has no network.").waitFor();
    expect(await grants()).toBeUndefined();
    expect(await page.content()).not.toContain(VALUE);
    expect(visited.complaints).toEqual([]);
  });

  test("an admin sees a channel, tests it, and approves, blocks and resets a sender", async () => {
    using home = createHome();
    await using telegram = startTelegram();
    await writeFile(
      join(home.folder, "hearth.toml"),
      `version = 1\n[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n[channels.work]\nkind = "telegram"\ntoken = "env:MISSING"\nbase_url = "${telegram.url}"\n`,
    );
    await using daemon = await startDaemon(home.folder, { BOT: TOKEN });
    await welcome(daemon);
    telegram.say("hello?");
    await telegram.until((texts) => texts.length === 1);
    await using visited = await visit(daemon, { path: "/ui/settings/channels" });
    const { page } = visited;
    const channels = page.getByRole("region", { name: "Channels" });
    await channels.getByRole("table").getByText("Connected").waitFor();
    await channels.getByRole("row", { name: /telegram Connected Telegram @?Main/ }).waitFor();
    await page.goto(`${daemon.url}/ui/settings/channels?status=off`);
    await channels.getByRole("row", { name: /telegram Connected/ }).waitFor({ state: "detached" });
    await channels.getByRole("row", { name: /work Needs setup/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=off");
    await channels.getByRole("button", { name: "Clear filters" }).click();
    await channels.getByRole("button", { name: "Actions of telegram" }).click();
    await channels.getByRole("menuitem", { name: "Test" }).click();
    await channels.getByText(/Test: .*@/).waitFor();
    await page.getByRole("region", { name: "Messages that were not accepted" }).getByText("not approved").waitFor();

    const senders = page.getByRole("region", { name: "Senders" });
    await senders.getByRole("cell", { name: /Waiting for approval/ }).waitFor();
    await senders.getByRole("button", { name: "Approve Ana" }).click();
    const approval = page.getByRole("dialog", { name: "Approve Ana" });
    await approval.getByLabel("Person in this house").selectOption({ label: "Owner" });
    await approval.getByRole("button", { name: "Approve", exact: true }).click();
    await senders.getByText("Writes as Owner").waitFor();
    await telegram.until((texts) => texts.length === 2);

    const change = async (name: string, confirm: string): Promise<void> => {
      await senders.getByRole("button", { name: "Actions of Ana" }).click();
      await senders.getByRole("menuitem", { name }).click();
      await page.getByRole("dialog").getByRole("button", { name: confirm }).click();
    };
    await change("Block", "Block 1 sender");
    await senders.getByText("Blocked", { exact: true }).waitFor();
    await change("Reset", "Reset 1 sender");
    await senders.getByText("No sender has written yet.").waitFor();

    await daemon.ask("POST", "/api/agents", { content: { name: "Helper", kind: "bot" } });
    await channels.getByRole("button", { name: "telegram", exact: true }).click();
    await channels.getByLabel("Agent that answers").selectOption({ label: "Helper" });
    await channels.getByLabel("New bot token").fill("4242:wrong");
    await channels.getByRole("button", { name: "Test and save" }).click();
    await channels.getByText("The platform refused the token. The old one stays.").waitFor();
    await channels.getByRole("row", { name: /telegram Connected .*Main/ }).waitFor();
    await channels.getByLabel("New bot token").fill(TOKEN);
    await channels.getByRole("button", { name: "Test and save" }).click();
    await channels.getByRole("cell", { name: "Helper", exact: true }).waitFor();
    expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toContain(
      'token = "file:keys/channel.telegram"\nbase_url',
    );

    await channels.getByRole("checkbox", { name: "Select all" }).check();
    await channels.getByRole("button", { name: "Remove 2 channels" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove 2 channels" }).click();
    await channels.getByText("No channels").waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
