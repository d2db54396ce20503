/**
 * Writes to a brain: their versions, line labels, and recovery from a crash between any two steps.
 */
import { describe, expect, test } from "bun:test";
import { type ErrorCode, isHearthError } from "@hearth/protocol";
import { BOT, byBot, byPerson, byTainted, openTestBrain, PAGE, TURN } from "../../fixtures/brain.ts";
import type { Brain } from "./brain.ts";
import type { BrainDisk } from "./disk.ts";
import { createMemoryBrainDisk } from "./memory-disk.ts";

const codeOf = async (asked: Promise<unknown>): Promise<ErrorCode | undefined> => {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  return isHearthError(error) ? error.code : undefined;
};
const integrities = async (brain: Brain, path: string): Promise<readonly string[]> =>
  ((await brain.readLabelled(path)) ?? []).map(({ text, label }) => `${label.integrity} ${text}`);

describe("a write", () => {
  test("produces the file, a version and an event in the agent's log, all with the same hash", async () => {
    const { brain, streams, world, disk } = await openTestBrain();
    const before = await streams.head(`agent:${BOT.id}`);
    const written = await brain.write("memory/a.md", "one\n", byBot);
    const hash = world.hash("one\n");
    expect(written).toEqual({ kind: "written", change: expect.any(String) as never, hash });
    expect(await disk.read("main/memory/a.md")).toBe("one\n");
    const change = written.kind === "written" ? written.change : undefined;
    expect(await streams.read(`agent:${BOT.id}`, before, 10)).toEqual([
      expect.objectContaining({ type: "memory-written", path: "memory/a.md", hash, activation: TURN, change }),
    ]);
    const [newest] = await brain.log({ limit: 1 });
    expect(newest).toEqual({
      ...{ id: change as never, place: 2, kind: "write", at: world.clock.now(), by: BOT.id, activation: TURN },
      versions: [{ path: "memory/a.md", after: hash, isErased: false }],
    });
  });

  test("of the present content writes nothing", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "one", byBot);
    expect(await brain.write("a.md", "one", byBot)).toEqual({ kind: "unchanged" });
    expect(await brain.write("none.md", undefined, byBot)).toEqual({ kind: "unchanged" });
    expect(await brain.log({ path: "a.md", limit: 10 })).toHaveLength(1);
  });

  test("without a text deletes the file, and its version keeps the content", async () => {
    const { brain, disk, world } = await openTestBrain();
    await brain.write("a.md", "one", byBot);
    await brain.write("a.md", undefined, byBot);
    expect(await disk.read("main/a.md")).toBeUndefined();
    expect(await brain.read("a.md")).toBeUndefined();
    const [newest] = await brain.log({ limit: 1 });
    expect(newest?.versions).toEqual([{ path: "a.md", before: world.hash("one"), isErased: false }]);
  });

  test("that appends puts the text on a new line, in call order", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "no end", byPerson);
    await Promise.all(["one", "two\n", "three"].map((text) => brain.append("a.md", text, byBot)));
    expect(await brain.read("a.md")).toBe("no end\none\ntwo\nthree\n");
    await brain.append("memory/new.md", "first", byBot);
    expect(await brain.read("memory/new.md")).toBe("first\n");
  });

  test("stays within the brain", async () => {
    const { brain } = await openTestBrain();
    for (const path of ["workspace/a.md", "Workspace/a.md", "db/index", ".agent", "a/.git/config", "../a.md", "/a", ""])
      for (const asked of [brain.write(path, "x", byPerson), brain.append(path, "x", byPerson)])
        expect([path, await codeOf(asked)]).toEqual([path, "brain.path"]);
  });

  test("of a lone surrogate, a NUL or too much text is refused, and nothing is written", async () => {
    const { brain } = await openTestBrain();
    expect(await codeOf(brain.write("a.md", "\ud800", byPerson))).toBe("brain.text");
    expect(await codeOf(brain.append("a.md", "\0", byPerson))).toBe("brain.text");
    expect(await codeOf(brain.write("a.md", "x".repeat(1024 * 1024 + 1), byPerson))).toBe("brain.too-large");
    expect(await brain.read("a.md")).toBeUndefined();
  });

  test("with an expected hash is refused if the text has changed", async () => {
    const { brain, world, disk } = await openTestBrain();
    await brain.write("a.md", "one", byPerson);
    await disk.write("main/a.md", "edited");
    expect(await codeOf(brain.write("a.md", "two", byPerson, world.hash("one")))).toBe("brain.changed");
    expect(await brain.read("a.md")).toBe("edited");
    expect(await brain.write("a.md", "two", byPerson, world.hash("edited"))).toMatchObject({ kind: "written" });
  });

  test("R25: over an unnoticed edit by hand keeps both as versions", async () => {
    const { brain, disk, world } = await openTestBrain();
    await brain.write("a.md", "one", byBot);
    await disk.write("main/a.md", "by hand");
    await brain.write("a.md", "two", byBot);
    const log = await brain.log({ path: "a.md", limit: 10 });
    expect(log.map(({ kind, by }) => [kind, by])).toEqual([
      ["write", BOT.id],
      ["hand", undefined],
      ["write", BOT.id],
    ]);
    expect(log[1]?.versions[0]?.after).toBe(world.hash("by hand"));
  });
});

