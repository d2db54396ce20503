import { expect, test } from "bun:test";
import { deathPauseMs, MAX_DAEMON_DEATHS } from "./retry-policy.ts";

/** Whether an activation is given up when the daemon is killed so long after each start. */
const isGivenUp = (killedAfterMs: number, kills: number): boolean => {
  let deaths = 0;
  for (let kill = 0; kill < kills; kill += 1) if (deathPauseMs(deaths) < killedAfterMs) deaths += 1;
  return deaths >= MAX_DAEMON_DEATHS;
};

test.each([100, 800, 5_000, 15_000])(
  "a storm of kills %p ms apart gives no activation up, however long it lasts",
  (ms) => {
    expect(isGivenUp(ms, 10_000)).toBe(false);
  },
);

test("a message that kills the daemon whenever it runs is given up after a bounded number of tries", () => {
  expect(isGivenUp(Infinity, MAX_DAEMON_DEATHS - 1)).toBe(false);
  expect(isGivenUp(Infinity, MAX_DAEMON_DEATHS)).toBe(true);
  const pauses = Array.from({ length: MAX_DAEMON_DEATHS }, (_, deaths) => deathPauseMs(deaths));
  expect(pauses).toEqual([0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 16_000]);
});

test("an activation that is given up does not wait first", () => {
  expect(deathPauseMs(MAX_DAEMON_DEATHS)).toBe(0);
});
