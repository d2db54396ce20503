import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createLiveness } from "./liveness.ts";

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: String });
  const state = { isFrozen: false, pings: 0, why: [] as string[] };
  const liveness = createLiveness({
    clock,
    deadlineMs: 20_000,
    ping() {
      state.pings += 1;
      return state.isFrozen ? new Promise(() => undefined) : Promise.resolve();
    },
    onFailure: (why) => void state.why.push(why),
  });
  return { liveness, advance, state };
};

test("a process that answers is never reported, however long it runs", async () => {
  const { liveness, advance, state } = open();
  liveness.begin();
  for (let count = 0; count < 100; count += 1) await advance(5000);
  expect(state.why).toEqual([]);
  liveness.end();
});

test("a process that freezes is reported once, within the deadline, whenever it freezes", async () => {
  for (const beforeMs of [0, 1, 4999, 5000, 7500, 12_345]) {
    const { liveness, advance, state } = open();
    liveness.begin();
    await advance(beforeMs);
    state.isFrozen = true;
    await advance(14_999);
    expect(state.why).toEqual([]);
    await advance(5001);
    expect(state.why).toEqual(["it did not answer for 20 s"]);
    await advance(60_000);
    expect(state.why).toHaveLength(1);
  }
});

test("a process is not pinged while no activation runs", async () => {
  const { liveness, advance, state } = open();
  await advance(60_000);
  liveness.begin();
  liveness.end();
  state.isFrozen = true;
  await advance(60_000);
  expect(state).toEqual({ isFrozen: true, pings: 0, why: [] });
});

test("a machine that was suspended for hours costs one interval", async () => {
  const wakes: (() => void)[] = [];
  const why: string[] = [];
  const liveness = createLiveness({
    clock: { sleep: () => new Promise((resolve) => wakes.push(resolve)) },
    ping: () => new Promise(() => undefined),
    deadlineMs: 20_000,
    onFailure: (reason) => void why.push(reason),
  });
  liveness.begin();
  // The pending timer fires late, and no other one has started.
  wakes.shift()?.();
  await Promise.resolve();
  expect({ timers: wakes.length, why }).toEqual({ timers: 1, why: [] });
});
