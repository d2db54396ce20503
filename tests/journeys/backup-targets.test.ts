/** Backup targets of a running house, managed with the command. */
import { expect, test } from "bun:test";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { startS3Server } from "@hearth/testing/s3";
import { createHome, LAUNCHER, startDaemon, until } from "./daemon.ts";

test("a target is added with its keys on stdin, tested, used, changed and removed, without a restart", async () => {
  await using server = await startS3Server();
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  const address = `s3://${server.bucket}/house?endpoint=${server.endpoint}&region=${server.region}`;
  const withKeys = async (keys: string, ...words: readonly string[]): Promise<string> => {
    const child = Bun.spawn([LAUNCHER, "backup", ...words, "--keys-stdin", "--home", home.folder], {
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
      stdin: new TextEncoder().encode(keys),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return `${await child.exited} ${stdout}${stderr}`;
  };
  const keys = `${server.accessKeyId}\n${server.secretAccessKey}\n`;
  const config = (): Promise<string> => readFile(join(home.folder, "hearth.toml"), "utf8");
  const before = await config();

  expect(await withKeys("only one line", "add", "offsite", address)).toMatch(/^2 [^]*two lines/);
  expect(await withKeys(keys, "add", "offsite", address, "--keep", "3")).toStartWith("0 Added the target offsite.");
  expect(await config()).not.toContain(server.secretAccessKey);
  expect(await withKeys(keys, "add", "offsite", address)).toMatch(/^2 [^]*hearth backup edit offsite/);
  const tested = await daemon.hearth("backup", "test", "offsite");
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("works: ")]);
  expect([...server.objects.keys()]).toEqual([]);

  await daemon.ask("POST", "/api/backups", { target: "offsite" });
  await until(async () => (await daemon.ask("GET", "/api/backups")).json[0]?.last?.number === 1);
  expect([...server.objects.keys()]).toContain("house/backup-000001.json");
  expect((await daemon.hearth("backup", "list", "--from", "target:offsite", "--json")).code).toBe(0);

  expect(await withKeys("wrong\nkeys\n", "edit", "offsite")).toStartWith("0 Changed the target offsite.");
  const failed = await daemon.hearth("backup", "test", "offsite");
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("refused access")]);
  expect((await daemon.hearth("backup", "edit", "offsite", "--every", "1m")).stderr).toContain("10 minutes or more");
  expect((await daemon.hearth("backup", "edit", "offsite", "--every", "12h")).code).toBe(0);
  expect((await daemon.ask("GET", "/api/backups")).json).toMatchObject([{ everyMs: 43_200_000, keep: 3 }]);

  expect((await daemon.hearth("backup", "remove", "offsite")).code).toBe(0);
  expect(await config()).toBe(before);
  expect((await readdir(join(home.folder, "keys"))).filter((name) => name.startsWith("backup."))).toEqual([]);
  expect([...server.objects.keys()]).toContain("house/backup-000001.json");
}, 120_000);
