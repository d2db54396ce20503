/**
 * Carries out the procedures of docs/operations.md as printed, each in a new home. Paths
 * below `/mnt` lead into the test's folder, and `~` is that folder.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const LAUNCHER = join(ROOT, "hearth");

let folder: string;
/** Houses that a line of a page started. */
let houses: Bun.Subprocess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-operations-"));
  houses = [];
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "mnt/disk"), { recursive: true });
  mkdirSync(join(folder, "mnt/usb"));
  writeFileSync(join(folder, "bin/hearth"), `#!/bin/sh\nexec '${LAUNCHER}' "$@"\n`, { mode: 0o755 });
});
afterEach(async () => {
  for (const house of houses) house.kill("SIGKILL");
  await Promise.all(houses.map((house) => house.exited));
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
    const one = await runLine(line);
    expect(one).toEqual({ ...one, code: 0 });
    ended.push(one);
  }
  return ended;
};

/** A house at `~/.hearth` on any free port, with one answered message. */
const startHouse = async (): Promise<void> => {
  mkdirSync(join(folder, ".hearth"));
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
