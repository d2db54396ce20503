import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { HearthError, isHearthError, type Retrieval } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { Embedder } from "../embedders/embedder.ts";
import { createFakeEmbedder } from "../embedders/fake.ts";
import type { ChunkIndex } from "../index/chunk-index.ts";
import { createMemoryIndex } from "../index/memory-index.ts";
import { createHouseMemory } from "./house-memory.ts";
import { ANNA, memoryFile } from "./memory-backend.conformance.ts";

const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** Turns of the event loop after which a condition counts as never met. */
const MOST_TURNS = 100_000;

/** A house memory whose index can become damaged and whose embedder can fail. */
const open = ({ together: batchSize = 1 } = {}) => {
  const world = createFakeWorld({ hash });
  const state = {
    isDamaged: false,
    isMissing: false,
    isGone: false,
    hangs: false,
    setAside: 0,
    erased: 0,
    embedded: 0,
    calls: 0,
  };
  let index = createMemoryIndex();
  const broken = (): ChunkIndex => ({
    ...index,
    lexical(...question) {
      if (state.isDamaged) throw new HearthError("memory.damaged", "The index is damaged.");
      return index.lexical(...question);
    },
  });
  const reset = (): void => {
    index = createMemoryIndex();
    state.isDamaged = false;
    state.isGone = false;
  };
  const fake = createFakeEmbedder();
  const embedder: Embedder = {
    ...fake,
    batchSize,
    async embed(texts, signal) {
      state.calls += 1;
      if (state.hangs)
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new HearthError("memory.aborted", "Embedding was stopped.")));
        });
      if (state.isMissing) throw new HearthError("memory.no-embedder", "There is no model.", { hint: "Get one." });
      state.embedded += texts.length;
      return fake.embed(texts, signal);
    },
  };
  const storageOf = () => ({
    open: broken,
    isReplaced: () => state.isGone,
    setAside() {
      state.setAside += 1;
      reset();
    },
    erase() {
      state.erased += 1;
      reset();
    },
  });
  const memory = createHouseMemory({ ...{ storageOf, embedder, hash }, clock: world.clock });
  const { signal } = new AbortController();
  const put = (path: string, text: string) =>
    memory.answer({ type: "put", agent: ANNA, file: memoryFile(path, text) }, signal);
  const recall = (query: string, retrieval: Retrieval = "hybrid") =>
    memory.answer({ type: "recall", agent: ANNA, retrieval, query, limit: 5, visible: {} }, signal);
  const status = () => memory.answer({ type: "status", agent: ANNA }, signal);
  /**
   * Runs the event loop until the condition holds: embedding results are visible only while the
   * work runs.
   */
  const within = async (holds: () => Promise<boolean>): Promise<void> => {
    let isSo = await holds();
    for (let turn = 0; turn < MOST_TURNS && !isSo; turn += 1) {
      await world.clock.turn();
      isSo = await holds();
    }
    expect(isSo).toBe(true);
  };
  const caughtUp = (): Promise<void> => within(async () => !(await status()).catchingUp);
  /** Waits until the status reports a problem with the embedder. */
  const problemReported = (): Promise<void> => within(async () => (await status()).problem !== undefined);
  return {
    world,
    state,
    memory,
    signal,
    put,
    recall,
    status,
    caughtUp,
    problemReported,
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
};

