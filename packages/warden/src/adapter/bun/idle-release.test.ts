import { expect, test } from "bun:test";
import { releaseWhenIdle } from "./idle-release.ts";

/** Sleeps that end when the test says so, and a processor time that the test sets. */
const start = () => {
  const over = new AbortController();
  const state = { cpuMs: 400, collections: 0, drops: 0 };
  let wake = (): void => {};
  const ended = releaseWhenIdle({
    sleep: () => new Promise((resolve) => (wake = resolve)),
    cpuMs: () => state.cpuMs,
    collect: () => {
      state.collections += 1;
      // As much as a collection of a large heap takes.
      state.cpuMs += 900;
    },
    dropCode: () => void (state.drops += 1),
    signal: over.signal,
  });
  /**
   * Ends the current sleep, in which the process used `cpuMs`. Returns how many collections that
   * led to.
   */
  const pass = async (cpuMs: number): Promise<number> => {
    const before = state.collections;
    state.cpuMs += cpuMs;
    wake();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return state.collections - before;
  };
  const passAll = async (...all: readonly number[]): Promise<readonly number[]> => {
    const counts = [];
    for (const cpuMs of all) counts.push(await pass(cpuMs));
    return counts;
  };
  return { state, over, ended, passAll, end: () => (over.abort(), wake(), ended) };
};

test("memory is collected once after the start, and not again while the daemon does nothing", async () => {
  const { passAll, end } = start();
  expect(await passAll(0, 0, 10, 0, 10)).toEqual([1, 0, 0, 0, 0]);
  await end();
});

test("memory is collected three times after work, and only while the daemon is idle", async () => {
  const { passAll, end } = start();
  expect(await passAll(0, 3000, 3000, 101, 100, 20, 0, 0, 0)).toEqual([1, 0, 0, 0, 1, 1, 1, 0, 0]);
  await end();
});

test("compiled code is dropped before the last collection alone", async () => {
  const { state, passAll, end } = start();
  await passAll(0, 3000, 0, 0);
  expect(state).toMatchObject({ collections: 3, drops: 0 });
  await passAll(0, 0, 0);
  expect(state).toMatchObject({ collections: 4, drops: 1 });
  await end();
});

test("work between the collections delays the remaining ones", async () => {
  const { passAll, end } = start();
  expect(await passAll(0, 3000, 0, 300, 0, 0, 0)).toEqual([1, 0, 1, 0, 1, 1, 0]);
  // That much work makes all three necessary again.
  expect(await passAll(500, 0, 2000, 0, 0, 0, 0)).toEqual([0, 1, 0, 1, 1, 1, 0]);
  await end();
});

test("little work adds up until it is worth a collection, whose own processor time does not count", async () => {
  const { passAll, end } = start();
  expect(await passAll(0, 100, 100, 100, 100, 0)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await passAll(99, 1, 0, 0, 0, 0)).toEqual([0, 1, 1, 1, 0, 0]);
  await end();
});

test("a daemon that has ended collects nothing", async () => {
  for (const before of [[], [0, 5000]]) {
    const { over, ended, passAll } = start();
    await passAll(...before);
    over.abort();
    expect(await passAll(0)).toEqual([0]);
    await ended;
  }
});
