import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSink } from "../../kernel/log/file.ts";
import { sinkConformance } from "../../kernel/log/sink.conformance.ts";
import { createBunLogDisk } from "./log-disk.ts";
import { readLogTail } from "./log-tail.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "hearth-log-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

sinkConformance(
  "file, on a disk",
  () => {
    const path = join(folder, "log");
    let kept: string | undefined;
    return {
      sink: createFileSink({ disk: createBunLogDisk(path), stderr: () => {} }),
      lines: () => (kept ?? read("log")).split("\n").slice(0, -1),
      breakDown() {
        kept = read("log");
        rmSync(folder, { recursive: true });
      },
    };
  },
  { keeps: "lines" },
);

test("only the owner can read the file, and its earlier content stays", () => {
  writeFileSync(join(folder, "log"), "before\n", { mode: 0o600 });
  const disk = createBunLogDisk(join(folder, "log"));
  expect(disk.sizeBytes()).toBe(7);
  disk.append("after\n");
  expect(read("log")).toBe("before\nafter\n");
  const fresh = createBunLogDisk(join(folder, "fresh"));
  expect(fresh.sizeBytes()).toBe(0);
  fresh.append("x\n");
  expect(statSync(join(folder, "fresh")).mode & 0o777).toBe(0o600);
});

test("rotation renames each file to the next number and drops the oldest", () => {
  const disk = createBunLogDisk(join(folder, "log"));
  for (const text of ["1", "2", "3", "4", "5"]) {
    disk.append(text);
    disk.rotate(3);
  }
  disk.append("6");
  expect(readdirSync(folder).toSorted()).toEqual(["log", "log.1", "log.2", "log.3"]);
  expect(["log", "log.1", "log.2", "log.3"].map(read)).toEqual(["6", "5", "4", "3"]);
});

test("a line after a partial one starts on a new line", () => {
  const said: string[] = [];
  const sink = createFileSink({ disk: createBunLogDisk(join(folder, "log")), stderr: (text) => void said.push(text) });
  mkdirSync(join(folder, "log"));
  sink.write("lost");
  rmSync(join(folder, "log"), { recursive: true });
  writeFileSync(join(folder, "log"), "lo");
  sink.write("one");
  sink.write("two");
  expect([read("log"), said]).toEqual(["lo\none\ntwo\n", ["lost\n"]]);
});

test("the end of the log has whole lines, also of the file before the last rotation", async () => {
  const path = join(folder, "log");
  expect(await readLogTail(path, 100)).toBe("");
  writeFileSync(path, "first\nsecond\nthird\n");
  expect(await readLogTail(path, 100)).toBe("first\nsecond\nthird\n");
  expect(await readLogTail(path, 8)).toBe("third\n");
  createBunLogDisk(path).rotate(3);
  writeFileSync(path, "fourth\n");
  expect(await readLogTail(path, 15)).toBe("third\nfourth\n");
  expect(await readLogTail(path, 7)).toBe("fourth\n");
  await expect(readLogTail(folder, 7)).rejects.toMatchObject({ code: "EISDIR" });
});
