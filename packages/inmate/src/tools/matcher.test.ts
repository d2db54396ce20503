import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import {
  createDice,
  createGlob,
  createLine,
  createPath,
  createRegex,
  matchesGlob,
} from "../fixtures/pattern-corpus.ts";
import { createGlobMatcher } from "./glob-pattern.ts";
import { createMatcher } from "./matcher.ts";
import { parseRegex } from "./regex.ts";

const matches = (pattern: string, text: string, ignoreCase = false): boolean =>
  createMatcher(parseRegex(pattern, { ignoreCase })).find(text) >= 0;

const GENERATED = 300;
const TEXTS_EACH = 10;

describe("compared with the native engine", () => {
  const patterns = [
    "a",
    "abc",
    "",
    "a|b|",
    "^a",
    "a$",
    "^$",
    "^a|b$",
    "a*b",
    "a+?b",
    "a?b",
    "(ab)+c",
    "(?:ab){2}",
    "a{2,3}b",
    "a{2,}",
    "a{0}b",
    "(a|ab)(c|bcd)$",
    "\\d+",
    "\\w+\\s*=\\s*\\w+",
    "[a-c]+x",
    "[^a]b",
    "[\\]x]",
    "[\\w-]+@",
    "\\bab\\b",
    "\\Bb",
    "a\\.b",
    "\\x41",
    "\\u0041",
    "\\p{L}+1",
    ".b",
    ".*a.*b",
    "(?<name>a)b",
    "(a*)*b",
    "((a|b)*c)+$",
    "{",
    "a{",
    "a{,2}",
    "x\\-y",
    "foo(",
    "[",
    "😀+",
    "[😀b]c",
    "\\$\\{",
    "a**",
    "(",
    "a\\/b",
    "\\t",
    "]",
    "}",
    "^\\s*$",
    "(?:)",
  ];
  const texts = [
    "",
    "a",
    "b",
    "ab",
    "aab",
    "aaab",
    "abc",
    "ababc",
    "abcd",
    "xaby",
    "x ab y",
    "b ab",
    "a.b",
    "a b",
    "A",
    "AB",
    "É1",
    "12",
    "key = value",
    "me-2@x",
    "]x",
    "a{",
    "{",
    "a{,2}",
    "x-y",
    "😀",
    "😀😀b",
    "bc",
    "${",
    "a/b",
    "\t",
    "  ",
    "}",
    "foo(",
    "cab",
    "abab",
  ];
  for (const ignoreCase of [false, true]) {
    test(`the same lines match${ignoreCase ? ", ignoring case" : ""}`, () => {
      for (const pattern of patterns) {
        const native = nativeRegex(pattern, ignoreCase);
        if (native === undefined) {
          expect(codeOf(() => parseRegex(pattern, { ignoreCase }))).toBe("tool.invalid");
          continue;
        }
        for (const text of texts)
          expect([pattern, text, matches(pattern, text, ignoreCase)]).toEqual([pattern, text, native.test(text)]);
      }
    });
  }

  test("generated patterns match the same lines", () => {
    const dice = createDice(1);
    for (let count = 0; count < GENERATED; count += 1) {
      const pattern = createRegex(dice);
      const [ours, native] = [createMatcher(parseRegex(pattern, { ignoreCase: false })), new RegExp(pattern, "u")];
      for (let each = 0; each < TEXTS_EACH; each += 1) {
        const line = createLine(dice);
        expect([pattern, line, ours.find(line) >= 0]).toEqual([pattern, line, native.test(line)]);
      }
    }
  });

  test("`find` returns the end of the match that ends first", () => {
    expect(createMatcher(parseRegex("b+", { ignoreCase: false })).find("aabbb")).toBe(3);
    expect(createMatcher(parseRegex("x$", { ignoreCase: false })).find("aax")).toBe(3);
    expect(createMatcher(parseRegex("y", { ignoreCase: false })).find("aax")).toBe(-1);
  });
});

test("patterns that hang a backtracking engine are fast", () => {
  const text = "a".repeat(5_000);
  for (const pattern of [
    "(a+)+$b",
    "(a|a)*b",
    "(a|aa)+$b",
    "a*a*a*a*a*a*b",
    "(.*)*x",
    "(a?){30}a{30}b",
    "([a-z]+)*\\d",
    `${"(a|a)".repeat(30)}b`,
    ".*.*.*.*x",
    ".*a.{300}b",
  ]) {
    expect(matches(pattern, text)).toBe(false);
  }
}, 300_000);

test("a pattern that expands too much is refused with `tool.invalid`", () => {
  for (const pattern of ["(a{100}){100}", "((){9999}){9999}", "a".repeat(1001), "(((a{9}){9}){9}){9}"]) {
    expect(codeOf(() => parseRegex(pattern, { ignoreCase: false }))).toBe("tool.invalid");
  }
});

