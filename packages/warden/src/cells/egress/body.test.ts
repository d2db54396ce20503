import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import {
  frameChunk,
  framingHeaders,
  framingOfRequest,
  framingOfResponse,
  type Framing,
  terminatorOf,
  readBody,
} from "./body.ts";
import { createByteReader } from "./byte-reader.ts";
import { fromLatin1, type HeaderLine, toLatin1 } from "./head.ts";

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

test("a message in chunks has version 1.1, one coding and no length", () => {
  const chunked: readonly HeaderLine[] = [["Transfer-Encoding", "chunked"]];
  const request = { method: "POST", target: "/", version: 1, headers: chunked } as const;
  expect(framingOfRequest(request)).toEqual({ kind: "chunked" });
  for (const bad of [
    { ...request, version: 0 as const },
    { ...request, headers: [...chunked, ...HEADERS] },
    { ...request, headers: [...chunked, ...chunked] },
  ])
    expect(() => framingOfRequest(bad)).toThrow("its length is given in two ways");
  const response = { status: 200, reason: "", headers: chunked };
  expect(framingOfResponse("GET", { ...response, version: 1 })).toEqual({ kind: "chunked" });
  expect(() => framingOfResponse("GET", { ...response, version: 0 })).toThrow("its length is given in two ways");
});

test("a length is one number of at most 15 digits", () => {
  const lengthOf = (...values: readonly string[]): Framing =>
    framingOfRequest({
      ...{ method: "POST", target: "/", version: 1 },
      headers: values.map((value) => ["Content-Length", value] as const),
    });
  expect(lengthOf("0")).toEqual({ kind: "none" });
  expect(lengthOf("9".repeat(15))).toEqual({ kind: "length", size: 999_999_999_999_999 });
  for (const bad of [
    ["5", "5"],
    ["5", "6"],
    ["5, 5"],
    ["-5"],
    ["+5"],
    ["0x5"],
    ["5.0"],
    ["five"],
    [""],
    ["9".repeat(16)],
  ])
    expect(() => lengthOf(...bad)).toThrow("its Content-Length is invalid");
});

test("a request without a length has no body, and such a response lasts until the connection ends", () => {
  expect(framingOfRequest({ method: "POST", target: "/", version: 1, headers: [] })).toEqual({ kind: "none" });
  expect(framingOfResponse("GET", { status: 200, reason: "", version: 1, headers: [] })).toEqual({ kind: "open" });
});

const bodyOf = async (framing: Framing, ...pieces: readonly string[]): Promise<string> => {
  const reader = createByteReader(
    (async function* () {
      for (const piece of pieces) yield fromLatin1(piece);
    })(),
  );
  const read = await Array.fromAsync(readBody(reader, framing)).then(
    (all) => all.map(toLatin1).join(""),
    (error: unknown) => (isHearthError(error, "egress.malformed") ? error.message : String(error)),
  );
  const left = await reader.readSome(100).catch(() => undefined);
  return left === undefined ? read : `${read}, then ${toLatin1(left)}`;
};
const CHUNKED: Framing = { kind: "chunked" };

test("`readBody` reads exactly the body, and leaves the bytes after it", async () => {
  expect(await bodyOf({ kind: "none" }, "x")).toBe(", then x");
  expect(await bodyOf({ kind: "length", size: 4 }, "ab", "cdx")).toBe("abcd, then x");
  expect(await bodyOf({ kind: "length", size: 4 }, "abc")).toContain("it breaks off");
  expect(await bodyOf({ kind: "open" }, "ab", "cd")).toBe("abcd");
  expect(await bodyOf(CHUNKED, "a\r\n0123456789\r\n1 ;x=y\r\nz\r\n0\r\nT: 1\r\n\r\nx")).toBe("0123456789z, then x");
});

test("a chunk has a hexadecimal length and ends with a line end", async () => {
  for (const bad of ["x\r\n", "-1\r\n", "0x1\r\na\r\n", "123456789\r\n"])
    expect(await bodyOf(CHUNKED, bad)).toContain("a chunk has no valid length");
  expect(await bodyOf(CHUNKED, "1\r\nab\r\n0\r\n\r\n")).toContain("a line is longer than 2 bytes");
  expect(await bodyOf(CHUNKED, "1\r\na\n0\r\n\r\n")).toContain("not valid HTTP/1.1");
  expect(await bodyOf(CHUNKED, "2\r\na")).toContain("it breaks off");
});

test("a body in chunks has at most 32 trailers", async () => {
  const withTrailers = (count: number) => `1\r\na\r\n0\r\n${"T: 1\r\n".repeat(count)}\r\n`;
  expect(await bodyOf(CHUNKED, withTrailers(32))).toBe("a");
  expect(await bodyOf(CHUNKED, withTrailers(33))).toContain("too many trailers");
});

test("`framed` and `terminatorOf` write what `readBody` reads, and an empty piece does not end the body", async () => {
  const pieces = ["one ", "", "two, which is longer than sixteen bytes", ""];
  for (const framing of [CHUNKED, { kind: "open" }, { kind: "length", size: 43 }] as const) {
    const sent = [...pieces.map((piece) => frameChunk(framing, fromLatin1(piece))), terminatorOf(framing)].map(
      toLatin1,
    );
    const headers = framingHeaders(framing);
    const received = framingOfResponse("GET", { status: 200, reason: "", version: 1, headers });
    expect(await bodyOf(received, ...sent)).toBe(pieces.join(""));
  }
  expect(toLatin1(frameChunk({ kind: "none" }, fromLatin1("x")))).toBe("x");
  expect([framingHeaders({ kind: "none" }), terminatorOf({ kind: "none" })]).toEqual([[], new Uint8Array()]);
});
