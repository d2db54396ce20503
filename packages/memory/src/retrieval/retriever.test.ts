import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Chunk } from "../chunks/chunk.ts";
import { parseDay } from "../chunks/days.ts";
import { toTexts } from "../chunks/texts.ts";
import { createFakeEmbedder } from "../embedders/fake.ts";
import type { ChunkIndex, ChunkVectors, IndexedFile } from "../index/chunk-index.ts";
import { createMemoryIndex } from "../index/memory-index.ts";
import { createExaminer } from "./examine.ts";
import { toParts } from "./parts.ts";
import { createRetriever, type RetrieverOptions, type Search } from "./retriever.ts";

type ChunkFields = Pick<Chunk, "text"> &
  Partial<Pick<Chunk, "speaker" | "date">> & { audience?: string; supersededBy?: string };

const fileOf = (path: string, pieces: readonly ChunkFields[]): IndexedFile => ({
  path,
  hash: path,
  chunks: pieces.map(({ audience = "private", ...rest }, ordinal) => ({
    id: `${path}#${ordinal}`,
    path,
    headings: [],
    ordinal,
    lines: [ordinal + 1, ordinal + 1] as const,
    audience,
    integrity: "owner" as const,
    ...rest,
  })),
});

const files = [
  fileOf("2024-03-04.md", [
    { text: "The pipe under the terrace was leaking, 210 for the repair.", speaker: "Ines", date: "2024-03-04" },
    { text: "Good that it is found. What will you plant there?", speaker: "Gil", date: "2024-03-04" },
    { text: "Lavender, and nothing that has to be watered.", speaker: "Ines", date: "2024-03-04" },
  ]),
  fileOf("2024-06-03.md", [
    { text: "The circulation pump was replaced by Pelham Heating.", date: "2024-06-03" },
    { text: "Swam in the quarry with Dagny.", date: "2024-06-03" },
  ]),
  fileOf("secret.md", [{ text: "The pipe of the neighbours leaks as well.", audience: "room:neighbours" }]),
];

const embedder = createFakeEmbedder();

const open = async (all: readonly IndexedFile[] = files, meaning: "vectors" | "none" = "vectors") => {
  const index = createMemoryIndex();
  for (const file of all) index.put(file);
  if (meaning === "vectors") await fill(index);
  return index;
};

const fill = async (index: ChunkIndex): Promise<void> => {
  const made = new Map<number, ChunkVectors>();
  const waiting = index.chunksWithoutVectors(1000);
  const chunks = new Map(waiting.map((chunk) => [chunk.number, chunk]));
  for (const chunk of waiting) {
    const texts = toTexts(chunk, chunks.get(chunk.previous ?? -1), chunks.get(chunk.next ?? -1));
    const all = [texts.whole, texts.withPrevious, texts.window, ...texts.sentences];
    const [whole, withPrevious, window, ...sentences] = await embedder.embed(all);
    if (whole === undefined || withPrevious === undefined || window === undefined)
      throw new Error("a text has no vector");
    made.set(chunk.number, { whole, withPrevious, window, sentences });
  }
  index.setVectors(embedder.name, made);
};

const search = async (options: RetrieverOptions, query: string, rest: Partial<Search> = {}) => {
  const { hits, mode } = await createRetriever(options).search({ query, limit: 3, visible: {}, ...rest });
  return { mode, ids: hits.map(({ chunk }) => chunk.id), hits };
};

