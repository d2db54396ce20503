import { expect, test } from "bun:test";
import {
  endToEnd,
  formatRequestHead,
  formatResponseHead,
  fromLatin1,
  parseRequestHead,
  parseResponseHead,
} from "./head.ts";

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

const bytesOf = (text: string): Uint8Array => fromLatin1(text);

test("a head without its empty line is refused", () => {
  for (const text of ["GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nA: b\r\n", "GET / HTTP/1.1\n\n", ""])
    expect(() => parseRequestHead(bytesOf(text))).toThrow("its head has no end");
});

test("a request line has a method, a target without blanks and a version of HTTP/1", () => {
  expect(parseRequestHead(bytesOf("M-SEARCH * HTTP/1.0\r\n\r\n"))).toEqual({
    ...{ method: "M-SEARCH", target: "*", version: 0, headers: [] },
  });
  const bad = [
    "GET /",
    "GET  / HTTP/1.1",
    "GET / HTTP/1.2",
    "GET / HTTP/1.1 ",
    "G(T / HTTP/1.1",
    "GET /\x7f HTTP/1.1",
    "",
  ];
  for (const line of bad)
    expect(() => parseRequestHead(bytesOf(`${line}\r\n\r\n`))).toThrow("its first line is not a request line");
});

test("a status line has a version, three digits and a visible reason, which may be missing", () => {
  const head = { version: 1, headers: [] } as const;
  expect(parseResponseHead(bytesOf("HTTP/1.1 200\r\n\r\n"))).toEqual({ ...head, status: 200, reason: "" });
  expect(parseResponseHead(bytesOf("HTTP/1.1 404 Not Found\r\n\r\n"))).toEqual({
    ...{ ...head, status: 404, reason: "Not Found" },
  });
  for (const line of ["HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/2 200 OK", "ICY 200 OK", "", "HTTP/1.1 200 \0"])
    expect(() => parseResponseHead(bytesOf(`${line}\r\n\r\n`))).toThrow("its first line is not a status line");
});

test("a header has a name without blanks and a visible value, in both directions", () => {
  const { headers } = parseRequestHead(bytesOf("GET / HTTP/1.1\r\nA: \t b c \t\r\nB:\r\n\r\n"));
  expect(headers).toEqual([
    ["A", "b c"],
    ["B", ""],
  ]);
  for (const line of ["A", ": b", "A : b", "A\t: b", " A: b", "A: \0", "A: b\x7f", "(A): b"])
    expect(() => parseRequestHead(bytesOf(`GET / HTTP/1.1\r\n${line}\r\n\r\n`))).toThrow("it has an invalid header");
  for (const header of [
    ["A ", "b"],
    ["", "b"],
    ["A", "b\r\nC: d"],
    ["A", "\0"],
  ] as const) {
    expect(() => formatRequestHead({ method: "GET", target: "/", headers: [header] })).toThrow("invalid header");
    expect(() => formatResponseHead({ status: 200, reason: "OK", headers: [header] })).toThrow("invalid header");
    const headers = [["A", "b"], header] as const;
    expect(() => formatRequestHead({ method: "GET", target: "/", headers })).toThrow("invalid header");
  }
});

test("`endToEnd` removes the headers of one hop, and those that `Connection` names", () => {
  const hop = ["Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection"];
  const framing = ["TE", "Trailer", "Transfer-Encoding", "Content-Length", "Upgrade", "HTTP2-Settings"];
  const headers = [...hop, ...framing, "X-Hop", "X-Stays"].map(
    (name) => [name, name === "Connection" ? "close, X-HOP" : "1"] as const,
  );
  expect(endToEnd(headers)).toEqual([["X-Stays", "1"]]);
});
