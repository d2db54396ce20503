/** Turning single tools on and off in an agent's list. */
import { expect, test } from "bun:test";
import { withTool } from "./record.ts";

const free = { name: "read", isDefault: true };
const asked = { name: "http_fetch", isDefault: false };

test("a tool is turned on and off beside the default tools, which stay", () => {
  expect(withTool(undefined, asked, true)).toEqual(["default", "http_fetch"]);
  expect(withTool(["default", "http_fetch"], asked, false)).toEqual(["default"]);
  expect(withTool(undefined, free, false)).toEqual(["default", "-read"]);
  expect(withTool(["default", "-read"], free, true)).toEqual(["default"]);
  expect(withTool(["default", "http_fetch"], asked, true)).toEqual(["default", "http_fetch"]);
});

test("a list of single names stays one", () => {
  expect(withTool(["time"], free, true)).toEqual(["time", "read"]);
  expect(withTool(["time", "read"], free, false)).toEqual(["time"]);
  expect(withTool([], asked, true)).toEqual(["http_fetch"]);
});
