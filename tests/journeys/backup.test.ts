/** A backup of a house under load, and its restore in another folder. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, hearth, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { talk } from "./restored-home.ts";
import { until } from "@hearth/protocol/until";

const KEY = { TEST_KEY: "key" };
const LONG = "a long message ".repeat(2000);

const post = async (daemon: Daemon, text: string): Promise<void> => {
  expect((await daemon.ask("POST", "/api/rooms/main/messages", { text })).status).toBe(201);
};
const textsOf = async (daemon: Daemon): Promise<string> => JSON.stringify(await eventsOf(daemon, "main"));

test("a house that is backed up while it works, and killed, continues in another folder from where the backup was made", async () => {
  await using model = createModel();
  using home = createHome();
  using other = createHome();
  const backups = `${home.folder}-backups`;
  const target = join(other.folder, "house");
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  try {
    {
      await using daemon = await startDaemon(home.folder, KEY);
      await talk(daemon, LONG);
      model.answer = async function* () {
        yield "Working";
        await new Promise(() => {});
      };
      await post(daemon, "at the backup");
      await until(async () => (await daemon.ask("GET", "/api/agents/main/activations")).json.some(isRunning));
      const made = daemon.hearth("backup", "--to", backups, "--json");
      let isMade = false;
      const load = (async (): Promise<void> => {
        for (let count = 0; !isMade; count += 1) await post(daemon, `load ${count}`);
      })();
      const { code, stdout, stderr } = await made;
      isMade = true;
      await load;
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({ number: 1, house: "home", remarks: [] });
      await post(daemon, "after the backup");
      await daemon.kill();
    }
    model.answer = () => ["Done."];

    const verified = await hearth(["backup", "verify", "--from", backups]);
    expect([verified.code, verified.stdout]).toEqual([0, "backup 1: intact\n"]);
    const refused = await hearth(["restore", "--from", backups, "--home", home.folder]);
    expect([refused.code, refused.stderr]).toEqual([16, expect.stringContaining("is not empty")]);
    const restored = await hearth(["restore", "--from", backups, "--home", target]);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("is restored")]);

    await using daemon = await startDaemon(target, KEY);
    expect(existsSync(join(target, "restored"))).toBe(false);
    expect((await daemon.ask("GET", "/readyz")).json).toEqual({ status: "on hold" });
    const texts = await textsOf(daemon);
    expect([texts.includes(LONG), texts.includes("at the backup"), texts.includes("after the backup")]).toEqual([
      true,
      true,
      false,
    ]);
    const shown = await daemon.hearth("restore", "show");
    expect(shown.stdout).toContain(`The home was restored from backup 1 in ${backups}`);
    expect(shown.stdout).toMatch(/turn +act_/);
    expect((await daemon.hearth("audit", "verify")).code).toBe(0);
    const [held] = (await daemon.ask("GET", "/api/agents/main/activations")).json.filter(isRunning);
    expect((await daemon.hearth("restore", "continue")).code).toBe(0);
    await until(async () => (await daemon.ask("GET", `/api/activations/${held.id}`)).json.endedAt !== undefined);
    await talk(daemon, "after the restore");
    expect(await textsOf(daemon)).toContain("Done.");
  } finally {
    rmSync(backups, { recursive: true, force: true });
  }
}, 60_000);

const isRunning = ({ endedAt }: Json): boolean => endedAt === undefined;

test("one command makes a backup and schedules more, and another interval applies without a restart", async () => {
  using home = createHome();
  const backups = `${home.folder}-backups`;
  try {
    await using daemon = await startDaemon(home.folder);
    const made = await daemon.hearth("backup", "--to", backups, "--every", "12h", "--keep", "3");
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^Scheduled: a backup every 12h\.[^]*\nBackup 1 of home is complete/),
    ]);
    expect(readFileSync(join(home.folder, "hearth.toml"), "utf8")).toContain(
      `[backup]\nto = "${backups}"\nevery = "12h"\nkeep = 3\n`,
    );
    const places = async (): Promise<Json[]> => (await daemon.ask("GET", "/api/backups")).json;
    expect(await places()).toMatchObject([{ to: backups, everyMs: 12 * 60 * 60_000, keep: 3 }]);
    expect((await daemon.hearth("backup", "--to", backups, "--every", "1d")).code).toBe(0);
    expect(await places()).toMatchObject([{ everyMs: 24 * 60 * 60_000, keep: 3 }]);
    const file = await daemon.hearth("backup", "--to", `${backups}.tar`, "--every", "1d");
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("--every needs a folder.")]);
    const wrong = await daemon.hearth("backup", "--to", backups, "--every", "often");
    expect([wrong.code, wrong.stderr]).toEqual([18, expect.stringContaining("backup.every")]);
    expect((await daemon.hearth("backup", "list", "--from", backups)).stdout.match(/intact|complete/g)).toHaveLength(2);
  } finally {
    rmSync(backups, { recursive: true, force: true });
  }
});
