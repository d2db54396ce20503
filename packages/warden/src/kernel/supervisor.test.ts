import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "./log/log.ts";
import { createSupervisor, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, STEADY_MS } from "./supervisor.ts";

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: String });
  const log = createFakeLog();
  const closing = new AbortController();
  const signals: AbortSignal[] = [];
  const state = { breaks: true };
  /** Fails at once if requested, and otherwise runs until its end. */
  const reader = async (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    if (state.breaks) throw new Error("the disk is full");
    await clock.sleep(1e9, signal);
  };
  const supervisor = createSupervisor({ clock, log });
  const run = supervisor.run("dispatch", reader, closing.signal);
  return { ...{ clock, advance, log, closing, signals, state, supervisor, run } };
};

test("a reader that fails is logged and restarted after a pause that doubles up to a limit", async () => {
  const { advance, signals, supervisor, log, closing, run, clock } = open();
  let starts = 1;
  for (let pauseMs = FIRST_PAUSE_MS; starts < 12; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    await advance(0);
    expect(supervisor.list()).toEqual([
      { name: "dispatch", failures: starts, lastError: "the disk is full", nextTryAt: clock.now() + pauseMs },
    ]);
    await advance(pauseMs - 1);
    expect(signals).toHaveLength(starts);
    expect(supervisor.list()[0]?.failures).toBe(starts);
    await advance(1);
    starts += 1;
    expect(signals).toHaveLength(starts);
  }
  expect(log.lines).toHaveLength(starts);
  for (const words of ["dispatch", "the disk is full"]) expect(log.lines[0]).toContain(words);
  closing.abort();
  await run;
});

test("a reader counts as working once it has run for a while, and its next failure starts with the first pause again", async () => {
  const { advance, state, supervisor, closing, run, signals } = open();
  await advance(0);
  state.breaks = false;
  await advance(FIRST_PAUSE_MS);
  expect(supervisor.list()[0]?.failures).toBe(1);
  await advance(STEADY_MS - 1);
  expect(supervisor.list()[0]?.failures).toBe(1);
  await advance(1);
  expect(supervisor.list()).toEqual([{ name: "dispatch", failures: 0, lastError: "the disk is full" }]);
  closing.abort();
  await run;
  expect(signals).toHaveLength(2);
});

test.each([
  ["within that time", STEADY_MS - 1, 3],
  ["after that time", STEADY_MS, 1],
])("a failure %s is counted with the earlier ones, or as the first", async (_title, runsMs, failures) => {
  const { clock, advance } = createFakeWorld({ hash: String });
  const closing = new AbortController();
  let starts = 0;
  const supervisor = createSupervisor({ clock, log: createFakeLog() });
  const run = supervisor.run(
    "outbox",
    async (signal) => {
      starts += 1;
      if (starts === 3) await clock.sleep(runsMs, signal);
      throw new Error(`failure ${starts}`);
    },
    closing.signal,
  );
  await advance(0);
  await advance(FIRST_PAUSE_MS);
  await advance(2 * FIRST_PAUSE_MS);
  await advance(runsMs);
  const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - 1);
  expect(supervisor.list()).toEqual([
    { name: "outbox", failures, lastError: "failure 3", nextTryAt: clock.now() + pauseMs },
  ]);
  closing.abort();
  await run;
});

test("the signal of a failed run is aborted before the next run starts", async () => {
  const { advance, signals, closing, run } = open();
  await advance(0);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  closing.abort();
  await run;
});

test("a reader that resolves is not restarted, and an error while the house closes is not a failure", async () => {
  const { advance, log, supervisor, closing, run } = open();
  await supervisor.run("warming", async () => undefined, closing.signal);
  await advance(0);
  expect(supervisor.list()[1]).toEqual({ name: "warming", failures: 0 });
  const lines = log.lines.length;
  const late = supervisor.run(
    "outbox",
    async (signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new Error("the house is closing");
    },
    closing.signal,
  );
  closing.abort();
  await Promise.all([run, late]);
  expect(log.lines).toHaveLength(lines);
});

test("a reader that its signal ended is no longer listed", async () => {
  const { clock, supervisor, advance } = open();
  const stop = new AbortController();
  const ended = supervisor.run("one", async (signal) => clock.sleep(1e9, signal), stop.signal);
  await advance(0);
  expect(supervisor.list().map(({ name }) => name)).toContain("one");
  stop.abort();
  await ended;
  expect(supervisor.list().map(({ name }) => name)).not.toContain("one");
});