describe("the memory of a house", () => {
  test("reports damage once, then requests all files again", async () => {
    await using house = open();
    const file = memoryFile("a.md", "The bike is in the shed.");
    const files = { "a.md": file.hash };
    const { memory, signal } = house;
    expect(await memory.answer({ type: "open", agent: ANNA, files }, signal)).toEqual({ wanted: ["a.md"] });
    expect((await house.status()).rebuilding).toBe(true);
    await memory.answer({ type: "put", agent: ANNA, file }, signal);
    expect(await house.status()).toMatchObject({ files: 1, chunks: 1, rebuilding: false });
    house.state.isDamaged = true;
    expect(isHearthError(await house.recall("bike").catch((error: unknown) => error), "memory.damaged")).toBe(true);
    expect(house.state.setAside).toBe(1);
    expect(await house.recall("bike")).toMatchObject({ hits: [], rebuilding: true });
    expect(await memory.answer({ type: "open", agent: ANNA, files }, signal)).toEqual({ wanted: ["a.md"] });
    await memory.answer({ type: "put", agent: ANNA, file }, signal);
    expect(await house.recall("bike")).toMatchObject({ hits: [{ path: "a.md" }], rebuilding: false });
  });

  test("compares words while there is no model, reports that, and retries after a minute", async () => {
    await using house = open();
    house.state.isMissing = true;
    await house.put("a.md", "The bike is in the shed.");
    expect(await house.recall("bike")).toMatchObject({ mode: "lexical", hits: [{ path: "a.md" }] });
    await house.problemReported();
    expect((await house.status()).problem).toBe("There is no model. Get one.");
    house.state.isMissing = false;
    expect((await house.recall("bike")).mode).toBe("lexical");
    expect(house.state.embedded).toBe(0);
    await house.world.advance(60_000);
    await house.caughtUp();
    expect((await house.recall("bike")).mode).toBe("hybrid");
    expect((await house.status()).problem).toBeUndefined();
  });

  test("waits at most eight seconds for the vector of a query, then answers by words and says why", async () => {
    await using house = open();
    await house.put("a.md", "The bike is in the shed.");
    await house.caughtUp();
    house.state.hangs = true;
    const answer = house.recall("bike");
    await house.world.advance(8000);
    expect(await answer).toMatchObject({ mode: "lexical", hits: [{ path: "a.md" }], problem: expect.any(String) });
    expect((await house.status()).problem).toContain("fake did not answer in 8 s");
    house.state.hangs = false;
    expect(await house.recall("bike")).toMatchObject({ mode: "lexical", problem: expect.any(String) });
    await house.world.advance(60_000);
    const again = await house.recall("bike");
    expect([again.mode, again.problem, (await house.status()).problem]).toEqual(["hybrid", undefined, undefined]);
  });

  test("embeds neither the texts nor the queries of an agent whose retrieval is lexical", async () => {
    await using house = open();
    const file = memoryFile("a.md", "The bike is in the shed.");
    await house.memory.answer({ type: "put", agent: ANNA, retrieval: "lexical", file }, house.signal);
    expect(await house.recall("bike", "lexical")).toMatchObject({ mode: "lexical", hits: [{ path: "a.md" }] });
    const status = await house.status();
    expect([status.catchingUp, status.vectors, status.embedder, house.state.calls]).toEqual([false, 0, undefined, 0]);
    expect((await house.recall("bike", "hybrid")).mode).toBe("lexical");
    await house.caughtUp();
    expect((await house.recall("bike", "hybrid")).mode).toBe("hybrid");
    expect(await house.status()).toMatchObject({ chunks: 1, vectors: 1, embedder: "fake" });
    const { calls } = house.state;
    expect((await house.recall("the red bike", "lexical")).mode).toBe("lexical");
    expect(house.state.calls).toBe(calls);
  });

  test("compares words alone while most chunks lack vectors, so that the few with vectors do not hide the others", async () => {
    await using house = open();
    await house.put("a.md", "# One\n\nThe boat is in the lake.\n\n# Two\n\nThe car is at home.");
    await house.caughtUp();
    expect((await house.recall("boat")).mode).toBe("hybrid");
    house.state.hangs = true;
    for (const name of ["b", "c", "d"]) await house.put(`${name}.md`, `The bike of ${name} is in the shed.`);
    const answer = await house.recall("bike of d");
    expect([answer.mode, answer.hits[0]?.path]).toEqual(["lexical", "d.md"]);
  });

  test("embeds texts in batches of the embedder's preferred size", async () => {
    const calls = async (together: number): Promise<number> => {
      await using house = open({ together });
      const notes = Array.from({ length: 8 }, (_, at) => `# Note ${at}\n\nThe bike number ${at} is in the shed.\n\n`);
      await house.put("a.md", notes.join(""));
      await house.caughtUp();
      return house.state.calls;
    };
    expect(await calls(64)).toBe(1);
    expect(await calls(1)).toBeGreaterThan(20);
  });

  test("lists a binary file as left out until it becomes text or is removed", async () => {
    await using house = open();
    await house.put("a.md", "\u0001\u0002\u0003\u0004");
    await house.put("b.md", "\u0001\u0002\u0003\u0004");
    const why = expect.stringContaining("is not text");
    expect(await house.status()).toMatchObject({
      files: 0,
      leftOut: [
        { path: "a.md", why },
        { path: "b.md", why },
      ],
    });
    await house.put("a.md", "The bike is in the shed.");
    await house.memory.answer({ type: "remove", agent: ANNA, paths: ["b.md"] }, house.signal);
    expect(await house.status()).toMatchObject({ files: 1, leftOut: [] });
  });

  test("does not embed an unchanged text again", async () => {
    await using house = open();
    await house.put(
      "a.md",
      "# One\n\nThe bike is in the shed.\n\n# Two\n\nThe boat is in the lake.\n\n# Three\n\nThe car is at home.",
    );
    await house.caughtUp();
    const before = house.state.embedded;
    await house.put(
      "a.md",
      "# One\n\nThe bike is in the shed.\n\n# Two\n\nThe boat is in the lake.\n\n# Three\n\nThe car is sold.",
    );
    await house.caughtUp();
    expect(house.state.embedded - before).toBeLessThan(before);
    expect(house.state.embedded).toBeGreaterThan(before);
  });

  test("`whenIdle` resolves after the idle time without requests, and not before the vectors are complete", async () => {
    await using house = open();
    let isIdle = false;
    void house.memory.whenIdle.then(() => (isIdle = true));
    await house.memory.answer({ type: "idle", afterMs: 1000 }, house.signal);
    await house.put("a.md", "The bike is in the shed.");
    await house.world.advance(900);
    await house.recall("bike");
    await house.world.advance(900);
    expect(isIdle).toBe(false);
    await house.caughtUp();
    await house.world.advance(1100);
    expect(isIdle).toBe(true);
  });

  test("rejects requests after it is closed", async () => {
    const house = open();
    await house[Symbol.asyncDispose]();
    expect(isHearthError(await house.recall("bike").catch((error: unknown) => error), "memory.lost")).toBe(true);
  });
});
