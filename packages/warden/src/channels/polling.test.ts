import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expect, test } from "bun:test";
import { finishPendingWork } from "./channel-harness.conformance.ts";
import { type PollResult, pollForever } from "./polling.ts";

/** Polls for a minute and returns the seconds of the requests. */
const askedAt = async (answers: (call: number) => PollResult): Promise<readonly number[]> => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const stop = new AbortController();
  const asked: number[] = [];
  const batches = pollForever({
    clock,
    cursor: undefined,
    signal: stop.signal,
    onFailure: () => undefined,
    poll: () => Promise.resolve(answers(asked.push(clock.monotonic() / 1000) - 1)),
  });
  const reading = (async () => {
    for await (const _ of batches) if (asked.length > 200) break;
  })();
  for (let second = 0; second < 60; second += 1) {
    await finishPendingWork();
    await advance(1_000);
  }
  stop.abort();
  await reading;
  return asked;
};

const failed: PollResult = { kind: "failed", error: { code: "channel.failed", message: "No." } };

test("after each failure it waits twice as long", async () => {
  expect(await askedAt(() => failed)).toEqual([0, 1, 3, 7, 15, 31]);
});

test("an answer resets the pause", async () => {
  expect(await askedAt((call) => (call === 3 ? { kind: "answered" } : failed))).toEqual([
    0, 1, 3, 7, 8, 9, 11, 15, 23, 39,
  ]);
});

test("it waits as long as the platform asks, up to a limit", async () => {
  expect(await askedAt((call) => (call === 0 ? { ...failed, retryAfterMs: 50_000 } : failed))).toEqual([0, 50, 52, 56]);
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const stop = new AbortController();
  let asked = 0;
  const batches = pollForever({
    clock,
    cursor: undefined,
    signal: stop.signal,
    onFailure: () => undefined,
    poll() {
      asked += 1;
      return Promise.resolve({ ...failed, retryAfterMs: 10 ** 12 });
    },
  });
  const next = batches.next();
  await finishPendingWork();
  await advance(3_600_000);
  await finishPendingWork();
  expect(asked).toBe(2);
  stop.abort();
  expect(await next).toMatchObject({ done: true });
});

test("a platform that answers at once is polled once a second", async () => {
  const asked = await askedAt(() => ({ kind: "answered" }));
  expect(asked).toHaveLength(61);
});
