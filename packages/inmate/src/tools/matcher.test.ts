import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createDice, createLine, createRegex } from "../fixtures/pattern-corpus.ts";
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