describe("a search", () => {
  test("finds a text with the words, and reports hybrid mode", async () => {
    const index = await open();
    const { ids, mode } = await search({ index, embedder }, "Who replaced the pump?");
    expect(ids[0]).toBe("2024-06-03.md#0");
    expect(mode).toBe("hybrid");
  });

  test("finds by words and reports lexical mode without an embedder or vectors", async () => {
    const withVectors = await open();
    const without = await open(files, "none");
    for (const options of [{ index: withVectors }, { index: without, embedder }]) {
      const { ids, mode } = await search(options, "Who replaced the pump?");
      expect(ids[0]).toBe("2024-06-03.md#0");
      expect(mode).toBe("lexical");
    }
  });

  test("is not affected by hidden chunks", async () => {
    const visible = { audiences: ["private"] };
    const seen = await search({ index: await open(), embedder }, "Whose pipe leaks?", { visible, limit: 9 });
    const alone = await search({ index: await open(files.slice(0, 2)), embedder }, "Whose pipe leaks?", { limit: 9 });
    expect(seen.ids).not.toContain("secret.md#0");
    expect(seen.hits.map(({ score, contributions }) => ({ score, why: contributions }))).toEqual(
      alone.hits.map(({ score, contributions }) => ({ score, why: contributions })),
    );
  });

  test("gives the same hits for any order of the files", async () => {
    const one = await search({ index: await open(), embedder }, "What about the terrace?", { limit: 9 });
    const other = await search({ index: await open(files.toReversed()), embedder }, "What about the terrace?", {
      limit: 9,
    });
    expect(other.ids).toEqual(one.ids);
    expect(other.hits.map(({ score }) => score)).toEqual(one.hits.map(({ score }) => score));
  });

  test("compares the topic of the question, too, if the question names a speaker", async () => {
    const index = await open();
    const texts: string[] = [];
    const recording = {
      ...embedder,
      embed(asked: readonly string[]) {
        texts.push(...asked);
        return embedder.embed(asked);
      },
    };
    const examiner = createExaminer({ index, embedder: recording });
    const named = await examiner.examine({ query: "What will Ines plant?", visible: {} });
    const unnamed = await examiner.examine({ query: "What will plant", visible: {} });
    expect(texts).toEqual(["What will Ines plant?", "What will plant", "What will plant"]);
    for (const [ofTopic, ofQuestion] of [
      ["topic", "whole"],
      ["topic in a sentence", "sentence"],
      ["topic with previous", "with previous"],
      ["topic in the window", "window"],
    ] as const) {
      expect(named.ownSignals.get(ofTopic)).toEqual(unnamed.ownSignals.get(ofQuestion)!);
      expect(named.ownSignals.get(ofTopic)).not.toEqual(named.ownSignals.get(ofQuestion)!);
      expect(unnamed.ownSignals.get(ofTopic)).toEqual(unnamed.ownSignals.get(ofQuestion)!);
    }
  });

  test("finds the answer that follows a question with the words", async () => {
    const { ids } = await search({ index: await open(), embedder }, "What will Ines plant?");
    expect(ids.slice(0, 2)).toContain("2024-03-04.md#2");
  });

  test("puts the day in the question first", async () => {
    const days = ["2024-05-07", "2024-05-14", "2024-06-01"];
    const index = await open(days.map((date) => fileOf(`${date}.md`, [{ text: "Swam in the quarry.", date }])));
    expect((await search({ index, embedder }, "Did we swim on 14 May 2024?")).ids[0]).toBe("2024-05-14.md#0");
    const today = parseDay("2024-05-15");
    if (today === undefined) throw new Error("no such day");
    expect((await search({ index, embedder }, "Did we swim yesterday?", { today })).ids[0]).toBe("2024-05-14.md#0");
  });

  test("lists superseded chunks after all others", async () => {
    const old = fileOf("a.md", [{ text: "The boiler's man is Pelham Heating.", supersededBy: "b.md#0" }]);
    const index = await open([
      old,
      fileOf("b.md", [{ text: "For the boiler we ring Fenn." }]),
      fileOf("c.md", [{ text: "A boiler." }]),
    ]);
    expect((await search({ index, embedder }, "Who is the boiler's man?")).ids.at(-1)).toBe("a.md#0");
  });

  test("explains each score as the sum of its signals", async () => {
    const { hits } = await search({ index: await open(), embedder }, "Who replaced the pump?");
    for (const { score, contributions } of hits) {
      expect(Object.values(contributions).reduce((sum, added) => sum + added, 0)).toBeCloseTo(score, 9);
    }
    expect(hits[0]?.contributions["coverage"]).toBeGreaterThan(0);
  });

  test("returns at most `limit` hits", async () => {
    const index = await open();
    expect((await search({ index, embedder }, "pipe", { limit: 2 })).ids).toHaveLength(2);
    expect((await search({ index, embedder }, "pipe", { limit: 0 })).ids).toEqual([]);
  });

  test("finds nothing in an empty index", async () => {
    expect(await search({ index: await open([]), embedder }, "pipe")).toMatchObject({ ids: [], mode: "lexical" });
  });

  test("rejects if it is aborted", async () => {
    const searching = search({ index: await open(), embedder }, "pipe", { signal: AbortSignal.abort() });
    await expect(searching).rejects.toMatchObject({ code: "memory.aborted" });
  });

  test("accepts any query", async () => {
    const index = await open();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (query) => {
        const { hits } = await search({ index, embedder }, query);
        expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true);
      }),
    );
  });
});

