import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("a file is created with its folders, then replaced, and the size is reported", async () => {
  const { run, get } = createFakeTools();
  expect(await run("write", { path: "a/b.txt", content: "häuser\n" })).toEqual({
    text: "Created a/b.txt (8 bytes).",
    failed: false,
  });
  expect(await run("write", { path: "a/b.txt", content: "" })).toEqual({
    text: "Replaced a/b.txt (0 bytes).",
    failed: false,
  });
  expect(await get("a/b.txt")).toBe("");
});

test("a repeated write changes nothing if the file already has the content, and writes otherwise", async () => {
  const { run, get, put } = createFakeTools();
  const again = (content: string) => run("write", { path: "a", content }, { again: true });
  expect(await again("once")).toEqual({ text: "Created a (4 bytes).", failed: false });
  expect(await again("once")).toEqual({ text: "a already has this content (4 bytes).", failed: false });
  await put("a", "else");
  expect(await again("once")).toEqual({ text: "Replaced a (4 bytes).", failed: false });
  expect(await get("a")).toBe("once");
});

test("content over the file size limit is refused", async () => {
  const { run, files } = createFakeTools();
  expect(await run("write", { path: "a", content: "x".repeat(10 * 1024 * 1024 + 1) })).toMatchObject({ failed: true });
  expect((await files.list(".", 10)).total).toBe(0);
});

test("the files of messages are read-only for every tool that writes files", async () => {
  const { run, put, get } = createFakeTools();
  await put("inbox/0123456789abcdef-a.txt", "theirs");
  const patch = "*** Begin Patch\n*** Delete File: inbox/0123456789abcdef-a.txt\n*** End Patch";
  for (const [name, input] of [
    ["write", { path: "inbox/0123456789abcdef-a.txt", content: "x" }],
    ["write", { path: "./inbox/0123456789abcdef-new.txt", content: "x" }],
    ["edit", { path: "inbox/0123456789abcdef-a.txt", old: "theirs", new: "x" }],
    ["apply_patch", { patch }],
  ] as const)
    expect(await run(name, input)).toMatchObject({ failed: true, text: expect.stringContaining("is read-only") });
  expect(await get("inbox/0123456789abcdef-a.txt")).toBe("theirs");
  expect((await run("list", { path: "inbox" })).text).not.toContain("new.txt");
  expect(await run("read", { path: "inbox/0123456789abcdef-a.txt" })).toEqual({ text: "theirs", failed: false });
  for (const path of ["inbox.txt", "inbox/own.txt", "0123456789abcdef-a.txt"])
    expect(await run("write", { path, content: "x" })).toMatchObject({ failed: false });
});
