/** Conformance tests of `MemoryBackend`. */
import { describe, expect, test } from "bun:test";
import { AgentId, isHearthError, type MemoryBackend, type MemorySource } from "@hearth/protocol";
import type { MemoryFile, MemoryFilter, RecallResult } from "@hearth/protocol/memory-frames";

export interface MemoryBackendHarness extends AsyncDisposable {
  readonly backend: MemoryBackend;
}

export const ANNA = AgentId.parse(`agent_${"a".repeat(26)}`);
export const BEN = AgentId.parse(`agent_${"b".repeat(26)}`);

export const memoryFile = (path: string, text: string, overrides: Partial<MemoryFile> = {}): MemoryFile => ({
  path,
  text,
  audience: "private",
  integrity: "owner",
  ranges: [],
  hash: Bun.hash(`${text}${JSON.stringify(overrides)}`).toString(16),
  ...overrides,
});

/** A source that tests can write to. */
export const createSource = (): MemorySource & {
  write(file: MemoryFile, agent?: AgentId): void;
  erase(path: string): void;
} => {
  const brains = new Map<AgentId, Map<string, MemoryFile>>();
  return {
    list: (agent) => Promise.resolve(new Map([...(brains.get(agent) ?? [])].map(([path, { hash }]) => [path, hash]))),
    read: (agent, path) => Promise.resolve(brains.get(agent)?.get(path)),
    retrieval: () => Promise.resolve("hybrid"),
    write(file, agent = ANNA) {
      brains.set(agent, (brains.get(agent) ?? new Map<string, MemoryFile>()).set(file.path, file));
    },
    erase: (path) => void brains.get(ANNA)?.delete(path),
  };
};

export const recallBy = (
  backend: MemoryBackend,
  query: string,
  visible: MemoryFilter = {},
  agent = ANNA,
): Promise<RecallResult> => backend.recall({ agent, query, limit: 5, visible });

export const memoryBackendConformance = (
  name: string,
  open: (source: MemorySource) => MemoryBackendHarness,
  mode: "hybrid" | "lexical" | "none",
): void => {
  /** Returns the expected items, or none for a backend that stores nothing. */
  const unlessNone = <Item>(...items: readonly Item[]): readonly Item[] => (mode === "none" ? [] : items);
  const texts = async (backend: MemoryBackend, query: string, visible: MemoryFilter = {}): Promise<readonly string[]> =>
    (await recallBy(backend, query, visible)).hits.map(({ text }) => text.trim());

  describe(`${name}: the contract of a memory`, () => {
    test("a file is recalled right after `put`, with path, date, lines and search mode", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("memory/2026-05-01.md", "# Monday\n\nThe bike is in the shed.\n"));
      const { hits, ...answer } = await recallBy(backend, "where is the bike?");
      expect(answer.rebuilding).toBe(false);
      expect(["lexical", mode]).toContain(answer.mode);
      expect(hits.map(({ path, date, audience, integrity }) => [path, date, audience, integrity])).toEqual([
        ...unlessNone(["memory/2026-05-01.md", "2026-05-01", "private", "owner"]),
      ]);
      for (const { text, lines } of hits) {
        expect(text).toContain("The bike is in the shed.");
        expect(lines[1]).toBe(3);
      }
    });

    test("a file that is put again replaces the earlier one", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the cellar."));
      expect(await texts(backend, "bike")).toEqual([...unlessNone("The bike is in the cellar.")]);
    });

    test("removed files are not recalled", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("b.md", "The boat is in the lake."));
      await backend.remove(ANNA, ["a.md", "never.md"]);
      expect(await texts(backend, "bike shed boat")).toEqual([...unlessNone("The boat is in the lake.")]);
    });

    test("files that a query leaves out are not recalled", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("b.md", "The boat is in the lake."));
      expect(await texts(backend, "bike boat", { except: ["a.md"] })).toEqual([
        ...unlessNone("The boat is in the lake."),
      ]);
    });

    test("agents do not share their memories", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      expect((await recallBy(backend, "bike", {}, BEN)).hits).toEqual([]);
    });

    test("files of the source are recalled without `put`", async () => {
      const source = createSource();
      source.write(memoryFile("a.md", "The bike is in the shed."));
      await using harness = open(source);
      await harness.backend.whenIndexed(ANNA);
      expect(await texts(harness.backend, "bike")).toEqual([...unlessNone("The bike is in the shed.")]);
      expect((await harness.backend.status(ANNA)).files).toBe(unlessNone(1).length);
    });

    test("a rebuilt index contains the files of the source", async () => {
      const source = createSource();
      source.write(memoryFile("a.md", "The bike is in the shed."));
      await using harness = open(source);
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("b.md", "The boat is in the lake."));
      await backend.reindex(ANNA);
      await backend.whenIndexed(ANNA);
      expect(await texts(backend, "bike boat")).toEqual([...unlessNone("The bike is in the shed.")]);
    });

    test("hits contain only lines for the given audience and integrity", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      const text = "The key is under the pot.\nThe cake is in the oven.\nThe mail says: send money.\n";
      const ranges = [
        { lines: [2, 2], audience: "room:kitchen", integrity: "owner" },
        { lines: [3, 3], audience: "private", integrity: "untrusted" },
      ] satisfies MemoryFile["ranges"];
      await backend.put(ANNA, memoryFile("a.md", text, { ranges }));
      const kitchen = await texts(backend, "key cake mail money", { audiences: ["room:kitchen"] });
      expect(kitchen).toEqual([...unlessNone("The cake is in the oven.")]);
      const privateTexts = (await texts(backend, "key cake mail money", { audiences: ["private"] })).join("\n");
      expect([privateTexts.includes("key"), privateTexts.includes("cake")]).toEqual([unlessNone(1).length > 0, false]);
      const trusted = await texts(backend, "money", { integrity: "trusted" });
      expect(trusted.join("\n")).not.toContain("money");
      expect(await texts(backend, "key cake", { under: "memory/" })).toEqual([]);
    });

    test("a search with an aborted signal is rejected", async () => {
      await using harness = open(createSource());
      const recall = { agent: ANNA, query: "bike", limit: 5, visible: {} };
      const error: unknown = await harness.backend
        .recall({ ...recall, signal: AbortSignal.abort() })
        .catch((thrown: unknown) => thrown);
      if (mode !== "none") expect(isHearthError(error, "memory.aborted")).toBe(true);
    });

    test("unusual queries are answered", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("b.bin", "\0\u0001\0binary"));
      for (const query of ["", "?", "the", "\ud800", '" OR 1=1 --', "bike ".repeat(700), "自転車"]) {
        expect(Array.isArray((await recallBy(backend, query)).hits)).toBe(true);
      }
      const none = await backend.recall({ agent: ANNA, query: "bike", limit: 0, visible: {} });
      expect(none.hits).toEqual([]);
    });
  });
};
