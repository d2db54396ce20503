import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { compileFakeGlob } from "./fake-glob.ts";
import { globConformance } from "./glob.conformance.ts";
import { createPathFilter } from "./glob-pattern.ts";

globConformance("fake", compileFakeGlob, { isLinear: false });

describe("a file pattern is refused", () => {
  const codeOf = (pattern: string): unknown => {
    try {
      return createPathFilter(pattern, compileFakeGlob);
    } catch (error) {
      return isHearthError(error) ? error.code : error;
    }
  };

  test("with `tool.path`, if it is absolute or has `..`", () => {
    for (const pattern of ["/etc/*", "../*", "a/../../*"]) expect(codeOf(pattern)).toBe("tool.path");
  });

  test("with `tool.invalid`, if it is longer than 1000 characters", () => {
    expect(codeOf("a".repeat(1001))).toBe("tool.invalid");
    expect(codeOf("a".repeat(1000))).toBeFunction();
  });
});
