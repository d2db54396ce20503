/** Conformance tests of `CompileGlob`. */
import { describe, expect, test } from "bun:test";
import { createDice, createGlob, createPath } from "../fixtures/pattern-corpus.ts";
import { compileFakeGlob } from "./fake-glob.ts";
import { type CompileGlob, createPathFilter } from "./glob-pattern.ts";

const CASES: readonly (readonly [pattern: string, matching: readonly string[], other: readonly string[]])[] = [
  ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx", "ats"]],
  ["**/*.ts", ["a.ts", "a/b.ts", "a/b/c.ts", ".a/b.ts"], ["a.js", "a.ts/b"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "a/src/b"]],
  ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/ax", "x"]],
  ["a**b", ["ab", "axxb"], ["a/b"]],
  ["a**/b", ["a/b", "axx/b"], ["a/x/b"]],
  ["?.md", ["a.md", "é.md", "😀.md"], ["ab.md", ".md"]],
  ["[a-c].md", ["b.md"], ["d.md"]],
  ["[!a-c].md", ["d.md"], ["b.md"]],
  ["[]].md", [], ["a.md"]],
  ["{a,b/c}.md", ["a.md", "b/c.md"], ["c.md"]],
  ["{a,{b,c}}x", ["ax", "bx", "cx"], ["x"]],
  ["{**/*.ts,*.md}", ["a.ts", "a/b/c.ts", "a.md"], ["a/b.md", "a.js"]],
  ["{a,{b,**/c}}/x", ["a/x", "c/x", "d/e/c/x"], ["d/a/x", "dc/x"]],
  ["{a/**,b/{c,d/**}}", ["a/b/c", "b/c", "b/d/e/f"], ["a", "b/c/d", "c"]],
  ["{a/**,b}c", ["a/dc", "bc"], ["a/d/ec"]],
  ["{**/a", ["{x/a", "{/a"], ["a", "x/a"]],
  ["{a,b", ["{a,b"], ["a"]],
  ["a,b}", ["a,b}"], ["a"]],
  ["a\\*b", ["a*b"], ["axb"]],
  ["(a|b)+.$^", ["(a|b)+.$^"], ["a"]],
  ["./a", ["a"], ["./a"]],
  ["!a", ["!a"], ["a", "b"]],
  ["**", ["a", "a/b"], []],
];

/** Patterns for which a backtracking matcher takes minutes, each with a path. */
const HOSTILE: readonly (readonly [pattern: string, path: string])[] = [
  ["*a*a*a*a*a*a*a*b", "a".repeat(255)],
  [`${"*a".repeat(20)}b`, "a".repeat(255)],
  ["**/**/**/**/**/**/x", "a/".repeat(400)],
  [`${"**/a/".repeat(8)}x`, "a/".repeat(400)],
  [`${"{a,aa}".repeat(20)}b`, "a".repeat(255)],
  [`${"{*a,a*}".repeat(20)}b`, "a".repeat(255)],
  [`${"{**/a,**/a/a}/".repeat(20)}b`, "a/".repeat(400)],
  [`${"{a,b".repeat(100)}${"}".repeat(100)}x`, "a".repeat(255)],
];
const GENERATED_PATTERNS = 300;
const PATHS_PER_PATTERN = 10;

export const globConformance = (name: string, compile: CompileGlob, { isLinear = true } = {}): void => {
  describe(`file patterns: ${name}`, () => {
    for (const [pattern, matching, other] of CASES) {
      test(`${pattern} matches the right paths`, () => {
        const matches = createPathFilter(pattern, compile);
        for (const path of matching) expect([path, matches(path)]).toEqual([path, true]);
        for (const path of other) expect([path, matches(path)]).toEqual([path, false]);
      });
    }

    test("generated patterns match as their alternatives do, written out", () => {
      const dice = createDice(2);
      for (let count = 0; count < GENERATED_PATTERNS; count += 1) {
        const pattern = createGlob(dice);
        const [matches, matchesFake] = [compile(pattern), compileFakeGlob(pattern)];
        for (let index = 0; index < PATHS_PER_PATTERN; index += 1) {
          const path = createPath(dice);
          expect([pattern, path, matches(path)]).toEqual([pattern, path, matchesFake(path)]);
        }
      }
    });

    test.skipIf(!isLinear)("hostile patterns are fast", () => {
      for (const [pattern, path] of HOSTILE) expect([pattern, compile(pattern)(path)]).toEqual([pattern, false]);
    });
  });
};
