/**
 * Carries out the procedures of docs/operations.md as printed, each in a new home. Paths
 * below `/mnt` lead into the test's folder, and `~` is that folder.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/protocol/until";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const LAUNCHER = join(ROOT, "hearth");

let folder: string;
/** Houses that a line of a page started. */
let houses: Bun.Subprocess[];
/** Folders on which a test mounted a disk. */
let disks: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-operations-"));
  houses = [];
  disks = [];
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "mnt/disk"), { recursive: true });
  mkdirSync(join(folder, "mnt/usb"));
  writeFileSync(join(folder, "bin/hearth"), `#!/bin/sh\nexec '${LAUNCHER}' "$@"\n`, { mode: 0o755 });
});
afterEach(async () => {
  for (const house of houses) house.kill("SIGKILL");
  await Promise.all(houses.map((house) => house.exited));
  for (const disk of disks) Bun.spawnSync(["umount", disk]);
  rmSync(folder, { recursive: true, force: true });
});

/** The lines of the code blocks below a heading, without comments. */
const blocksOf = (heading: string): readonly (readonly string[])[] => {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = ""]) =>
    block.split("\n").flatMap((line) => {
      const command = line.replace(/ +#.*$/, "").trim();
      return command === "" ? [] : [command];
    }),
  );
};

const environment = () => ({
  PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
  HOME: folder,
  LANG: "C.UTF-8",
});

