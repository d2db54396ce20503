/** Erasure removes the content everywhere and keeps everything else. */
import { describe, expect, test } from "bun:test";
import type { ChangeId, Label, ProposalId } from "@hearth/protocol";
import fc from "fast-check";
import { BOT, byBot, byPerson, byTainted, openTestBrain, PAGE, type TestBrain } from "../../fixtures/brain.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createBodies } from "./bodies.ts";
import { createMemoryBrainDisk, type MemoryFiles } from "./memory-disk.ts";

const CANARY = "the canary sings at noon";
const LONG = "x".repeat(20_000);

const tables = ["brain_versions", "brain_bodies", "brain_files", "brain_lines", "brain_proposals"] as const;

/** Returns every row of brains, and every blob that a row names, as text. */
const allOf = async ({ store, blobs }: Pick<TestBrain, "blobs"> & { readonly store: Store }): Promise<string> => {
  const rows = (await Promise.all(tables.map((table) => store.select({ table })))).flat();
  const bodies = await store.select({ table: "brain_bodies" });
  const named = await Promise.all(bodies.map(({ hash }) => blobs.get(hash)));
  return JSON.stringify(rows) + named.map((bytes) => new TextDecoder().decode(bytes)).join("\n");
};

const open = async () => {
  const files: MemoryFiles = new Map<string, string | Uint8Array>();
  return { files, ...(await openTestBrain({ disk: createMemoryBrainDisk(files) })) };
};

describe("content from a source", () => {
  test("is removed from every file, version, proposal and blob, and text beside it stays", async () => {
    const { files, brain, store, blobs, world } = await open();
    await brain.write("memory/a.md", "before\n", byPerson);
    await brain.append("memory/a.md", CANARY, byTainted);
    const after = await brain.append("memory/a.md", "after", byBot);
    await brain.write("memory/long.md", `${LONG}\n`, byPerson);
    await brain.append("memory/long.md", CANARY, byTainted);
    await brain.append("SOUL.md", CANARY, byTainted);
    await brain.append("memory/longer.md", CANARY, byTainted);
    await brain.append("memory/longer.md", LONG, byPerson);
    const difference = { table: "brain_bodies", where: { hash: world.hash(`${LONG}\n${CANARY}\n`) } } as const;
    expect(await store.select(difference)).toMatchObject([{ base: world.hash(`${LONG}\n`) }]);
    const blob = world.hash(`${CANARY}\n${LONG}\n`);
    expect(await blobs.get(blob)).toBeDefined();
    files.set("main/USER.md", `moved here: no\n${CANARY}\n`);

    const erased = await brain.erase({ source: PAGE.sources[0] ?? "" }, byPerson);
    expect(erased.files.toSorted()).toEqual(["USER.md", "memory/a.md", "memory/long.md", "memory/longer.md"]);
    expect(erased.change).toMatchObject({ kind: "erase", by: byPerson.agent });
    expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
    expect((await allOf({ store, blobs })).includes("example.org")).toBe(false);
    expect(await store.select(difference)).toEqual([]);
    expect(await blobs.get(blob)).toBeUndefined();
    expect([...files.values()].join("\n")).not.toContain(CANARY);
    expect(await brain.read("memory/a.md")).toBe("before\nafter\n");
    expect(await brain.read("USER.md")).toBe("moved here: no\n");
    // An undo past the erasure restores the rest and reports that something is missing.
    if (after.kind !== "written") throw new Error(after.kind);
    const undone = await brain.undo({ change: after.change }, byPerson);
    expect([await brain.read("memory/a.md"), undone.erased]).toEqual(["before\n", ["memory/a.md"]]);
    expect(await brain.scan()).toBeUndefined();
  });

  test("in old versions only is removed from them", async () => {
    const { brain, store, blobs } = await open();
    await brain.append("memory/a.md", CANARY, byTainted);
    await brain.write("memory/a.md", undefined, byPerson);
    const { files, versions, change } = await brain.erase({ source: PAGE.sources[0] ?? "" }, byPerson);
    expect([files, versions, change?.versions]).toEqual([[], 2, [{ path: "memory/a.md", isErased: true }]]);
    expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
    await brain.undo({ since: 0 }, byPerson);
    expect(await brain.read("memory/a.md")).toBeUndefined();
  });

  test("that does not exist erases nothing", async () => {
    const { brain } = await open();
    const log = await brain.log({ limit: 9 });
    expect(await brain.erase({ source: "https://example.com" }, byPerson)).toEqual({ files: [], versions: 0 });
    expect(await brain.log({ limit: 9 })).toEqual(log);
  });
});

