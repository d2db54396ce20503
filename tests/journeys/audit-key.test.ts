/** A rotation of the audit log's key in a real house: with a daemon, after kills, and without a daemon. */
import { expect, test } from "bun:test";
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHome, type Daemon, hearth, startDaemon } from "./daemon.ts";

const CONFIG = `version = 1\n[cells]\nbackend = "inline"\n`;
const INTACT = [0, expect.stringMatching(/^home: \d+ rows, intact\n$/)];
const python = Bun.which("python3");
const SCRIPT = fileURLToPath(new URL("../../docs/verify-audit.py", import.meta.url));

const verify = async (home: string) => {
  const { code, stdout, stderr } = await hearth(["audit", "verify", "--home", home]);
  return [code, stdout + stderr];
};
const keysIn = (home: string): readonly string[] =>
  readFileSync(join(home, "keys/audit.key"), "utf8").trimEnd().split("\n");
const chat = async (house: Daemon): Promise<void> => {
  expect((await house.hearth("chat", "main", "-m", "write notes/one.md: milk")).code).toBe(0);
};
/** Rotates the key by the command. Returns the id of the new key. */
const rotate = async (home: string): Promise<string> => {
  const { code, stdout, stderr } = await hearth(["audit", "rotate-key", "--json", "--home", home]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({ key: expect.stringMatching(/^[0-9a-f]{16}$/), houses: 1 });
  return JSON.parse(stdout).key;
};

test("a house whose key is rotated stays verifiable after kills, and a rotation that was killed is completed", async () => {
  using home = createHome();
  const { folder } = home;
  writeFileSync(join(folder, "hearth.toml"), CONFIG, { mode: 0o600 });
  {
    await using house = await startDaemon(folder);
    await chat(house);
    const [first] = keysIn(folder);
    const key = await rotate(folder);
    expect(keysIn(folder)).toEqual([expect.any(String), first ?? ""]);
    expect((await house.hearth("audit", "list", "--limit", "1")).stdout).toMatch(
      new RegExp(`log key-rotated +@owner +audit_key=${key} via=run-token`),
    );
    await chat(house);
    expect(await verify(folder)).toEqual(INTACT);
    await house.kill();
  }
  expect(await verify(folder)).toEqual(INTACT);
  // The disk of a house that was killed when the next key was durable and not used yet.
  appendFileSync(join(folder, "keys/audit.key"), `next ${"5".repeat(64)}\n`);
  expect(await verify(folder)).toEqual(INTACT);
  {
    await using house = await startDaemon(folder);
    expect(keysIn(folder).map((line) => line === "5".repeat(64))).toEqual([true, false, false]);
    await chat(house);
    expect(await verify(folder)).toEqual(INTACT);
    await house.kill();
  }
  await rotate(folder);
  expect([await verify(folder), keysIn(folder).length]).toEqual([INTACT, 4]);
  await using house = await startDaemon(folder);
  expect((await house.ask("GET", "/readyz")).json).toEqual({ status: "ready" });
  await chat(house);
  expect(await verify(folder)).toEqual(INTACT);
}, 300_000);

test.skipIf(python === null)(
  "the verifier in Python accepts the log, and refuses an older anchor (skipped without Python)",
  async () => {
    using home = createHome();
    using other = createHome();
    const { folder } = home;
    writeFileSync(join(folder, "hearth.toml"), CONFIG, { mode: 0o600 });
    await using house = await startDaemon(folder);
    await chat(house);
    const older = join(other.folder, "heads.json");
    cpSync(join(folder, "audit/heads.json"), older);
    await rotate(folder);
    await chat(house);
    await house.stop();
    const log = join(other.folder, "log.jsonl");
    await hearth(["audit", "export", "--out", log, "--home", folder]);
    const check = async (...anchors: readonly string[]) => {
      const child = Bun.spawn([python ?? "", SCRIPT, log, join(folder, "keys/audit.key"), ...anchors], {
        stdout: "pipe",
        stderr: "inherit",
      });
      return [await new Response(child.stdout).text(), await child.exited];
    };
    const accepted = ["All rows are as they were sealed.\n", 0];
    expect(await check(join(folder, "audit/heads.json"))).toEqual(accepted);
    expect(await check(join(folder, "audit/heads.json"), older)).toEqual(accepted);
    expect(await check(older)).toEqual([expect.stringContaining("a key that was replaced"), 1]);
  },
  300_000,
);
