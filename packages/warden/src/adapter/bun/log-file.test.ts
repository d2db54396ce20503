import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogFile } from "./log-file.ts";

test("lines stand one below the other in a file that only its owner reads", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-log-"));
  try {
    const write = createLogFile(join(folder, "log"), () => {});
    write("one");
    write("two");
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("one\ntwo\n");
    expect(statSync(join(folder, "log")).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a line that cannot be written goes elsewhere and breaks nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-log-"));
  rmSync(folder, { recursive: true });
  const elsewhere: string[] = [];
  createLogFile(join(folder, "log"), (line) => elsewhere.push(line))("one");
  expect(elsewhere).toEqual(["one"]);
});
