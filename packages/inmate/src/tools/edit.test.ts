import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("a single match is replaced, and `$&` is literal", async () => {
  const { put, run, get } = createFakeTools();
  await put("a", "one two three");
  expect(await run("edit", { path: "a", old: "two", new: "$& $1 $$" })).toEqual({
    text: "Replaced 1 place in a.",
    failed: false,
  });
  expect(await get("a")).toBe("one $& $1 $$ three");
});

test("a missing or ambiguous text changes nothing, and the error explains what to do", async () => {
  const { put, run, get } = createFakeTools();
  await put("a", "x y x");
  expect(await run("edit", { path: "a", old: "z", new: "q" })).toEqual({
    text: "`old` is not in the file. It must match exactly, white space included. Read the file again.",
    failed: true,
  });
  expect(await run("edit", { path: "a", old: "x", new: "q" })).toEqual({
    text: "`old` is in the file 2 times. Give more of the text around it, or set `all`.",
    failed: true,
  });
  expect(await get("a")).toBe("x y x");
});

test("`all` replaces every match", async () => {
  const { put, run, get } = createFakeTools();
  await put("a", "x y x");
  expect((await run("edit", { path: "a", old: "x", new: "xx", all: true })).text).toBe("Replaced 2 places in a.");
  expect(await get("a")).toBe("xx y xx");
});

test("Windows line endings are kept although the model writes plain ones", async () => {
  const { put, run, get } = createFakeTools();
  await put("a", "\ufeffone\r\ntwo\r\nthree\r\n");
  await run("edit", { path: "a", old: "one\ntwo\n", new: "1\n2\n2b\n" });
  expect(await get("a")).toBe("\ufeff1\r\n2\r\n2b\r\nthree\r\n");
  await run("edit", { path: "a", old: "three", new: "3\n4" });
  expect(await get("a")).toBe("\ufeff1\r\n2\r\n2b\r\n3\r\n4\r\n");
});

test("an empty `old`, or a `new` equal to `old`, is refused", async () => {
  const { put, run } = createFakeTools();
  await put("a", "x");
  expect((await run("edit", { path: "a", old: "", new: "y" })).failed).toBe(true);
  expect((await run("edit", { path: "a", old: "x", new: "x" })).failed).toBe(true);
});

test("a file that is not text is not changed", async () => {
  const { files, run } = createFakeTools();
  await files.write("a", Uint8Array.of(0xff, 65));
  expect((await run("edit", { path: "a", old: "A", new: "B" })).failed).toBe(true);
  expect(await files.read("a", 10)).toEqual(Uint8Array.of(0xff, 65));
});

test("an edit that would make the file too large is refused", async () => {
  const { put, run, files } = createFakeTools();
  await put("a", "x".repeat(2000));
  expect((await run("edit", { path: "a", old: "x", new: "y".repeat(10_000), all: true })).text).toContain(
    "would have 20000000 bytes",
  );
  expect((await files.stat("a")).sizeBytes).toBe(2000);
});
