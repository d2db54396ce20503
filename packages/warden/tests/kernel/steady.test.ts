/**
 * Leak tests: after many turns, no additional timers wait and no signal has additional listeners.
 */
import { test } from "bun:test";
import type { World } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";

const TURNS = 300;
const WARM = 50;

/** Counts listeners per signal, without keeping signals alive. */
const countListeners = () => {
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  const signals = new Map<WeakRef<AbortSignal>, Set<unknown>>();
  const known = new WeakMap<AbortSignal, Set<unknown>>();
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...given: Parameters<typeof addEventListener>) {
    const listeners = known.get(this) ?? new Set();
    if (!known.has(this)) {
      known.set(this, listeners);
      signals.set(new WeakRef(this), listeners);
    }
    const [, listener, options] = given;
    listeners.add(listener);
    // `{ signal }` removes the listener automatically.
    if (typeof options === "object" && options.signal !== undefined)
      addEventListener.call(options.signal, "abort", () => listeners.delete(listener));
    return addEventListener.apply(this, given);
  };
  AbortSignal.prototype.removeEventListener = function (
    this: AbortSignal,
    ...given: Parameters<typeof removeEventListener>
  ) {
    known.get(this)?.delete(given[1]);
    return removeEventListener.apply(this, given);
  };
  return {
    /** For the signals that existed at that time: the largest current number of listeners. */
    now: (): ReadonlyMap<WeakRef<AbortSignal>, number> =>
      new Map([...signals].filter(([ref]) => ref.deref()?.aborted === false).map(([ref, all]) => [ref, all.size])),
    [Symbol.dispose]() {
      Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener });
    },
  };
};

test("F2, R28: after many turns the numbers of waiting timers and of listeners per signal are unchanged", async () => {
  using listeners = countListeners();
  using disk = createTestDisk();
  const real = createBunWorld();
  let asleep = 0;
  const world: World = {
    ...real,
    clock: {
      ...real.clock,
      async sleep(ms, signal) {
        asleep += 1;
        await real.clock.sleep(ms, signal);
        asleep -= 1;
      },
    },
  };
  await using house = await openTestHouse({ disk, world, script: () => ({ text: "ok" }) });
  const turns = async (from: number, to: number): Promise<void> => {
    for (let turn = from; turn < to; turn += 1) {
      await house.post(`turn ${turn}`);
      await house.until((turn + 1) * 2);
    }
    await until(async () => (await house.ask("GET", "/api/status")).json.activations.running === 0);
  };
  await turns(0, WARM);
  const [sleepers, before] = [asleep, listeners.now()];
  await turns(WARM, TURNS);
  // The delayed write after a turn may be waiting at one of the two moments.
  await until(() => asleep <= sleepers + 1);
  await until(() => {
    const after = listeners.now();
    return [...before].every(([ref, count]) => (after.get(ref) ?? 0) <= count + 1);
  });
}, 180_000);
