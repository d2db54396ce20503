import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createByteReader } from "./byte-reader.ts";
import { fromLatin1, toLatin1 } from "./head.ts";

const readerOf = (...pieces: readonly string[]) =>
  createByteReader(
    (async function* () {
      for (const piece of pieces) yield fromLatin1(piece);
    })(),
  );
const textOf = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "end" : toLatin1(bytes));
const failureOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "read",
    (error: unknown) => (isHearthError(error, "egress.malformed") ? error.message : String(error)),
  );

const HEAD = "GET / HTTP/1.1\r\nA: b\r\n\r\n";

test("a head ends with its first empty line, wherever the pieces end", async () => {
  for (let at = 0; at <= HEAD.length; at += 1) {
    const reader = readerOf(HEAD.slice(0, at), `${HEAD.slice(at)}next`);
    expect(textOf(await reader.readHead(100))).toBe(HEAD);
    expect(textOf(await reader.readSome(100))).toBe("next");
  }
  expect(textOf(await readerOf("\r\nGET").readHead(100))).toBe("\r\n");
  expect(textOf(await readerOf().readHead(100))).toBe("end");
});

test("a head may have exactly the maximum size", async () => {
  for (const pieces of [[HEAD], HEAD.split(""), [`${HEAD}next`]]) {
    expect(textOf(await readerOf(...pieces).readHead(HEAD.length))).toBe(HEAD);
    expect(await failureOf(readerOf(...pieces).readHead(HEAD.length - 1))).toContain(
      `longer than ${HEAD.length - 1} bytes`,
    );
  }
});

test("a head or line that is longer than the maximum is refused before its end arrives", async () => {
  const endless = createByteReader(
    (async function* () {
      for (;;) yield fromLatin1("xxxxx");
    })(),
  );
  expect(await failureOf(endless.readHead(20))).toContain("its head is longer than 20 bytes");
  expect(await failureOf(endless.readLine(20))).toContain("a line is longer than 20 bytes");
});

test("a head or line that has no end is refused", async () => {
  expect(await failureOf(readerOf("GET / HTTP/1.1\r\n").readHead(100))).toContain("its head breaks off");
  expect(await failureOf(readerOf("abc").readLine(3))).toContain("a line breaks off");
  expect(await failureOf(readerOf("abcd").readLine(3))).toContain("a line is longer than 3 bytes");
});

test("a line ends with CR LF, and is returned without it", async () => {
  const reader = readerOf("one\r", "\n\r\nthree\r\n");
  expect([
    textOf(await reader.readLine(5)),
    textOf(await reader.readLine(5)),
    textOf(await reader.readLine(7)),
  ]).toEqual([...["one", "", "three"]]);
  for (const bad of ["bare\n", "\n", "other\n\r\n"])
    expect(await failureOf(readerOf(bad).readLine(100))).toContain("does not end with CR LF");
});

test("only CR LF CR LF ends a head", async () => {
  for (const loose of [
    "A\n\n",
    "A\r\n\n",
    "A\n\r\n",
    "A\r\r\n\r",
    "\n",
    "A\r\nxx\r\n",
    "A\rx\r\n",
    "A\r\nx\n",
    "A\rxx\n",
    "\rA\n",
  ])
    expect(await failureOf(readerOf(loose).readHead(100))).toContain("its head breaks off");
});

test("`some` and `peek` wait for a byte, and `peek` consumes none", async () => {
  const reader = readerOf("", "ab", "", "c");
  expect(reader.hasMore()).toBe(false);
  expect([await reader.peek(), reader.hasMore()]).toEqual(["a".charCodeAt(0), true]);
  expect([
    textOf(await reader.readSome(1)),
    textOf(await reader.readSome(9)),
    textOf(await reader.readSome(9)),
  ]).toEqual([...["a", "b", "c"]]);
  expect([textOf(await reader.readSome(9)), await reader.peek(), reader.hasMore()]).toEqual(["end", undefined, false]);
});

test("`rest` returns the bytes that are left, in pieces that are not empty", async () => {
  const rest = async (reader: ReturnType<typeof readerOf>) =>
    (await Array.fromAsync(reader.remainingBytes())).map(textOf);
  expect(await rest(readerOf("ab", "cd"))).toEqual(["ab", "cd"]);
  const begun = readerOf("ab", "cd");
  await begun.readSome(1);
  expect(await rest(begun)).toEqual(["b", "cd"]);
});
