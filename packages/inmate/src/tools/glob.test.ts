import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("files are sorted newest first, then by name", async () => {
  const { put, run, world } = createFakeTools();
  await put("old.md", "");
  await world.advance(1000);
  await put("b.md", "");
  await put("a/c.md", "");
  expect(await run("glob", { pattern: "**/*.md" })).toEqual({ text: "a/c.md\nb.md\nold.md", failed: false });
});

test("the pattern is relative to the folder, and results are relative to the workspace", async () => {
  const { put, run } = createFakeTools();
  await put("src/a.ts", "");
  await put("src/deep/b.ts", "");
  await put("a.ts", "");
  for (const path of ["src", "src/", "./src"])
    expect((await run("glob", { pattern: "*.ts", path })).text).toBe("src/a.ts");
  expect((await run("glob", { pattern: "*.ts" })).text).toBe("a.ts");
  expect((await run("glob", { pattern: "*.js" })).text).toBe("No files match.");
});

test(".git and node_modules are skipped unless they are named", async () => {
  const { put, run } = createFakeTools();
  for (const path of [".git/x", "node_modules/p/x", ".config/x"]) await put(path, "");
  expect((await run("glob", { pattern: "**/x" })).text).toBe(".config/x");
  expect((await run("glob", { pattern: "**/x", path: "node_modules" })).text).toBe("node_modules/p/x");
});

test("a long result is truncated with a note", async () => {
  const { put, run } = createFakeTools();
  for (let index = 0; index < 201; index += 1) await put(`f${index}`, "");
  const { text } = await run("glob", { pattern: "*" });
  expect(text.split("\n")).toHaveLength(201);
  expect(text).toEndWith("[the newest 200 of 201]");
});

test("a search that stops at the depth limit is reported as incomplete", async () => {
  const { put, run } = createFakeTools();
  await put(`${"d/".repeat(40)}x`, "");
  expect((await run("glob", { pattern: "**/x" })).text).toContain("[incomplete: not all folders were searched");
});
