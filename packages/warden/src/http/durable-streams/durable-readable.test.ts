import { expect, test } from "bun:test";
import type { Source, StartState } from "../source.ts";
import { readableEvents } from "./durable-readable.ts";

const stateAt = (start: StartState, at: number) => {
  const source: Source = {
    epoch: "epoch",
    resolveStart: async () => start,
    streamsOf: () => ({ read: async () => [], head: async () => 4, async *follow() {} }),
  };
  return readableEvents(source, { get: () => Promise.reject(new Error("unasked")) }, "room:x" as never).state(at);
};

test("an offset past the head is refused with the offset to read from", async () => {
  expect(await stateAt("restarted", 9).catch((error: unknown) => error)).toMatchObject({
    code: "stream.behind",
    hint: expect.stringContaining("-1"),
  });
});

test("an existing stream ends at its head; a removed one ends at the reader's offset", async () => {
  expect(await stateAt("here", 2)).toEqual({ tail: 4, isClosed: false });
  expect(await stateAt("gone", 9)).toEqual({ tail: 9, isClosed: true });
});
