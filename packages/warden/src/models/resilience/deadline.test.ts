import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expect, test } from "bun:test";
import { createDeadline } from "./deadline.ts";

const open = (signal = new AbortController().signal) => {
  const world = createFakeWorld({ hash: () => "" });
  return { world, deadline: createDeadline({ clock: world.clock, ms: 100, signal }) };
};

test("the signal aborts when the time is over, and not before", async () => {
  const { world, deadline } = open();
  await world.advance(99);
  expect([deadline.signal.aborted, deadline.hasExpired()]).toEqual([false, false]);
  await world.advance(1);
  expect([deadline.signal.aborted, deadline.hasExpired()]).toEqual([true, true]);
});

test("the signal aborts with its caller, without a timeout", async () => {
  const asking = new AbortController();
  const { world, deadline } = open(asking.signal);
  asking.abort();
  await world.advance(100);
  expect([deadline.signal.aborted, deadline.hasExpired()]).toEqual([true, false]);
  expect(open(AbortSignal.abort()).deadline.signal.aborted).toBe(true);
});

test("work that ends in time leaves no timer running", async () => {
  const { world, deadline } = open();
  deadline[Symbol.dispose]();
  expect(deadline.signal.aborted).toBe(true);
  await world.advance(100);
  expect(deadline.hasExpired()).toBe(false);
});
