import { expect, test } from "bun:test";
import type { LogLine } from "@hearth/protocol";
import { toRows } from "./log-rows.ts";

const line = (at: number, message: string, fields: LogLine["fields"] = {}): LogLine => ({
  ...{ at, level: "info", message, fields },
});

test("the newest line is first, and equal lines have different keys", () => {
  const rows = toRows([line(1, "started"), line(1, "started"), line(2, "ready")], "");
  expect(rows.map((row) => row.line.message)).toEqual(["ready", "started", "started"]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
});

test("a filter matches the message, and the names and values of fields", () => {
  const lines = [line(1, "Started"), line(2, "failed", { error: { code: "ENOSPC" }, path: "/srv" }), line(3, "ready")];
  const found = (filter: string) => toRows(lines, filter).map((row) => row.line.at);
  expect(found(" START ")).toEqual([1]);
  expect(found("enospc")).toEqual([2]);
  expect(found("PATH")).toEqual([2]);
  expect(found("")).toEqual([3, 2, 1]);
  expect(found("absent")).toEqual([]);
});
