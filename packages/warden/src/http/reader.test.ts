/** Pages of a stream whose events are gone. */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { type PageRequest, readPage } from "./reader.ts";
import type { Source, StartState } from "./source.ts";

/** A stream with this start, whose follower would wait forever. */
const setUp = (start: StartState) => {
  let followed = 0;
  const source: Source = {
    epoch: "epoch",
    resolveStart: async () => start,
    streamsOf: () => ({
      read: async () => [],
      head: async () => 7,
      async *follow() {
        followed += 1;
        yield* [];
      },
    }),
  };
  const read = (request: Partial<PageRequest>) => {
    const life = new AbortController();
    return readPage(
      source,
      createFakeWorld({ hash: () => "" }).clock,
      { stream: "deltas:act_x" as PageRequest["stream"], after: 0, limit: 10, wait: 0, ...request },
      () => ({ signal: life.signal, end: () => life.abort() }) as never,
    );
  };
  return { read, followed: () => followed };
};

test("a long poll from 0 on deltas that are gone ends at once", async () => {
  const { read, followed } = setUp("gone");
  expect(await read({ wait: 60_000 })).toEqual({ events: [], next: 0, head: 0, epoch: "epoch" });
  expect(await read({ after: 3 })).toEqual({ events: [], next: 3, head: 0, epoch: "epoch" });
  expect(followed()).toBe(0);
});

test("an offset past the head is refused with an instruction to read again", async () => {
  const { read } = setUp("restarted");
  expect(await read({ after: 9 }).catch((error: unknown) => error)).toMatchObject({ code: "stream.behind" });
  // A read from the beginning is never refused.
  expect(await read({ after: 0 })).toMatchObject({ events: [], head: 7 });
});
