import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("a matching line is returned with its file and number", async () => {
  const { put, run } = createFakeTools();
  await put("b.ts", "one\ntwo\r\nThree\n");
  await put("a/c.ts", "two");
  expect(await run("grep", { pattern: "t[wh]" })).toEqual({ text: "a/c.ts:1: two\nb.ts:2: two", failed: false });
  expect((await run("grep", { pattern: "^T", ignoreCase: true })).text).toBe(
    "a/c.ts:1: two\nb.ts:2: two\nb.ts:3: Three",
  );
  expect((await run("grep", { pattern: "two$", path: "b.ts" })).text).toBe("b.ts:2: two");
  expect((await run("grep", { pattern: "four" })).text).toBe("No lines match.");
});

test("a file pattern without a slash matches the name, and one with a slash matches the path", async () => {
  const { put, run } = createFakeTools();
  for (const path of ["a.ts", "src/b.ts", "src/c.md"]) await put(path, "x");
  expect((await run("grep", { pattern: "x", glob: "*.ts" })).text).toBe("a.ts:1: x\nsrc/b.ts:1: x");
  expect((await run("grep", { pattern: "x", glob: "src/*" })).text).toBe("src/b.ts:1: x\nsrc/c.md:1: x");
  expect((await run("grep", { pattern: "x", glob: "*.ts", path: "src" })).text).toBe("src/b.ts:1: x");
});

test("files that cannot be searched are counted", async () => {
  const { put, run, files } = createFakeTools();
  await put("a", "x");
  await files.write("binary", Uint8Array.of(120, 0));
  await files.write("big", new Uint8Array(4 * 1024 * 1024 + 1).fill(120));
  await files.plant("twin", "hard-link");
  expect((await run("grep", { pattern: "x" })).text).toBe(
    "a:1: x\n[not searched: 3 that are binary, larger than 4 MiB or not open to tools]",
  );
});

test("a long result is truncated with a note", async () => {
  const { put, run } = createFakeTools();
  await put("a", "x\n".repeat(500));
  const { text } = await run("grep", { pattern: "x" });
  expect(text.split("\n")).toHaveLength(201);
  expect(text).toEndWith("[more lines match: narrow the pattern or the path]");
});

test("many long lines stay within the size limit", async () => {
  const { put, run } = createFakeTools();
  const path = Array.from({ length: 4 }, () => "d".repeat(194)).join("/");
  await put(path, `${"x".repeat(290)}\n`.repeat(150));
  const { text } = await run("grep", { pattern: "x" });
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(text).not.toContain("[cut:");
  expect(text).toEndWith("[more lines match: narrow the pattern or the path]");
});

test("a long line is shown around the match and searched only at its beginning", async () => {
  const { put, run } = createFakeTools();
  await put("a", `${"-".repeat(5000)}needle${"-".repeat(20_000)}pin`);
  const { text } = await run("grep", { pattern: "needle" });
  expect(text).toContain("-needle-");
  expect(text).toContain("[25009 characters]");
  expect(text).toEndWith("[only the beginning of 1 very long lines was searched]");
  expect(text.length).toBeLessThan(500);
  expect((await run("grep", { pattern: "pin" })).text).toStartWith("No lines match.");
});

test("an unsupported pattern is explained", async () => {
  const { run } = createFakeTools();
  expect(await run("grep", { pattern: "(" })).toMatchObject({
    failed: true,
    text: expect.stringContaining("The pattern is not valid"),
  });
  expect((await run("grep", { pattern: "(?=x)" })).text).toContain("lookahead");
  expect((await run("grep", { pattern: "x", glob: "../*" })).failed).toBe(true);
  expect((await run("grep", { pattern: "x", path: "none" })).text).toContain('There is no "none"');
});

test("a stopped search returns its results so far and says that they are incomplete", async () => {
  const { put, run, world } = createFakeTools();
  await put("a", `x\n${"-\n".repeat(40_000)}`);
  await put("b", "x");
  const stopper = new AbortController();
  const turn = world.clock.turn;
  const running = run("grep", { pattern: "x" }, { signal: stopper.signal });
  await turn();
  stopper.abort();
  expect((await running).text).toBe("a:1: x\n[stopped before the end: narrow the path]");
});
