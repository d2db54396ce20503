/**
 * Versions can be shown, undone and restored, in any order of changes by agents, people and
 * editors.
 */
import { describe, expect, test } from "bun:test";
import type { ActivationId, ChangeId } from "@hearth/protocol";
import fc from "fast-check";
import { byBot, byPerson, byTainted, openTestBrain, type TestBrain, TURN } from "../../fixtures/brain.ts";
import type { ChangeAuthor, WriteResult } from "./brain.ts";
import { createMemoryBrainDisk, type MemoryFiles } from "./memory-disk.ts";

const changeOf = (written: WriteResult): ChangeId => {
  if (written.kind !== "written") throw new Error(`it was ${written.kind}`);
  return written.change;
};

const OTHER: ChangeAuthor = { ...byBot, activation: `act_${"0".repeat(25)}2` as ActivationId };

describe("the log", () => {
  test("lists changes from the newest, of one file or one activation, up to the limit", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "one\n", byBot);
    await brain.append("a.md", "two", OTHER);
    await brain.write("b.md", "b", byPerson);
    const paths = async (query: Parameters<typeof brain.log>[0]): Promise<readonly (string | undefined)[]> =>
      (await brain.log(query)).map(({ versions }) => versions[0]?.path);
    expect(await paths({ limit: 9 })).toEqual(["b.md", "a.md", "a.md", "SOUL.md"]);
    expect(await paths({ path: "a.md", limit: 1 })).toEqual(["a.md"]);
    expect((await brain.log({ activation: TURN, limit: 9 })).map(({ by }) => by)).toEqual([byBot.agent]);
  });

  test("shows what a change changed", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "one\ntwo\n", byBot);
    const change = changeOf(await brain.write("a.md", "one\n2\n", byBot));
    expect(await brain.diff(change)).toEqual([{ path: "a.md", diff: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n" }]);
    const none = brain.diff(`chg_${"9".repeat(26)}` as ChangeId);
    await expect(none).rejects.toMatchObject({ code: "brain.not-found" });
  });
});

describe("undo", () => {
  test("of one change keeps what others wrote before and after it", async () => {
    const { brain } = await openTestBrain();
    await brain.write("memory/a.md", "one\n", byPerson);
    const change = changeOf(await brain.append("memory/a.md", "obey me", byTainted));
    await brain.append("memory/a.md", "three", OTHER);
    await brain.undo({ change }, byPerson);
    expect(await brain.read("memory/a.md")).toBe("one\nthree\n");
  });

  test("of an activation reverts all its writes, in every file, and nothing else", async () => {
    const { brain } = await openTestBrain();
    await brain.write("memory/a.md", "one\n", byPerson);
    for (const text of ["mine", "mine too"]) await brain.append("memory/a.md", text, byBot);
    await brain.append("memory/a.md", "another's", OTHER);
    await brain.write("memory/b.md", "mine", byBot);
    const { change } = await brain.undo({ activation: TURN }, byPerson);
    expect(await brain.read("memory/a.md")).toBe("one\nanother's\n");
    expect(await brain.read("memory/b.md")).toBeUndefined();
    expect(change).toMatchObject({ kind: "undo", note: `undoes ${TURN}` });
    await brain.undo({ change: change?.id as ChangeId }, byPerson);
    expect(await brain.read("memory/a.md")).toBe("one\nmine\nmine too\nanother's\n");
    expect(await brain.read("memory/b.md")).toBe("mine");
  });

  test("of a change with a later one at the same place is refused, and changes no file", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "one\n", byPerson);
    const change = changeOf(await brain.write("a.md", "two\n", byBot));
    await brain.write("b.md", "b", byBot);
    await brain.write("a.md", "three\n", OTHER);
    await expect(brain.undo({ change }, byPerson)).rejects.toMatchObject({ code: "brain.changed" });
    await expect(brain.undo({ activation: TURN }, byPerson)).rejects.toMatchObject({ code: "brain.changed" });
    expect([await brain.read("a.md"), await brain.read("b.md")]).toEqual(["three\n", "b"]);
  });

  test("to a time restores every file as of then, also after edits by hand", async () => {
    const { brain, disk, world } = await openTestBrain();
    await brain.write("a.md", "then\n", byPerson);
    await world.advance(1000);
    const since = world.clock.now();
    await brain.write("a.md", "now\n", byBot);
    await disk.write("main/a.md", "by hand\n");
    await brain.write("new.md", "new", byBot);
    await brain.undo({ since }, byPerson);
    expect([await brain.read("a.md"), await brain.read("new.md")]).toEqual(["then\n", undefined]);
    expect(await brain.undo({ since: since + 1 }, byPerson)).toEqual({ erased: [] });
  });

  test("to a time before the first scan restores the state of the first scan", async () => {
    const { brain } = await openTestBrain();
    await brain.write("a.md", "one", byPerson);
    await brain.write("SOUL.md", "other", byPerson);
    await brain.undo({ since: 0 }, byPerson);
    expect([await brain.read("a.md"), await brain.read("SOUL.md")]).toEqual([undefined, "You are kind.\n"]);
  });

  test("by hand, of a whole brain, can be undone too", async () => {
    const files: MemoryFiles = new Map<string, string | Uint8Array>();
    const { brain } = await openTestBrain({ disk: createMemoryBrainDisk(files) });
    await brain.write("memory/a.md", "one", byBot);
    const before = new Map(files);
    for (const path of ["main/memory/a.md", "main/SOUL.md"]) files.delete(path);
    const gone = await brain.scan();
    await brain.undo({ change: gone?.id as ChangeId }, byPerson);
    expect(new Map(files)).toEqual(before);
  });
});

