import { expect, test } from "bun:test";
import { framingOfResponse } from "./body.ts";
import type { HeaderLine } from "./head.ts";

const HEADERS: readonly HeaderLine[] = [["Content-Length", "5"]];
const framing = (method: string, status: number) =>
  framingOfResponse(method, { status, headers: HEADERS, version: 1, reason: "" });

test("a response without a body is framed as empty, whatever length its headers name", () => {
  for (const status of [100, 103, 199, 204, 304])
    expect({ status, ...framing("GET", status) }).toEqual({ status, kind: "none" });
  expect(framing("HEAD", 200)).toEqual({ kind: "none" });
});

test("any other response has the length that its headers name", () => {
  for (const status of [200, 203, 205, 206, 303, 305, 404, 500])
    expect({ status, ...framing("GET", status) }).toEqual({ status, kind: "length", size: 5 });
  expect(framing("POST", 200)).toEqual({ kind: "length", size: 5 });
});
