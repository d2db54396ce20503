import { expect, test } from "bun:test";
import { createLinkedAbort, untilAborted } from "./abort.ts";

test("a linked controller aborts with its signal and its reason, at once when the signal has already aborted", () => {
  const outer = new AbortController();
  using linked = createLinkedAbort(outer.signal);
  outer.abort("closing");
  using late = createLinkedAbort(outer.signal);
  expect([linked.signal.reason, late.signal.reason]).toEqual(["closing", "closing"]);
});

test("a linked controller that aborts leaves the outer signal as it is", () => {
  const outer = new AbortController();
  using linked = createLinkedAbort(outer.signal);
  linked.abort();
  expect([linked.signal.aborted, outer.signal.aborted]).toEqual([true, false]);
});

test("a disposed controller follows its signal no longer", () => {
  const outer = new AbortController();
  const linked = createLinkedAbort(outer.signal);
  linked[Symbol.dispose]();
  outer.abort();
  expect(linked.signal.aborted).toBe(false);
});

test("a listener of a linked signal that references the outer signal does not keep it in memory", async () => {
  const listen = (): WeakRef<object> => {
    const outer = new AbortController();
    const linked = createLinkedAbort(outer.signal);
    const held = { outer };
    linked.signal.addEventListener("abort", () => void held.outer);
    return new WeakRef(held);
  };
  const held = Array.from({ length: 50 }, listen);
  await new Promise((resolve) => setImmediate(resolve));
  Bun.gc(true);
  // The collector scans the stack conservatively and may keep a few.
  expect(held.filter((each) => each.deref() !== undefined).length).toBeLessThan(10);
});

test("`untilAborted` resolves when the signal aborts", async () => {
  const stop = new AbortController();
  let isDone = false;
  const done = untilAborted(stop.signal).then(() => (isDone = true));
  await Promise.resolve();
  expect(isDone).toBe(false);
  stop.abort();
  await done;
  expect(isDone).toBe(true);
});

test("`untilAborted` resolves at once for a signal that has aborted already", async () => {
  expect(await untilAborted(AbortSignal.abort())).toBeUndefined();
});
