import { expect, test } from "bun:test";
import fc from "fast-check";
import { piecesOf, sectionsOf } from "./sections.ts";

test("a document is split at its anchors", () => {
  expect(sectionsOf("[page 1]\nThe lease.\n\n[page 2]\n\n[page 3]\nSigned [page 9] here.")).toEqual([
    { place: "page 1", text: "The lease." },
    { place: "page 2", text: "" },
    { place: "page 3", text: "Signed [page 9] here." },
  ]);
  expect(sectionsOf("Title\n\n[sheet Budget 2026]\n| a |")).toEqual([
    { place: "", text: "Title" },
    { place: "sheet Budget 2026", text: "| a |" },
  ]);
  expect(sectionsOf("no parts")).toEqual([{ place: "", text: "no parts" }]);
  expect(sectionsOf("")).toEqual([]);
});

test("a long text is split at the end of a line, or else between words", () => {
  const line = "word ".repeat(399).trim();
  expect(piecesOf(`${line}\n${line}`)).toEqual([line, line]);
  const pieces = piecesOf("word ".repeat(3000));
  expect(pieces.every((piece) => piece.length <= 3000 && /^word.*word$/s.test(piece))).toBe(true);
  expect(pieces.join(" ")).toBe("word ".repeat(3000).trim());
  expect(piecesOf(" \n ")).toEqual([]);
});

test("pieces have every letter of the text, in its order", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 9000 }), (text) => {
      expect(piecesOf(text).join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
    }),
    { numRuns: 30 },
  );
});