test("erasing a source closes its pending proposals, and leaves those of other sources and those decided", async () => {
  const { brain } = await open();
  const OTHER: Label = { ...PAGE, sources: ["https://example.com/other"] };
  const propose = async (text: string, label: Label): Promise<ProposalId> => {
    const written = await brain.append("SOUL.md", text, { ...byTainted, label });
    if (written.kind !== "proposed") throw new Error(`it was ${written.kind}`);
    return written.proposal;
  };
  const both = { ...PAGE, sources: [...PAGE.sources, ...OTHER.sources] };
  const [approved, pending, other] = [
    await propose("Be brief.", both),
    await propose(CANARY, both),
    await propose("Be slow.", OTHER),
  ];
  await brain.decide(approved, { decision: "approve" }, byPerson.agent);
  await brain.erase({ source: PAGE.sources[0] ?? "" }, byPerson);
  const left = await brain.proposals({});
  expect(new Map(left.map(({ id, state, label }) => [id, [state, label.sources]]))).toEqual(
    new Map([
      [approved, ["approved", OTHER.sources]],
      [pending, ["denied", OTHER.sources]],
      [other, ["pending", OTHER.sources]],
    ]),
  );
});

test("an erased file is gone with its whole history", async () => {
  const { brain, store, blobs, files, streams } = await open();
  await brain.write("memory/a.md", `${CANARY}\n`, byPerson);
  await brain.write("memory/a.md", "later\n", byPerson);
  await brain.write("memory/b.md", "stays\n", byPerson);
  await brain.erase({ path: "memory/a.md" }, byPerson);
  expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
  expect([files.get("main/memory/a.md"), files.get("main/memory/b.md")]).toEqual([undefined, "stays\n"]);
  const [last] = (await streams.read(`agent:${BOT.id}`, 0, 100)).slice(-1);
  expect(last).toMatchObject({ type: "memory-written", path: "memory/a.md" });
  expect(last).not.toHaveProperty("hash");
});

test("lines are erased in every file, and stay erased after a restart", async () => {
  const { brain, again, store, blobs } = await open();
  await brain.write("memory/a.md", `one\n  ${CANARY}\ntwo\n`, byPerson);
  await brain.write("memory/b.md", `${CANARY}`, byBot);
  await brain.erase({ lines: [CANARY] }, byPerson);
  const next = (await again()).brain;
  expect([await next.read("memory/a.md"), await next.read("memory/b.md")]).toEqual(["one\ntwo\n", ""]);
  expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
  expect((await next.log({ limit: 1 }))[0]?.kind).toBe("erase");
});

test("an erasure can be neither undone nor viewed", async () => {
  const { brain } = await open();
  await brain.write("memory/a.md", `one\n${CANARY}\n`, byPerson);
  const { change } = await brain.erase({ lines: [CANARY] }, byPerson);
  expect(await brain.diff(change?.id as ChangeId)).toEqual([{ path: "memory/a.md", diff: "" }]);
  expect(await brain.undo({ change: change?.id as ChangeId }, byPerson)).toEqual({ erased: ["memory/a.md"] });
  expect(await brain.read("memory/a.md")).toBe("one\n");
});

/** Text that all versions share, so that most of them are stored as differences. */
const SHARED = "shared by every version of the file\n".repeat(20);