describe("a line that a stranger wrote", () => {
  test("has their label, and the lines beside it stay the owner's", async () => {
    const { brain, again } = await openTestBrain();
    await brain.write("memory/a.md", "mine\n", byPerson);
    await brain.append("memory/a.md", "obey me", byTainted);
    const lines = ["owner mine", "untrusted obey me"];
    expect(await integrities(brain, "memory/a.md")).toEqual(lines);
    expect((await brain.readLabelled("memory/a.md"))?.[1]?.label).toEqual(PAGE);
    expect(await integrities((await again()).brain, "memory/a.md")).toEqual(lines);
  });

  test("keeps their label when the owner moves it, indents it, or copies it into another file", async () => {
    const { brain, disk } = await openTestBrain();
    await brain.write("memory/a.md", "obey me\nand me\n", byTainted);
    await disk.write("main/memory/a.md", "mine\n  obey me\n");
    await disk.write("main/USER.md", "also mine\nand me\n");
    expect(await integrities(brain, "memory/a.md")).toEqual(["owner mine", "untrusted   obey me"]);
    expect(await integrities(brain, "USER.md")).toEqual(["owner also mine", "untrusted and me"]);
    await brain.write("TOOLS.md", "obey me\n", byPerson);
    expect(await integrities(brain, "TOOLS.md")).toEqual(["untrusted obey me"]);
  });

  test("that equals an owner's line does not change the owner's line", async () => {
    const { brain } = await openTestBrain();
    await brain.write("memory/a.md", "mine\n", byPerson);
    await brain.write("memory/a.md", "mine\nfresh\n", byTainted);
    await brain.write("memory/b.md", "mine\n", byTainted);
    expect(await integrities(brain, "memory/a.md")).toEqual(["owner mine", "untrusted fresh"]);
    expect(await integrities(brain, "memory/b.md")).toEqual(["untrusted mine"]);
  });

  test("has their label again when it is removed and comes back", async () => {
    const { brain } = await openTestBrain();
    await brain.write("memory/a.md", "obey me\n", byTainted);
    const gone = await brain.write("memory/a.md", "", byPerson);
    await brain.undo({ change: gone.kind === "written" ? gone.change : ("" as never) }, byPerson);
    expect(await integrities(brain, "memory/a.md")).toEqual(["untrusted obey me"]);
  });
});

describe("reading", () => {
  test("returns the same array while nothing has changed, and reads nothing again", async () => {
    const disk = createMemoryBrainDisk();
    let reads = 0;
    const counting: BrainDisk = {
      ...disk,
      tree(folder) {
        const tree = disk.tree(folder);
        return {
          ...tree,
          read(path, maxBytes) {
            reads += 1;
            return tree.read(path, maxBytes);
          },
        };
      },
    };
    const { brain } = await openTestBrain({ disk: counting });
    await brain.write("a.md", "one\n", byPerson);
    const first = await brain.readLabelled("a.md");
    const before = reads;
    expect(await brain.readLabelled("a.md")).toBe(first as never);
    expect(reads).toBe(before);
    await disk.write("main/a.md", "two\n");
    expect(await brain.readLabelled("a.md")).not.toBe(first as never);
  });
});

describe("a crash", () => {
  const dying = (disk: BrainDisk, isDead: () => boolean): BrainDisk => ({
    ...disk,
    tree(folder) {
      const tree = disk.tree(folder);
      const die = async (): Promise<never> => Promise.reject(new Error("the power went"));
      return {
        ...tree,
        replace: (...given) => (isDead() ? die() : tree.replace(...given)),
        remove: (...given) => (isDead() ? die() : tree.remove(...given)),
      };
    },
  });

  test("between the commit and the disk is repaired at the next open: the file has the content, under its author's name", async () => {
    const disk = createMemoryBrainDisk();
    let isDead = false;
    const { brain, again } = await openTestBrain({ disk: dying(disk, () => isDead) });
    await brain.write("memory/a.md", "one\n", byBot);
    await brain.write("memory/b.md", "gone soon\n", byBot);
    isDead = true;
    for (const write of [
      brain.write("memory/a.md", "two\n", byTainted),
      brain.write("memory/new.md", "new\n", byTainted),
      brain.write("memory/b.md", undefined, byBot),
    ])
      await expect(write).rejects.toThrow("the power went");
    expect(await disk.read("main/memory/a.md")).toBe("one\n");
    isDead = false;
    const next = (await again()).brain;
    expect([await disk.read("main/memory/a.md"), await disk.read("main/memory/new.md")]).toEqual(["two\n", "new\n"]);
    expect(await disk.read("main/memory/b.md")).toBeUndefined();
    expect(await integrities(next, "memory/a.md")).toEqual(["untrusted two"]);
    expect((await next.log({ limit: 20 })).map(({ kind }) => kind)).not.toContain("undo");
    expect((await next.log({ path: "memory/a.md", limit: 20 })).map(({ by }) => by)).toEqual([BOT.id, BOT.id]);
  });

  test("with an editor's changes on top keeps the edited text, and the committed one as a version", async () => {
    const disk = createMemoryBrainDisk();
    let isDead = false;
    const { brain, again, world } = await openTestBrain({ disk: dying(disk, () => isDead) });
    await brain.write("a.md", "one", byBot);
    isDead = true;
    await brain.write("a.md", "two", byBot).catch(() => {});
    await disk.write("main/a.md", "by hand");
    isDead = false;
    const next = (await again()).brain;
    expect(await next.read("a.md")).toBe("by hand");
    const afters = (await next.log({ path: "a.md", limit: 9 })).map(({ versions }) => versions[0]?.after);
    expect(afters).toEqual(["by hand", "two", "one"].map((text) => world.hash(text)));
  });
});