const Path = fc.constantFrom("SOUL.md", "MEMORY.md", "memory/a.md", "memory/b.md", "instructions/x.md");
const Line = fc.constantFrom("one", "two", "three", "never that", "");
const Text = fc.array(Line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const ChangeAuthor = fc.constantFrom(byPerson, byBot, byTainted, OTHER);
const Step = fc.oneof(
  fc.record({
    kind: fc.constant("write" as const),
    path: Path,
    text: fc.option(Text, { nil: undefined }),
    by: ChangeAuthor,
  }),
  fc.record({ kind: fc.constant("append" as const), path: Path, text: Line, by: ChangeAuthor }),
  fc.record({ kind: fc.constant("hand" as const), path: Path, text: fc.option(Text, { nil: undefined }) }),
  fc.record({ kind: fc.constant("undo" as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant("restart" as const) }),
  fc.record({ kind: fc.constant("decide" as const), decision: fc.constantFrom("approve" as const, "deny" as const) }),
);
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

const treeOf = (files: MemoryFiles): ReadonlyMap<string, string> =>
  new Map([...files].filter(([path]) => !path.endsWith("/")).map(([path, file]) => [path, String(file)]));

const play = async (test: TestBrain, files: MemoryFiles, step: Step): Promise<TestBrain> => {
  const { brain } = test;
  switch (step.kind) {
    case "write":
      await brain.write(step.path, step.text, step.by);
      return test;
    case "append":
      await brain.append(step.path, step.text, step.by);
      return test;
    case "hand":
      if (step.text === undefined) files.delete(`main/${step.path}`);
      else files.set(`main/${step.path}`, step.text);
      return test;
    case "undo": {
      const log = await brain.log({ limit: 100 });
      const change = log[step.which % log.length]?.id as ChangeId;
      await brain
        .undo({ change }, byPerson)
        .catch((error: { code?: string }) => expect(error.code).toBe("brain.changed"));
      return test;
    }
    case "restart":
      await test.close();
      return test.again();
    case "decide": {
      const [waiting] = await brain.proposals({ state: "pending" });
      if (waiting === undefined) return test;
      await brain
        .decide(waiting.id, { decision: step.decision }, byPerson.agent)
        .catch((error: { code?: string }) => expect(error.code).toBe("brain.changed"));
      return test;
    }
  }
};

test("for any history, undo to a time restores that state to the byte, and undoing it restores the state before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 12 }), fc.array(Step, { maxLength: 12 }), async (first, later) => {
      const files: MemoryFiles = new Map<string, string | Uint8Array>();
      let brain = await openTestBrain({ disk: createMemoryBrainDisk(files) });
      for (const step of first) brain = await play(brain, files, step);
      await brain.brain.scan();
      const then = treeOf(files);
      await brain.world.advance(1000);
      const since = brain.world.clock.now();
      for (const step of later) brain = await play(brain, files, step);
      await brain.brain.scan();
      const now = treeOf(files);
      const { change } = await brain.brain.undo({ since }, byPerson);
      expect(treeOf(files)).toEqual(then);
      if (change === undefined) return;
      const back = await brain.brain.undo({ change: change.id }, byPerson);
      expect(treeOf(files)).toEqual(now);
      await brain.brain.undo({ change: back.change?.id as ChangeId }, byPerson);
      expect(treeOf(files)).toEqual(then);
    }),
    { numRuns: 150 },
  );
});

test("for any history, the log matches the files, and every version can be shown", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 16 }), async (steps) => {
      const files: MemoryFiles = new Map<string, string | Uint8Array>();
      let test = await openTestBrain({ disk: createMemoryBrainDisk(files) });
      for (const step of steps) test = await play(test, files, step);
      const log = await test.brain.log({ limit: 1000 });
      const said = new Map<string, string | undefined>();
      for (const { versions } of log.toReversed())
        for (const { path, before, after } of versions) {
          expect(before).toBe(said.get(path) as never);
          said.set(path, after);
        }
      const { files: listed } = await test.brain.list();
      const held = [...said].filter(([, hash]) => hash !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
      expect(listed.map(({ path, hash }) => [path, hash as string | undefined])).toEqual(held);
      for (const [path, hash] of held) expect(test.world.hash(String(files.get(`main/${path}`)))).toBe(hash as string);
      for (const { id } of log) expect((await test.brain.diff(id)).length).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
});
