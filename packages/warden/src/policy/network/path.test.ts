/** The one form of a request path, and which paths a grant's prefix covers. */
import { expect, test } from "bun:test";
import { isBelow, parsePath } from "./path.ts";

test.each([
  ["/", { path: "/", query: "" }],
  ["/a/../b", { path: "/b", query: "" }],
  ["/a?b=c", { path: "/a", query: "?b=c" }],
  ["a", null],
  ["/a#b", null],
  ["/a\\b", null],
  ["/a b", null],
  ["//x/y", { path: "//x/y", query: "" }],
  ["/%2e%2e/a", { path: "/a", query: "" }],
  ["/é", null],
  ["/a/./b?c?d", { path: "/a/b", query: "?c?d" }],
])("the target %j is %j", (target, path) => {
  expect(parsePath(target) ?? null).toEqual(path);
});

test.each([
  ["/a", "/a", true],
  ["/a/b", "/a", true],
  ["/ab", "/a", false],
  ["/a/b", "/a/", true],
  ["/a", "/a/", true],
  ["/x", "/", true],
  ["/x//y", "/", true],
  ["/a/%2fb", "/a", false],
  ["/a/%5Cb", "/a", false],
  ["/a/%2Eb", "/a", false],
  ["/a/%00", "/a", false],
  ["/a/%252e", "/a", false],
  ["/a/..;x", "/a", false],
  ["/a/.;x", "/a", false],
  ["/a/b.;x", "/a", true],
  ["/a//b", "/a", false],
  ["/b/a", "/a", false],
  ["/a%2f/b", "/a%2f", true],
] as const)("the path %p below %p: %p", (path, prefix, isIn) => {
  expect(isBelow(path, prefix)).toBe(isIn);
});
