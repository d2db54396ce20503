import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBackoff, FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from "./backoff.ts";

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: String });
  return { backOff: createBackoff(clock), advance, clock };
};

test("a name that never failed is due", () => {
  expect(open().backOff.isDue("one")).toBe(true);
});

test("each failure in a row doubles the pause, up to the longest one", async () => {
  const { backOff, advance, clock } = open();
  const pauses: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    backOff.recordFailure("one", 0);
    expect(backOff.isDue("one")).toBe(false);
    const began = clock.monotonic();
    const due = backOff
      .untilDue("one", new AbortController().signal)
      .then(() => pauses.push(clock.monotonic() - began));
    await advance(LONGEST_PAUSE_MS);
    await due;
  }
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
});

test("a minute without a failure resets the pause, and names are independent", async () => {
  const { backOff, advance } = open();
  backOff.recordFailure("one", 0);
  backOff.recordFailure("one", 60_000);
  expect(backOff.isDue("two")).toBe(true);
  await advance(FIRST_PAUSE_MS);
  expect(backOff.isDue("one")).toBe(true);
});

test("an abort ends the wait", async () => {
  const { backOff } = open();
  backOff.recordFailure("one", 0);
  const stop = new AbortController();
  const due = backOff.untilDue("one", stop.signal);
  stop.abort();
  await due;
  expect(backOff.isDue("one")).toBe(false);
});
