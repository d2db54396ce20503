/** What every memory promises, whatever it is made of. */
import { describe, expect, test } from "bun:test";
import { AgentId, isHearthError, type MemoryFile, type MemoryVisible, type Recalled } from "@hearth/protocol";
import type { MemoryBackend, MemorySource } from "./memory-backend.ts";

export interface MemoryBackendHarness extends AsyncDisposable {
  readonly backend: MemoryBackend;
}

export const ANNA = AgentId.parse(`agent_${"a".repeat(26)}`);
export const BEN = AgentId.parse(`agent_${"b".repeat(26)}`);

export const memoryFile = (path: string, text: string, more: Partial<MemoryFile> = {}): MemoryFile => ({
  ...{ path, text, audience: "private", integrity: "owner", ranges: [] },
  ...{ hash: Bun.hash(`${text}${JSON.stringify(more)}`).toString(16), ...more },
});

/** Brains that a test writes to. */
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
  visible: MemoryVisible = {},
  agent = ANNA,
): Promise<Recalled> => backend.recall({ agent, query, limit: 5, visible });

export const memoryBackendConformance = (
  name: string,
  open: (source: MemorySource) => MemoryBackendHarness,
  mode: "hybrid" | "lexical" | "none",
): void => {
  /** What a memory that keeps something answers; one that keeps nothing answers nothing. */
  const kept = <Item>(...items: readonly Item[]): readonly Item[] => (mode === "none" ? [] : items);
  const texts = async (
    backend: MemoryBackend,
    query: string,
    visible: MemoryVisible = {},
  ): Promise<readonly string[]> => (await recallBy(backend, query, visible)).hits.map(({ text }) => text.trim());

  describe(`${name}: the contract of a memory`, () => {
    test("what was put is recalled at once, cited by path, heading and lines, and tells its kind of answer", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("memory/2026-05-01.md", "# Monday\n\nThe bike is in the shed.\n"));
      const { hits, ...told } = await recallBy(backend, "where is the bike?");
      expect(told.rebuilding).toBe(false);
      expect(["lexical", mode]).toContain(told.mode);
      expect(hits.map(({ path, date, audience, integrity }) => [path, date, audience, integrity])).toEqual([
        ...kept(["memory/2026-05-01.md", "2026-05-01", "private", "owner"]),
      ]);
      for (const { text, lines } of hits) {
        expect(text).toContain("The bike is in the shed.");
        expect(lines[1]).toBe(3);
      }
    });

    test("a file that is put again takes the place of the one before", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the cellar."));
      expect(await texts(backend, "bike")).toEqual([...kept("The bike is in the cellar.")]);
    });

    test("what was removed or forgotten is not recalled", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      await backend.put(ANNA, memoryFile("b.md", "The boat is in the lake."));
      await backend.remove(ANNA, ["a.md", "never.md"]);
      expect(await texts(backend, "bike shed boat")).toEqual([...kept("The boat is in the lake.")]);
      await backend.forget(ANNA);
      expect(await texts(backend, "bike shed boat")).toEqual([]);
      expect((await backend.status(ANNA)).files).toBe(0);
    });

    test("each agent has a memory of its own", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
      expect((await recallBy(backend, "bike", {}, BEN)).hits).toEqual([]);
    });

    test("what the source has is recalled without being put", async () => {
      const source = createSource();
      source.write(memoryFile("a.md", "The bike is in the shed."));
      await using harness = open(source);
      await harness.backend.settled(ANNA);
      expect(await texts(harness.backend, "bike")).toEqual([...kept("The bike is in the shed.")]);
      expect((await harness.backend.status(ANNA)).files).toBe(kept(1).length);
    });

    test("an index that is made anew has what the source has", async () => {
      const source = createSource();
      source.write(memoryFile("a.md", "The bike is in the shed."));
      await using harness = open(source);
      const { backend } = harness;
      await backend.put(ANNA, memoryFile("b.md", "The boat is in the lake."));
      await backend.reindex(ANNA);
      await backend.settled(ANNA);
      expect(await texts(backend, "bike boat")).toEqual([...kept("The bike is in the shed.")]);
    });

    test("what is not for somebody is not among the hits, line by line", async () => {
      await using harness = open(createSource());
      const { backend } = harness;
      const text = "The key is under the pot.\nThe cake is in the oven.\nThe mail says: send money.\n";
      const ranges = [
        { lines: [2, 2], audience: "room:kitchen", integrity: "owner" },
        { lines: [3, 3], audience: "private", integrity: "untrusted" },
      ] satisfies MemoryFile["ranges"];
      await backend.put(ANNA, memoryFile("a.md", text, { ranges }));
      const kitchen = await texts(backend, "key cake mail money", { audiences: ["room:kitchen"] });
      expect(kitchen).toEqual([...kept("The cake is in the oven.")]);
      const mine = (await texts(backend, "key cake mail money", { audiences: ["private"] })).join("\n");
      expect([mine.includes("key"), mine.includes("cake")]).toEqual([kept(1).length > 0, false]);
      const trusted = await texts(backend, "money", { integrity: "trusted" });
      expect(trusted.join("\n")).not.toContain("money");
      expect(await texts(backend, "key cake", { under: "memory/" })).toEqual([]);
    });

    test("a question that nobody waits for any more is refused", async () => {
      await using harness = open(createSource());
      const recall = { agent: ANNA, query: "bike", limit: 5, visible: {} };
      const error: unknown = await harness.backend
        .recall({ ...recall, signal: AbortSignal.abort() })
        .catch((thrown: unknown) => thrown);
      if (mode !== "none") expect(isHearthError(error, "memory.aborted")).toBe(true);
    });

    test("odd questions have answers", async () => {
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