test("lookaround and backreferences are refused with `tool.invalid`", () => {
  for (const pattern of ["(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"]) {
    expect(codeOf(() => parseRegex(pattern, { ignoreCase: false }))).toBe("tool.invalid");
  }
});

test("a leading (?i) ignores case", () => {
  expect(matches("(?i)HELLO", "say hello")).toBe(true);
});

test("results do not change when the cache is cleared", () => {
  const matcher = createMatcher(parseRegex("(a|b)*a(a|b){14}c$", { ignoreCase: false }));
  let bits = 1;
  const next = (): "a" | "b" => {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    return (bits & 1) === 0 ? "a" : "b";
  };
  const text = Array.from({ length: 60_000 }, next).join("");
  expect(matcher.find(`${text}a${"b".repeat(14)}c`)).toBe(60_016);
  expect(matcher.find(`${text}b${"b".repeat(14)}c`)).toBe(-1);
}, 300_000);

describe("file patterns", () => {
  const cases: readonly (readonly [pattern: string, matching: readonly string[], other: readonly string[]])[] = [
    ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx", "ats"]],
    ["**/*.ts", ["a.ts", "a/b.ts", "a/b/c.ts", ".a/b.ts"], ["a.js", "a.ts/b"]],
    ["src/**", ["src/a", "src/a/b"], ["src", "a/src/b"]],
    ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/ax", "x"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["a**/b", ["a/b", "axx/b"], ["a/x/b"]],
    ["?.md", ["a.md", "é.md", "😀.md"], ["ab.md", ".md", "/.md"]],
    ["[a-c].md", ["b.md"], ["d.md"]],
    ["[!a-c].md", ["d.md"], ["b.md", "/.md"]],
    ["[]].md", [], ["a.md"]],
    ["{a,b/c}.md", ["a.md", "b/c.md"], ["c.md"]],
    ["{a,{b,c}}x", ["ax", "bx", "cx"], ["x"]],
    ["{**/*.ts,*.md}", ["a.ts", "a/b/c.ts", "a.md"], ["a/b.md", "a.js"]],
    ["{a,{b,**/c}}/x", ["a/x", "c/x", "d/e/c/x"], ["d/a/x", "dc/x"]],
    ["{a/**,b/{c,d/**}}", ["a/b/c", "b/c", "b/d/e/f"], ["a", "b/c/d", "c"]],
    ["x{**/a,b}", ["x/a", "xy/a", "xb"], ["xa", "x/y/a"]],
    ["{a/**,b}c", ["a/dc", "bc"], ["a/d/ec"]],
    ["{**/a", ["{x/a", "{/a"], ["a", "x/a"]],
    ["{a}", ["{a}"], ["a"]],
    ["{a,b", ["{a,b"], ["a"]],
    ["a,b}", ["a,b}"], ["a"]],
    ["a\\*b", ["a*b"], ["axb"]],
    ["(a|b)+.$^", ["(a|b)+.$^"], ["a"]],
    ["./a", ["a"], ["./a"]],
    ["**", ["a", "a/b"], []],
  ];
  for (const [pattern, matching, other] of cases) {
    test(`${pattern} matches the right paths`, () => {
      const matcher = createGlobMatcher(pattern);
      for (const path of matching) expect([path, matcher.find(path) >= 0]).toEqual([path, true]);
      for (const path of other) expect([path, matcher.find(path) >= 0]).toEqual([path, false]);
    });
  }

  test("an absolute pattern, or one with `..`, is refused", () => {
    for (const pattern of ["/etc/*", "../*", "a/../../*"])
      expect(codeOf(() => createGlobMatcher(pattern))).toBe("tool.path");
  });

  test("generated patterns match as their alternatives do, written out", () => {
    const dice = createDice(2);
    for (let count = 0; count < GENERATED; count += 1) {
      const pattern = createGlob(dice);
      const matcher = createGlobMatcher(pattern);
      for (let each = 0; each < TEXTS_EACH; each += 1) {
        const path = createPath(dice);
        expect([pattern, path, matcher.find(path) >= 0]).toEqual([pattern, path, matchesGlob(pattern, path)]);
      }
    }
  });

  test("a pattern that is too long is refused before it is read", () => {
    // Reading it would take minutes, because each bracket may begin a set.
    expect(codeOf(() => createGlobMatcher("[".repeat(200_000)))).toBe("tool.invalid");
  });

  test("a pattern with many stars is fast", () => {
    expect(createGlobMatcher("*a*a*a*a*a*a*a*b").find("a".repeat(255))).toBe(-1);
    expect(createGlobMatcher("**/**/**/**/**/**/x").find("a/".repeat(400))).toBe(-1);
  });
});

const codeOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return isHearthError(error) ? error.code : error;
  }
};

const nativeRegex = (pattern: string, ignoreCase: boolean): RegExp | undefined => {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, ignoreCase ? `${flags}i` : flags);
    } catch {}
  }
  return undefined;
};
