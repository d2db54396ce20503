import { describe, expect, test } from "bun:test";
import { ActivationId, deriveId, EventId } from "@hearth/protocol";
import { createBunWorld, createIds } from "./world.ts";

const world = createBunWorld();
const zeros = (length: number): Uint8Array => new Uint8Array(length);

describe("fresh ids", () => {
  test("are well formed, distinct and in order, however many are created in a millisecond", () => {
    const ids = Array.from({ length: 5000 }, () => world.ids.fresh("evt"));
    expect(ids.every((id) => EventId.safeParse(id).success)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  test("have their millisecond in the first ten digits", () => {
    const ids = createIds({ now: () => 1_469_918_176_385, random: zeros });
    // The same digits as any ULID of that instant.
    expect(ids.fresh("evt")).toBe("evt_01aryz6s410000000000000000" as EventId);
    expect(ids.fresh("evt")).toBe("evt_01aryz6s410000000000000001" as EventId);
  });

  test("never go back when the clock does, across prefixes too", () => {
    const times = [1000, 500, 2000, 1999, 0, 2000, 2001];
    const ids = createIds({ now: () => times.shift() ?? 2001, random: world.random });
    const bodies = Array.from({ length: 20 }, (_, index) => ids.fresh(index % 2 === 0 ? "evt" : "act").slice(4));
    expect(bodies.toSorted()).toEqual(bodies);
    expect(new Set(bodies).size).toBe(20);
  });

  test("stay in the last millisecond while the clock is behind it", () => {
    const times = [2000, 1000, 0, 1999];
    const ids = createIds({ now: () => times.shift() ?? 1, random: zeros });
    const made = Array.from({ length: 5 }, () => ids.fresh("evt").slice(4));
    expect(made).toEqual([0, 1, 2, 3, 4].map((count) => `00000001yg000000000000000${count}`));
  });

  test("use the next millisecond when those of a millisecond are used up", () => {
    const ids = createIds({ now: () => 1, random: (length) => new Uint8Array(length).fill(255) });
    const [first, second] = [ids.fresh("evt"), ids.fresh("evt")];
    expect(first).toBe(`evt_0000000001${"z".repeat(16)}` as EventId);
    expect(second).toBe(`evt_0000000002${"z".repeat(16)}` as EventId);
  });

  test("of two worlds differ", () => {
    expect(createBunWorld().ids.fresh("evt").slice(14)).not.toBe(createBunWorld().ids.fresh("evt").slice(14));
  });
});

test("derived ids are well formed and equal those of the protocol", () => {
  const id = world.ids.derive("act", "one", "two");
  expect(ActivationId.safeParse(id).success).toBe(true);
  expect(id).toBe(deriveId(world.hash, "act", ["one", "two"]));
});

test("the hash is SHA-256 in hex, of bytes and of text as UTF-8", () => {
  expect(world.hash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(world.hash("é")).toBe(world.hash(new Uint8Array([0xc3, 0xa9])));
});

test("random bytes have the requested length and differ", () => {
  expect(world.random(32)).toHaveLength(32);
  expect(world.random(32)).not.toEqual(world.random(32));
});

describe("the clock", () => {
  test("lets pending work run first", async () => {
    const order: string[] = [];
    setTimeout(() => order.push("timer"), 0);
    await world.clock.sleep(0);
    queueMicrotask(() => order.push("microtask"));
    await world.clock.turn();
    expect(order).toEqual(["timer", "microtask"]);
  });

  test("sleeps for the requested time", async () => {
    const start = world.clock.monotonic();
    await world.clock.sleep(5);
    expect(world.clock.monotonic() - start).toBeGreaterThanOrEqual(4);
  });

  test("sleeps for weeks, until it is aborted", async () => {
    const stop = new AbortController();
    let awake = false;
    const sleeping = world.clock.sleep(2 * (2 ** 31 - 1) + 1, stop.signal).then(() => (awake = true));
    // Bun treats a timer that is too long as one of a millisecond.
    await world.clock.sleep(50);
    expect(awake).toBe(false);
    stop.abort();
    expect(await sleeping).toBe(true);
  });

  test("an aborted sleep does not keep the process alive", async () => {
    const script = `
      const { createBunWorld } = await import(${JSON.stringify(new URL("./world.ts", import.meta.url).pathname)});
      const stop = new AbortController();
      const sleeping = createBunWorld().clock.sleep(3_600_000, stop.signal);
      stop.abort();
      await sleeping;`;
    const sleeper = Bun.spawn([process.execPath, "--no-install", "-e", script], {
      stderr: "inherit",
      timeout: 120_000,
    });
    expect(await sleeper.exited).toBe(0);
  });

  test("does not sleep on an aborted signal, and leaves no listener on another", async () => {
    await world.clock.sleep(1e9, AbortSignal.abort());
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...[type, listener, options]: Parameters<typeof addEventListener>) => {
      listeners.add(listener);
      addEventListener.call(signal, type, listener, options);
    };
    signal.removeEventListener = (...[type, listener, options]: Parameters<typeof removeEventListener>) => {
      listeners.delete(listener);
      removeEventListener.call(signal, type, listener, options);
    };
    const sleeping = world.clock.sleep(1, signal);
    expect(listeners.size).toBe(1);
    await sleeping;
    expect(listeners.size).toBe(0);
  });
});