describe("the tuning of a search", () => {
  test("ranks by the weighted sum of words and vectors, and explains both parts", async () => {
    const index = await open();
    const query = "Lavender, and nothing that has to be watered.";
    const meaning = await search({ index, embedder }, query, { tuning: { semantic: 1, lexical: 0 } });
    expect(meaning.ids[0]).toBe("2024-03-04.md#2");
    expect(Object.keys(meaning.hits[0]?.contributions ?? {})).toEqual(["whole"]);
    const both = await search({ index, embedder }, "Who replaced the pump?", {
      tuning: { semantic: 0.7, lexical: 0.3 },
    });
    for (const { score, contributions } of both.hits)
      expect(Object.values(contributions).reduce((sum, added) => sum + added, 0)).toBeCloseTo(score, 9);
    expect(both.hits[0]?.contributions["lexical"]).toBeCloseTo(0.3, 9);
  });

  test("uses words if it weighs only vectors but no vectors exist", async () => {
    const { ids, mode } = await search({ index: await open(files, "none") }, "quarry", {
      tuning: { semantic: 1, lexical: 0 },
    });
    expect([ids[0], mode]).toEqual(["2024-06-03.md#1", "lexical"]);
  });

  test("halves the odds of old days per half-life, only if one is set", async () => {
    const days = ["2024-01-01", "2024-04-10", "2024-07-19"];
    const index = await open(days.map((date) => fileOf(`${date}.md`, [{ text: "Swam in the quarry.", date }])));
    const today = parseDay("2024-07-19");
    if (today === undefined) throw new Error("no such day");
    const plain = await search({ index, embedder }, "Where did we swim?", { today });
    expect(plain.hits.every(({ contributions }) => contributions["age"] === undefined)).toBe(true);
    const sinking = await search({ index, embedder }, "Where did we swim?", { today, tuning: { halfLifeDays: 100 } });
    expect(sinking.ids).toEqual(days.toReversed().map((day) => `${day}.md#0`));
    expect(sinking.hits.map(({ contributions }) => contributions["age"] ?? 0)).toEqual([
      0,
      expect.closeTo(-Math.LN2, 9),
      expect.closeTo(-2 * Math.LN2, 9),
    ]);
    const sum = { semantic: 0, lexical: 1, halfLifeDays: 100 };
    const added = await search({ index, embedder }, "quarry", { today, tuning: sum });
    for (const { score, contributions } of added.hits)
      expect(Object.values(contributions).reduce((total, part) => total + part, 0)).toBeCloseTo(score, 9);
  });

  test("groups a score into parts that add up to it", async () => {
    const { hits } = await search({ index: await open(), embedder }, "Who replaced the pump?");
    for (const { score, contributions } of hits) {
      const parts = toParts(contributions);
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
    }
    expect(Object.keys(toParts(hits[0]?.contributions ?? {}))).toEqual(
      expect.arrayContaining(["words", "meaning", "around"]),
    );
  });
});

describe("a tuned retriever", () => {
  test("a blend of words alone ranks like the index, and one of vectors alone by cosine", async () => {
    const index = await open();
    const words = await search({ index, embedder }, "pump replaced quarry", {
      limit: 2,
      tuning: { semantic: 0, lexical: 1 },
    });
    const numbers = index.lexical(["pump", "replac", "quarri"], 2, {}).map(({ chunk }) => chunk);
    expect(words.hits.map(({ chunk }) => chunk.number)).toEqual(numbers);
    const query = "Lavender, and nothing that has to be watered.";
    const meaning = await search({ index, embedder }, query, { tuning: { semantic: 1, lexical: 0 } });
    expect(meaning.ids[0]).toBe("2024-03-04.md#2");
  });
});
