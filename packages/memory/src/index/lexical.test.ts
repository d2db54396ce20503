import { expect, test } from "bun:test";
import { toColumns } from "./columns.ts";
import { makeFile } from "./brains.conformance.ts";
import type { TieOrder } from "./best.ts";
import { createLexicalSearch } from "./lexical.ts";
import { createMemoryIndex } from "./memory-index.ts";
import { createPostings } from "./postings.ts";
import { createRoster } from "./roster.ts";

/** Returns pseudo-random numbers from 0 to 1, the same in every run. */
const createDice = (): (() => number) => {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
};

const WORDS = 400;
const dice = createDice();
/** Low numbers occur in nearly every text, high numbers rarely. */
const anyWord = (): string => `w${Math.floor(WORDS ** dice())}`;
const anyText = (length: number): string => Array.from({ length }, anyWord).join(" ");

const files = Array.from({ length: 60 }, (_, file) =>
  makeFile(
    `memory/${String(file).padStart(3, "0")}.md`,
    Array.from({ length: 40 }, (_, at) => ({
      text: anyText(2 + Math.floor(dice() * 30)),
      audience: (file + at) % 7 === 0 ? "room:a" : "private",
    })),
  ),
);
const visibles = [{}, { audiences: ["private"] }, { under: "memory/01" }];

const open = () => {
  const roster = createRoster();
  const postings = createPostings();
  const terms = new Map<string, number>();
  const plain = createMemoryIndex();
  for (const file of files) {
    plain.put(file);
    const columns = file.chunks.map((chunk) => toColumns(chunk));
    const entries = file.chunks.map(({ audience, integrity }, at) => ({
      audience,
      integrity,
      speaker: "",
      textLength: columns[at]?.textLength ?? 0,
      ownLength: columns[at]?.ownLength ?? 0,
    }));
    const first = roster.add(file.path, entries);
    for (const [at, { counts }] of columns.entries()) {
      for (const [term, stands] of counts) {
        const id = terms.get(term) ?? terms.size;
        terms.set(term, id);
        postings.add(id, first + at, stands);
      }
    }
  }
  const order: TieOrder = (one, other) => one - other;
  const lexical = createLexicalSearch(roster, order);
  const listsOf = function* (words: readonly string[]) {
    for (const term of words) yield postings.read(terms.get(term) ?? terms.size);
  };
  return { roster, plain, lexical, listsOf };
};

test("pruning changes neither the best hits nor any bit of their scores", () => {
  const { roster, plain, lexical, listsOf } = open();
  for (let round = 0; round < 60; round += 1) {
    const words = [...new Set(anyText(1 + (round % 7)).split(" "))];
    for (const visible of visibles) {
      for (const limit of [1, 10, 80]) {
        const found = lexical.search(listsOf(words), limit, roster.visibleChunks(visible));
        expect(found).toEqual([...plain.lexical(words, limit, visible)]);
      }
    }
  }
});