interface Ended {
  readonly line: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line in a shell. One that starts a house stays in the background once the house is ready. */
const runLine = async (line: string): Promise<Ended> => {
  const command = line.replaceAll("/mnt/", `${join(folder, "mnt")}/`);
  const isStart = /^hearth up\b/.test(line);
  const child = Bun.spawn(["sh", "-c", isStart ? `exec ${command}` : command], {
    env: environment(),
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  if (!isStart) {
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { line, code, stdout, stderr };
  }
  houses.push(child);
  const stderr = child.stderr.text();
  const decoder = new TextDecoder();
  let stdout = "";
  for await (const chunk of child.stdout) {
    stdout += decoder.decode(chunk, { stream: true });
    if (/^log in: /m.test(stdout)) return { line, code: 0, stdout, stderr: "" };
  }
  return { line, code: await child.exited, stdout, stderr: await stderr };
};

/** Runs the lines in order. Each ends with 0. */
const runBlock = async (lines: readonly string[] | undefined): Promise<readonly Ended[]> => {
  expect(lines ?? []).not.toEqual([]);
  const ended: Ended[] = [];
  for (const line of lines ?? []) {
    const result = await runLine(line);
    expect(result).toEqual({ ...result, code: 0 });
    ended.push(result);
  }
  return ended;
};

/** A house at `~/.hearth` on any free port, with one answered message. */
const startHouse = async (): Promise<void> => {
  mkdirSync(join(folder, ".hearth"), { recursive: true });
  writeFileSync(join(folder, ".hearth/hearth.toml"), "version = 1\n[server]\nport = 0\n");
  await runBlock(["hearth up", "hearth chat -m 'remember that the boiler is blue'"]);
};

test("Backup and Restore", async () => {
  await startHouse();
  const [, made, list, verified] = await runBlock(blocksOf("Backup")[0]);
  expect(made?.stdout).toContain("is complete and verified");
  expect(list?.stdout).toContain("complete");
  expect(verified?.stdout).toContain("backup 1: intact");
  const [restore, decide] = blocksOf("Restore");
  await runBlock(restore);
  const [shown] = await runBlock(decide);
  expect(shown?.stdout).toContain("The house is on hold");
  expect((await runLine("hearth chat -m hello --home ~/house")).code).toBe(0);
});

test("Export and import", async () => {
  await startHouse();
  const [commands, hash] = blocksOf("Export and import");
  const [exported, imported] = await runBlock(commands);
  const found = /state hash ([0-9a-f]{64})/.exec(exported?.stdout ?? "")?.[1] ?? "none";
  expect(imported?.stdout).toContain(found);
  const [computed] = await runBlock(hash);
  expect(computed?.stdout).toBe(`${found}  -\n`);
});

test("Move to another machine or path", async () => {
  await startHouse();
  const [old, fresh] = blocksOf("Move to another machine or path");
  await runBlock(old);
  // The new machine has the disk and no home.
  renameSync(join(folder, ".hearth"), join(folder, "old"));
  await runBlock(fresh);
  expect((await runLine("hearth chat -m hello")).code).toBe(0);
});

/** Gives a folder a disk of this many MiB. */
const mountDisk = (path: string, sizeMib: number): void => {
  mkdirSync(path, { recursive: true });
  const { exitCode, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${sizeMib}m`, "tmpfs", path]);
  if (exitCode !== 0) throw new Error(`cannot mount a disk: ${stderr.toString()}`);
  disks.push(path);
};

/** Writes a file until the disk has this many MiB left. */
const fill = (path: string, leftMib: number): void => {
  const { bavail, bsize } = statfsSync(dirname(path));
  writeFileSync(path, Buffer.alloc(bavail * bsize - leftMib * 1024 * 1024));
};

const canMount = process.getuid?.() === 0 && Bun.which("mount") !== null;

describe.skipIf(!canMount)("Disk full (skipped if the user is not root or cannot mount a disk)", () => {
  const get = async (path: string): Promise<number> => {
    const url = readFileSync(join(folder, ".hearth/run/url"), "utf8").trim();
    return (await fetch(`${url}${path}`)).status;
  };

  test("new work is refused, and the house continues when the named files are deleted", async () => {
    mountDisk(join(folder, ".hearth"), 200);
    await startHouse();
    expect(await get("/readyz")).toBe(200);
    // A large log, which the page allows to delete.
    const log = join(folder, ".hearth/logs/hearth.log.1");
    fill(log, 8);
    await until(async () => (await get("/readyz")) === 503);
    const refused = await runLine("hearth chat -m 'are you there'");
    expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining("disk")]);
    expect(refused.code).not.toBe(0);
    expect((await runLine("hearth doctor")).stdout).toMatch(/disk +fail|✗ disk|disk.*MiB/);
    rmSync(log);
    await until(async () => (await get("/readyz")) === 200);
    expect((await runLine("hearth chat -m 'the boiler is still blue'")).code).toBe(0);
    const { stdout } = await runLine("hearth room events main");
    expect([stdout.includes("the boiler is blue"), stdout.includes("are you there")]).toEqual([true, false]);
  });

  test("a backup without space leaves the earlier ones intact, and succeeds after the oldest is deleted", async () => {
    await startHouse();
    const disk = join(folder, "mnt/disk");
    mountDisk(disk, 64);
    await runBlock([
      "hearth backup --to /mnt/disk/hearth",
      "hearth chat -m 'one more'",
      "hearth backup --to /mnt/disk/hearth",
    ]);
    fill(join(disk, "other"), 16.5);
    const failed = await runLine("hearth backup --to /mnt/disk/hearth --keep 3");
    expect([failed.code === 0, failed.stderr]).toEqual([false, expect.stringContaining("space")]);
    const [verified] = await runBlock(["hearth backup verify --from /mnt/disk/hearth"]);
    expect(verified?.stdout).toBe("backup 1: intact\nbackup 2: intact\n");
    // The next backup needs the space of the database that only the first one named.
    rmSync(join(disk, "hearth/backup-000001.json"));
    await runBlock(["hearth backup --to /mnt/disk/hearth --keep 3", "hearth backup verify --from /mnt/disk/hearth"]);
  });
});

test("Damaged database", async () => {
  await startHouse();
  await runBlock(["hearth stop"]);
  const path = join(folder, ".hearth/hearth.db");
  const bytes = readFileSync(path);
  const at = bytes.indexOf("the boiler is blue");
  expect(at).toBeGreaterThan(0);
  bytes.fill(0xff, at - (at % 4096), at - (at % 4096) + 4096);
  writeFileSync(path, bytes);
  const [stopped, ...lines] = blocksOf("Damaged database")[0] ?? [];
  expect(stopped).toBe("hearth stop");
  const [repaired] = await runBlock(lines);
  expect(repaired?.stdout).toContain("Repaired.");
});

test("Lost key", async () => {
  await startHouse();
  await runBlock([...(blocksOf("Backup")[0] ?? []).slice(1, 2), "hearth stop"]);
  const key = join(folder, ".hearth/keys/audit.key");
  rmSync(key);
  const refused = await runLine("hearth up");
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("audit.key")]);
  await runBlock(blocksOf("Lost key")[0]);
  expect([existsSync(key), existsSync(join(folder, "restored"))]).toEqual([true, false]);
  await runBlock(["hearth up"]);
});

test("Upgrade", async () => {
  // The home of an older Hearth, which was killed during work.
  await runBlock([`tar xzf ${join(ROOT, "tests/golden/schema-23.tar.gz")}`, "mv home .hearth"]);
  writeFileSync(join(folder, ".hearth/hearth.toml"), "version = 1\n[server]\nport = 0\n");
  const [forward, back] = blocksOf("Upgrade");
  const [stop, ...lines] = forward ?? [];
  expect(stop).toBe("hearth stop");
  const [, plan, done] = await runBlock(lines);
  expect(plan?.stdout).toContain("23 now");
  expect(done?.stdout).toContain("Updated from schema 23");
  const [, lost] = await runBlock(back);
  expect(lost?.stdout).toContain("to 23");
  // The last line started the newer Hearth again, which updates the database and finds it behind its anchor.
  using database = new Database(join(folder, ".hearth/hearth.db"));
  expect(database.query("select kind from restore_findings").all()).toContainEqual({ kind: "behind" });
});