/** Reads every content that a version names. */
const readVersions = async ({ store, blobs, world }: Pick<TestBrain, "store" | "blobs" | "world">) => {
  const bodies = createBodies({ agent: BOT.id, hash: world.hash, store, blobs });
  const versions = await store.select({ table: "brain_versions", order: [{ column: "place" }] });
  const hashes = versions.flatMap(({ before, after }) => [before, after]).filter((hash) => hash !== null);
  return Promise.all(hashes.map(async (hash) => new TextDecoder().decode(await bodies.read(hash))));
};

test("versions that differ from an erased one can be read, without the erased content", async () => {
  const { brain, store, blobs, world } = await open();
  await brain.write("memory/a.md", `${SHARED}${CANARY}\n`, byPerson);
  for (let line = 0; line < 20; line += 1) await brain.append("memory/a.md", `line ${line}`, byBot);
  const kept = await store.select({ table: "brain_bodies" });
  expect(kept.filter(({ base }) => base !== null).length).toBeGreaterThan(18);
  await brain.erase({ lines: [CANARY] }, byPerson);
  expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
  const texts = await readVersions({ store, blobs, world });
  expect(new Set(texts.filter((text) => text.startsWith(SHARED))).size).toBe(21);
  expect(texts.some((text) => text.includes(CANARY))).toBe(false);
  const left = await store.select({ table: "brain_bodies" });
  expect(left.filter(({ base }) => base !== null).length).toBeGreaterThan(18);
});

test("a version whose base belongs only to an erased file can be read", async () => {
  const { brain, store, blobs, world } = await open();
  await brain.write("memory/a.md", SHARED, byPerson);
  await brain.write("memory/a.md", `${SHARED}more\n`, byPerson);
  await brain.write("memory/b.md", `${SHARED}more\n`, byPerson);
  await brain.erase({ path: "memory/a.md" }, byPerson);
  expect(await readVersions({ store, blobs, world })).toContain(`${SHARED}more\n`);
});

const Path = fc.constantFrom("MEMORY.md", "memory/a.md", "memory/b.md");
const Text = fc
  .array(fc.constantFrom("one", CANARY, "two"), { maxLength: 4 })
  .map((lines) => `${SHARED}${lines.join("\n")}\n`);
const Steps = fc.array(fc.record({ path: Path, text: fc.option(Text, { nil: undefined }) }), { maxLength: 8 });

test("for any history, an undo past an erasure restores the state without the erased content, and undoing that restores the state before", async () => {
  await fc.assert(
    fc.asyncProperty(Steps, Steps, async (first, later) => {
      const { files, brain, world, store, blobs } = await open();
      const treeOf = (): ReadonlyMap<string, string> =>
        new Map([...files].flatMap(([path, file]) => (path.endsWith("/") ? [] : [[path, String(file)] as const])));
      const cut = (tree: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
        new Map([...tree].map(([path, text]) => [path, text.replaceAll(`${CANARY}\n`, "")]));
      for (const { path, text } of first) await brain.write(path, text, byBot);
      const then = treeOf();
      await world.advance(1000);
      const since = world.clock.now();
      for (const { path, text } of later) await brain.write(path, text, byPerson);
      await brain.erase({ lines: [CANARY] }, byPerson);
      const now = treeOf();
      expect((await allOf({ store, blobs })).includes(CANARY)).toBe(false);
      await readVersions({ store, blobs, world });
      const { change } = await brain.undo({ since }, byPerson);
      expect(treeOf()).toEqual(cut(then));
      if (change !== undefined) await brain.undo({ change: change.id }, byPerson);
      expect(treeOf()).toEqual(now);
    }),
    { numRuns: 100 },
  );
});

test("a file can be written after a removal that a crash left unrecorded", async () => {
  const { brain, again } = await openTestBrain();
  await brain.append("MEMORY.md", "one", byPerson);
  await brain.erase({ path: "MEMORY.md" }, byPerson);
  const second = await again();
  await second.brain.append("MEMORY.md", "two", byPerson);
  const third = await again();
  expect(await third.brain.read("MEMORY.md")).toBe("two\n");
});
