/**
 * The memory process: starting, answering, being killed, a damaged index, and exiting when idle.
 */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@hearth/protocol/until";
import {
  ANNA,
  createSource,
  memoryBackendConformance,
  memoryFile,
  recallBy,
} from "../../process/memory-backend.conformance.ts";
import { createMemoryClient, type MemoryProcess } from "../../process/memory-client.ts";
import { createProcessBackend } from "../../process/process-backend.ts";
import { createFakeEmbedder } from "../../embedders/fake.ts";
import { embedders } from "../../embedders/index.ts";
import { createMiniLm } from "./minilm.ts";
import { startMemoryProcess } from "./memory-process.ts";

const LONG_MS = 600_000;

const inFolder = () => {
  const brains = mkdtempSync(join(tmpdir(), "hearth-memory-"));
  const started: MemoryProcess[] = [];
  const start =
    (embedder: "local" | "fake" | "none" = "fake") =>
    (): MemoryProcess => {
      const process = startMemoryProcess({ brains, embedder });
      started.push(process);
      return process;
    };
  return {
    brains,
    started,
    start,
    index: join(brains, ANNA, "db", "index.db"),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((process) => process.close()));
      await rm(brains, { recursive: true });
    },
  };
};

memoryBackendConformance(
  "a process",
  (source) => {
    const folder = inFolder();
    const backend = createProcessBackend({ start: folder.start(), source, idleMs: LONG_MS });
    return {
      backend,
      async [Symbol.asyncDispose]() {
        await backend[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  },
  "hybrid",
);

describe("the memory process", () => {
  test("answers by words at once, and by meaning when the vectors are complete", async () => {
    await using folder = inFolder();
    await using backend = createProcessBackend({ start: folder.start(), source: createSource(), idleMs: LONG_MS });
    await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
    expect((await recallBy(backend, "bike")).hits).toHaveLength(1);
    await until(async () => !(await backend.status(ANNA)).catchingUp);
    expect((await recallBy(backend, "bike")).mode).toBe("hybrid");
  });

  test("is not started before the first request", async () => {
    await using folder = inFolder();
    await using backend = createProcessBackend({
      start: folder.start("local"),
      source: createSource(),
      idleMs: LONG_MS,
    });
    expect(folder.started).toHaveLength(0);
    await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
    expect(folder.started).toHaveLength(1);
  });

  test("exits when it is idle, and the next request starts it again", async () => {
    await using folder = inFolder();
    await using client = createMemoryClient({ start: folder.start("none"), idleMs: 1 });
    // The process leaves so soon that no answer is certain.
    const ask = () => client.ask({ type: "status", agent: ANNA }).catch(() => undefined);
    await ask();
    expect(await folder.started[0]?.exitReason).toBe("it ended with 0");
    await ask();
    expect(folder.started).toHaveLength(2);
    const source = createSource();
    source.write(memoryFile("a.md", "The bike is in the shed."));
    await using again = createProcessBackend({ start: folder.start("none"), source, idleMs: LONG_MS });
    await again.whenIndexed(ANNA);
    expect((await recallBy(again, "bike")).hits).toHaveLength(1);
    expect(folder.started).toHaveLength(3);
  });

  test("loses no file that was put when it is killed at any moment", async () => {
    await using folder = inFolder();
    const source = createSource();
    await using backend = createProcessBackend({ start: folder.start(), source, idleMs: LONG_MS });
    for (let round = 0; round < 8; round += 1) {
      const files = Array.from({ length: 4 }, (_, at) =>
        memoryFile(`memory/${round}-${at}.md`, `Round${round} bike ${at} in the shed.`),
      );
      for (const file of files) source.write(file);
      const putting = Promise.all(files.map((file) => backend.put(ANNA, file)));
      const last = folder.started.at(-1);
      // Kill it at another point of the work each time.
      for (let turn = 0; turn < round * 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      last?.kill();
      await putting;
    }
    await backend.whenIndexed(ANNA);
    const { hits } = await backend.recall({ agent: ANNA, query: "bike shed", limit: 100, visible: {} });
    expect(new Set(hits.map(({ path }) => path)).size).toBe(32);
    expect(folder.started.length).toBeGreaterThan(4);
  });

  test("rebuilds a damaged or missing index from the source", async () => {
    await using folder = inFolder();
    const source = createSource();
    for (let at = 0; at < 20; at += 1) source.write(memoryFile(`${at}.md`, `The bike number ${at} is in the shed.`));
    const damages = [
      () => writeFileSync(folder.index, "nothing that is a database, but long enough to be looked at twice"),
      () => writeFileSync(folder.index, readFileSync(folder.index).subarray(0, 5000)),
      () => writeFileSync(folder.index, readFileSync(folder.index).fill(0x5a, 4096 * 2)),
      () => rm(join(folder.brains, ANNA), { recursive: true }),
    ];
    for (const damage of [() => undefined, ...damages]) {
      await damage();
      await using backend = createProcessBackend({ start: folder.start(), source, idleMs: LONG_MS });
      await backend.whenIndexed(ANNA);
      const { hits, rebuilding } = await backend.recall({ agent: ANNA, query: "bike shed", limit: 100, visible: {} });
      expect([hits.length, rebuilding]).toEqual([20, false]);
    }
  });

  test("rebuilds an index that is deleted or replaced while open, and reports `rebuilding`", async () => {
    await using folder = inFolder();
    const source = createSource();
    for (let at = 0; at < 20; at += 1) source.write(memoryFile(`${at}.md`, `The bike number ${at} is in the shed.`));
    await using backend = createProcessBackend({ start: folder.start("none"), source, idleMs: LONG_MS });
    await backend.whenIndexed(ANNA);
    const takings = [
      () => rm(folder.index),
      () => rm(dirname(folder.index), { recursive: true }),
      () => rm(folder.index).then(() => writeFileSync(folder.index, "")),
    ];
    for (const take of takings) {
      expect((await backend.status(ANNA)).rebuilding).toBe(false);
      await take();
      expect((await backend.status(ANNA)).rebuilding).toBe(true);
      await backend.whenIndexed(ANNA);
      const { files, rebuilding } = await backend.status(ANNA);
      expect([files, rebuilding, existsSync(folder.index)]).toEqual([20, false, true]);
      await take();
      expect((await backend.recall({ agent: ANNA, query: "bike", limit: 100, visible: {} })).rebuilding).toBe(true);
      await backend.whenIndexed(ANNA);
      expect((await backend.recall({ agent: ANNA, query: "bike", limit: 100, visible: {} })).hits).toHaveLength(20);
    }
    expect(folder.started).toHaveLength(1);
  });

  test("forgets files that are gone from the source, and notices files that were edited by hand", async () => {
    await using folder = inFolder();
    const source = createSource();
    source.write(memoryFile("a.md", "The bike is in the shed."));
    source.write(memoryFile("b.md", "The boat is in the lake."));
    {
      await using backend = createProcessBackend({ start: folder.start(), source, idleMs: LONG_MS });
      await backend.whenIndexed(ANNA);
    }
    source.erase("a.md");
    source.write(memoryFile("b.md", "The boat is in the harbour."));
    await using backend = createProcessBackend({ start: folder.start(), source, idleMs: LONG_MS });
    await backend.whenIndexed(ANNA);
    expect((await recallBy(backend, "bike boat lake harbour")).hits.map(({ text }) => text)).toEqual([
      "The boat is in the harbour.",
    ]);
  });

  test("rejects an invalid request and still answers other requests", async () => {
    await using folder = inFolder();
    await using client = createMemoryClient({ start: folder.start(), idleMs: LONG_MS });
    const wrong = client
      .ask({ type: "status", agent: "agent_../../etc" as typeof ANNA })
      .catch((error: unknown) => error);
    expect(isHearthError(await wrong, "request.invalid")).toBe(true);
    expect((await client.ask({ type: "status", agent: ANNA })).files).toBe(0);
    const stop = new AbortController();
    const stopped = client.ask({ type: "status", agent: ANNA }, stop.signal).catch((error: unknown) => error);
    stop.abort();
    expect(isHearthError(await stopped, "memory.aborted")).toBe(true);
  });

  test("reports the signal that killed it, and `memory.lost` after it was closed", async () => {
    await using folder = inFolder();
    const client = createMemoryClient({ start: folder.start(), idleMs: LONG_MS });
    await client.ask({ type: "status", agent: ANNA });
    const request = client
      .ask({ type: "put", agent: ANNA, file: memoryFile("a.md", "word ".repeat(200_000)) })
      .catch((error: unknown) => error);
    folder.started[0]?.kill();
    const error = await request;
    expect(isHearthError(error, "memory.lost")).toBe(true);
    expect(String(error)).toContain("SIGKILL");
    await client[Symbol.asyncDispose]();
    expect(
      isHearthError(
        await client.ask({ type: "status", agent: ANNA }).catch((thrown: unknown) => thrown),
        "memory.lost",
      ),
    ).toBe(true);
  });
});

describe("an embedder that only the house can reach", () => {
  /** An embedding server on loopback, which the house calls. */
  const peer = () => {
    const fake = createFakeEmbedder();
    const texts: string[] = [];
    let refuses = false;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { input } = (await request.json()) as { input: readonly string[] };
        texts.push(...input);
        if (refuses) return new Response("", { status: 500 });
        return Response.json({ embeddings: (await fake.embed(input)).map((vector) => [...vector]) });
      },
    });
    const embedder = embedders.ollama({
      ...createFakeWorld({ hash: () => "", fetch }),
      baseUrl: `http://127.0.0.1:${server.port}`,
      model: "m",
      dimensions: fake.dimensions,
    });
    if (embedder === undefined) throw new Error("the factory returned no embedder");
    return {
      embedder,
      texts,
      refuse() {
        refuses = true;
      },
      [Symbol.asyncDispose]: () => server.stop(true),
    };
  };

  test("is called by the process over the pipe, for texts and for queries", async () => {
    await using folder = inFolder();
    await using there = peer();
    const start = (): MemoryProcess => startMemoryProcess({ brains: folder.brains, embedder: there.embedder });
    await using backend = createProcessBackend({
      start,
      source: createSource(),
      idleMs: LONG_MS,
      embedder: there.embedder,
    });
    await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
    await until(async () => !(await backend.status(ANNA)).catchingUp);
    expect((await recallBy(backend, "the bicycle")).mode).toBe("hybrid");
    expect(there.texts).toContain("the bicycle");
    expect(there.texts.some((text) => text.includes("The bike is in the shed."))).toBe(true);
  });

  test("when it fails, the search uses words alone and the status says why", async () => {
    await using folder = inFolder();
    await using there = peer();
    there.refuse();
    const start = (): MemoryProcess => startMemoryProcess({ brains: folder.brains, embedder: there.embedder });
    await using backend = createProcessBackend({
      start,
      source: createSource(),
      idleMs: LONG_MS,
      embedder: there.embedder,
    });
    await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
    const { hits, mode } = await recallBy(backend, "bike");
    expect([hits.length, mode]).toEqual([1, "lexical"]);
    await until(async () => (await backend.status(ANNA)).problem !== undefined);
    expect((await backend.status(ANNA)).problem).toContain("ollama answered 500");
  });

  test("when the house has none, the search uses words alone", async () => {
    await using folder = inFolder();
    const start = (): MemoryProcess =>
      startMemoryProcess({ brains: folder.brains, embedder: { name: "nobody/m", dimensions: 32 } });
    await using backend = createProcessBackend({ start, source: createSource(), idleMs: LONG_MS });
    await backend.put(ANNA, memoryFile("a.md", "The bike is in the shed."));
    expect((await recallBy(backend, "bike")).mode).toBe("lexical");
  });
});

const isInstalled = await createMiniLm()
  .embed(["x"])
  .then(
    () => true,
    () => false,
  );

test.skipIf(!isInstalled)("the local model finds a text that shares no word with the query", async () => {
  await using folder = inFolder();
  await using backend = createProcessBackend({ start: folder.start("local"), source: createSource(), idleMs: LONG_MS });
  const notes = [
    "Her dog barks at night.",
    "The invoice was sent on Monday.",
    "Bread needs an hour.",
    "Trains are late.",
  ];
  const more = ["The lamp is broken.", "Taxes are due in May.", "He plays the piano.", "It rains in the north."];
  for (const [at, note] of [...notes, ...more].entries()) await backend.put(ANNA, memoryFile(`${at}.md`, note));
  await until(async () => !(await backend.status(ANNA)).catchingUp);
  const { hits, mode } = await recallBy(backend, "Which animal does she own?");
  expect(mode).toBe("hybrid");
  expect(hits.slice(0, 3).map(({ text }) => text)).toContain("Her dog barks at night.");
});
