import { expect, test } from "bun:test";
import { compileFakeGlob } from "./fake-glob.ts";
import { createTools } from "./index.ts";
import { createFakeTools, FAKE_ATTEMPT, fakeMachine } from "./tools-fake.ts";

test("folders end in a slash, files have their size, and links and special files are marked", async () => {
  const { put, run, files } = createFakeTools();
  await put("src/a.ts", "x");
  await put("README.md", "hello");
  await files.plant("way-out", "link");
  await files.plant("pipe", "other");
  expect(await run("list", {})).toEqual({
    text: "README.md 5\npipe [not a file]\nsrc/\nway-out [link]",
    failed: false,
  });
  expect((await run("list", { path: "src/" })).text).toBe("a.ts 1");
});

test("a name with a line break is quoted, and an empty folder is reported", async () => {
  const { files, world, spawn } = createFakeTools();
  const tools = createTools({
    compileGlob: compileFakeGlob,
    files: {
      ...files,
      list: async () => ({ entries: [{ name: "a\nb 1", kind: "file", sizeBytes: 2, modifiedAt: 0 }], total: 1 }),
    },
    spawn,
    machine: fakeMachine,
    clock: world.clock,
    workspace: "/workspace",
  });
  expect(
    (await tools.run("list", {}, { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT })).text,
  ).toBe('"a\\nb 1" 2');
  expect((await createFakeTools().run("list", {})).text).toBe("[empty folder]");
});

test("a large folder is truncated with a note", async () => {
  const { put, run } = createFakeTools();
  for (let index = 0; index < 501; index += 1) await put(`f${String(index).padStart(3, "0")}`, "");
  const { text } = await run("list", {});
  expect(text.split("\n")).toHaveLength(501);
  expect(text).toEndWith("f499 0\n[the first 500 of 501; `glob` finds the others]");
});
