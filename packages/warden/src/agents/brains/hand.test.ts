/** Edits that people make with their own programs: each becomes a version, and none is lost. */
import { describe, expect, test } from "bun:test";
import { byBot, byPerson, openTestBrain } from "../../fixtures/brain.ts";
import { createMemoryBrainDisk, type MemoryFiles } from "./memory-disk.ts";

describe("an edit by hand", () => {
  test("while no daemon runs is one change at the next open, with added, removed and changed files", async () => {
    const files: MemoryFiles = new Map<string, string | Uint8Array>();
    const { brain, again, close, world } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    await brain.write("memory/a.md", "one\n", byBot);
    await brain.write("memory/b.md", "two\n", byBot);
    await close();
    files.set("main/memory/a.md", "other\n");
    files.delete("main/memory/b.md");
    files.set("main/memory/c.md", "three\n");
    const next = await again();
    const [newest] = await next.brain.log({ limit: 1 });
    expect(newest?.kind).toBe("hand");
    expect(newest?.versions).toEqual([
      { path: "memory/a.md", before: world.hash("one\n"), after: world.hash("other\n"), isErased: false },
      { path: "memory/c.md", after: world.hash("three\n"), isErased: false },
      { path: "memory/b.md", before: world.hash("two\n"), isErased: false },
    ]);
    expect(await next.brain.scan()).toBeUndefined();
  });

  test("to a file that is read is found then, and reported in the agent's log", async () => {
    const { brain, disk, streams } = await openTestBrain();
    await brain.write("a.md", "one", byPerson);
    await disk.write("main/a.md", "two");
    const before = await streams.head("agent:agent_00000000000000000000000002" as never);
    expect(await brain.read("a.md")).toBe("two");
    const [event] = await streams.read("agent:agent_00000000000000000000000002" as never, before, 10);
    expect(event).toMatchObject({ type: "memory-written", path: "a.md" });
    expect(event).not.toHaveProperty("activation");
  });

  test("that changed nothing is not recorded", async () => {
    const files: MemoryFiles = new Map<string, string | Uint8Array>();
    const { brain } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    await brain.write("a.md", "one", byPerson);
    files.set("main/a.md", new TextEncoder().encode("one"));
    expect(await brain.scan()).toBeUndefined();
  });

  test("outside the brain's files is ignored: the workspace, derived files, the owner's tools", async () => {
    const files: MemoryFiles = new Map<string, string | Uint8Array>();
    const { brain } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    for (const path of ["workspace/x", "db/index", ".git/HEAD", "memory/.a.md.swp", "skills/a/node_modules/b/c.js"])
      files.set(`main/${path}`, "x");
    expect(await brain.scan()).toBeUndefined();
    expect((await brain.list()).files.map(({ path }) => path)).toEqual(["SOUL.md"]);
  });
});

describe("a file that is not text", () => {
  const odd: readonly (readonly [string, Uint8Array])[] = [
    ["nothing", new Uint8Array()],
    ["bytes", new Uint8Array([0, 1, 2, 255])],
    ["half a surrogate", new Uint8Array([0x61, 0xed, 0xa0, 0x80, 0x62])],
    ["a mark of its order, and ends of lines of two characters", new TextEncoder().encode("\ufeffa\r\nb\r\n")],
    ["three million bytes", new TextEncoder().encode("long line\n".repeat(300_000))],
  ];
  test.each(odd)("%s: is kept to the byte, reads as a note, and is restored exactly", async (_, bytes) => {
    const files: MemoryFiles = new Map([["main/memory/odd", bytes as string | Uint8Array]]);
    const { brain, disk } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    expect((await brain.readBytes("memory/odd"))?.bytes).toEqual(bytes);
    expect(typeof (await brain.read("memory/odd"))).toBe("string");
    expect(await brain.readLabelled("memory/odd")).toBeDefined();
    const gone = await brain.write("memory/odd", undefined, byPerson);
    if (gone.kind !== "written") throw new Error(gone.kind);
    expect(await brain.diff(gone.change)).toHaveLength(1);
    await brain.undo({ change: gone.change }, byPerson);
    expect((await disk.tree("main").read("memory/odd", 1e9))?.bytes).toEqual(bytes);
  });

  test("cannot be appended to", async () => {
    const files: MemoryFiles = new Map([["main/memory/odd", new Uint8Array([0, 255]) as string | Uint8Array]]);
    const { brain } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    await expect(brain.append("memory/odd", "x", byBot)).rejects.toMatchObject({ code: "brain.text" });
  });
});
