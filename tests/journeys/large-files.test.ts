/** A file of 128 MB in the workspace of each kind of cell that works here, with flat memory. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const MIB = 1024 * 1024;
const SIZE = 128 * MIB;
/** Growth of the daemon during the turn. The file held whole would be more. */
const MARGIN = 112 * MIB;
const COMMAND = "sha256sum inbox/*-large.bin; stat -c '%s %a' inbox/*-large.bin";

/** Writes a file of which no two parts are equal, and returns its hash. */
const writeLarge = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  const file = createWriteStream(path);
  for (let at = 0; at < SIZE; at += MIB) {
    const piece = Buffer.alloc(MIB, `${at} `);
    hash.update(piece);
    if (!file.write(piece)) await new Promise((resolve) => file.once("drain", resolve));
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
  return hash.digest("hex");
};

/** The peak of the resident memory since the start or the last reset. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

test.each(["bubblewrap", "landlock"])(
  "a command in a %s cell reads a file of 128 MB, and the daemon never has it in memory",
  async (kind) => {
    using home = createHome();
    await using model = createModel();
    writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}[cells]\nbackend = "${kind}"\n`);
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    const checks: readonly Json[] = (await daemon.ask("GET", "/api/doctor")).json;
    if (!checks.some(({ name, absent }) => name === `cell ${kind}` && absent !== true)) return;
    const file = join(home.folder, "large.bin");
    const hash = await writeLarge(file);
    // The first turn takes the upload and loads all modules, so it is not measured.
    model.answer = () => ["Thanks."];
    expect((await daemon.hearth("chat", "--file", file, "-m", "keep this")).stdout).toContain("Thanks.");
    const before = peakOf(daemon.pid);
    model.answer = ({ messages }) => {
      const last = messages.at(-1);
      return last.role === "tool"
        ? [`The tool said: ${last.content}`]
        : [{ tool: "shell", input: { command: COMMAND } }];
    };
    resetPeak(daemon.pid);
    const { stdout } = await daemon.hearth("chat", "-m", "hash it");
    expect(stdout).toContain(hash);
    expect(stdout).toContain(`${SIZE} 444`);
    expect(peakOf(daemon.pid)).toBeLessThan(before + MARGIN);
    const inbox = join(home.folder, "brains", "main", "workspace", "inbox");
    expect(readdirSync(inbox)).toEqual([]);
  },
  120_000,
);
