import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("a file is created with its folders, then replaced, and the bytes are told", async () => {
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

test("writing the same again leaves the same file, which is why a crash may repeat it", async () => {
  const { run, get } = createFakeTools();
  for (let time = 0; time < 2; time += 1) await run("write", { path: "a", content: "once" });
  expect(await get("a")).toBe("once");
});

test("more than a file may hold is refused", async () => {
  const { run, files } = createFakeTools();
  expect(await run("write", { path: "a", content: "x".repeat(10 * 1024 * 1024 + 1) })).toMatchObject({ failed: true });
  expect((await files.list(".", 10)).total).toBe(0);
});
