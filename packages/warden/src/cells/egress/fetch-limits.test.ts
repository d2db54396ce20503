/** Tests the exact limits of host tool requests: redirects, and the length of a response. */
import { expect, test } from "bun:test";
import { AGENT, createTestEgress, TURN } from "../../fixtures/egress.ts";

const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const chunked = (...chunks: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join("")}0\r\n\r\n`;

const fetchFrom = async (answers: Readonly<Record<string, string>>, path: string, maxBytes = 1000) => {
  const { egress } = createTestEgress({
    grants: [{ host: "allowed.com" }],
    answer: ({ head }) => answers[head.split(" ")[1] ?? ""],
  });
  const { body, isCut, status } = await egress.fetch({ url: `http://allowed.com${path}`, maxBytes }, caller);
  return { text: new TextDecoder().decode(body), isCut, status };
};

test.each([301, 302, 303, 307, 308])("follows a redirect of status %p", async (status) => {
  const answers = {
    "/old": `HTTP/1.1 ${status} Moved\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n`,
    "/new": chunked("there"),
  };
  expect(await fetchFrom(answers, "/old")).toEqual({ text: "there", isCut: false, status: 200 });
});

test.each([300, 304, 305, 306])("follows no other status: %p", async (status) => {
  const answers = { "/old": `HTTP/1.1 ${status} No\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n` };
  expect((await fetchFrom(answers, "/old")).status).toBe(status);
});

test.each([
  ["one piece of exactly as much", ["hello"], "hello", false],
  ["a piece of exactly as much, and another", ["hello", "!"], "hello", true],
  ["one byte too much", ["hello!"], "hello", true],
  ["pieces that are together exactly as much", ["he", "llo"], "hello", false],
])("says whether there was more than was asked for: %s", async (_, chunks, text, isCut) => {
  expect(await fetchFrom({ "/": chunked(...chunks) }, "/", 5)).toMatchObject({ text, isCut });
});
