import { expect, test } from "bun:test";
import { createMemoryIndex } from "../index/memory-index.ts";
import { findCandidates } from "./candidates.ts";
import { contextSignals, type ContextSignalName } from "./context-signals.ts";
import { analyzeQuestion } from "./question.ts";

const texts = ["Where is the pump?", "In the cellar.", "Good.", "It rains."];

const open = () => {
  const index = createMemoryIndex();
  for (const path of ["a.md", "b.md"]) {
    const chunks = (path === "a.md" ? texts : ["A pump.", "A pump, a pump, a pump."]).map((text, ordinal) => ({
      id: `${path}#${ordinal}`,
      path,
      headings: [],
      ordinal,
      lines: [ordinal + 1, ordinal + 1] as const,
      text,
      audience: "private",
      integrity: "owner" as const,
    }));
    index.put({ path, hash: path, chunks });
  }
  return index;
};

const find = (query: string, lexical: number) =>
  findCandidates({
    index: open(),
    question: analyzeQuestion(query, []),
    vectors: [],
    visible: {},
    limits: { lexical, nearest: 0, neighbours: lexical },
  });

test("only the direct neighbours of a found chunk become candidates", () => {
  const { all, files } = find("cellar", 1);
  expect(all.map(({ chunk }) => chunk.id)).toEqual(["a.md#0", "a.md#1", "a.md#2"]);
  expect(all.map(({ previous, next }) => [previous, next])).toEqual([
    [-1, 1],
    [0, 2],
    [1, -1],
  ]);
  expect(files).toBe(1);
});

test("context signals come from the first pass's scores of the neighbours, the file and the answered question", () => {
  const candidates = find("pump cellar rains good", 10);
  const ids = candidates.all.map(({ chunk }) => chunk.id);
  expect(ids).toEqual(["a.md#0", "a.md#1", "a.md#2", "a.md#3", "b.md#0", "b.md#1"]);
  const first = Float64Array.of(2, 0, 1, -1, 3, 0.5);
  const of = (name: ContextSignalName): readonly number[] =>
    contextSignals.filter((signal) => signal.name === name).flatMap((signal) => [...signal.compute(first, candidates)]);
  expect(of("previous")).toEqual([-1, 2, 0, 1, -1, 3]);
  expect(of("next")).toEqual([0, 1, -1, -1, 0.5, -1]);
  expect(of("second before")).toEqual([-1, -1, 2, 0, -1, -1]);
  expect(of("second after")).toEqual([1, -1, -1, -1, -1, -1]);
  expect(of("answers a question")).toEqual([0, 2, 0, 0, 0, 0]);
  expect(of("asks well")).toEqual([2, 0, 0, 0, 0, 0]);
  expect(of("best of file")).toEqual([2, 2, 2, 2, 3, 3]);
  expect(of("file")).toEqual([1, 1, 1, 1, 1.75, 1.75]);
});
