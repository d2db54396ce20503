import { expect, test } from "bun:test";
import { parseRequestHead, parseResponseHead } from "./head.ts";

/** The most headers that a head may have. */
const MAX = 128;

const head = (first: string, count: number): Uint8Array =>
  new TextEncoder().encode(
    [first, ...Array.from({ length: count }, (_, index) => `x-${index}: y`), "", ""].join("\r\n"),
  );

test("a head may have at most 128 headers", () => {
  expect(parseRequestHead(head("GET / HTTP/1.1", MAX)).headers).toHaveLength(MAX);
  expect(parseResponseHead(head("HTTP/1.1 200 OK", MAX)).headers).toHaveLength(MAX);
  expect(() => parseRequestHead(head("GET / HTTP/1.1", MAX + 1))).toThrow("more than 128 headers");
  expect(() => parseResponseHead(head("HTTP/1.1 200 OK", MAX + 1))).toThrow("more than 128 headers");
});
