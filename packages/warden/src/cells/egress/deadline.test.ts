import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { eachWithDeadline, withDeadline } from "./deadline.ts";

const start = () => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const sleeping = new Set<AbortSignal>();
  const counting: typeof clock = {
    ...clock,
    async sleep(ms, signal) {
      if (signal === undefined) throw new TypeError("a sleep that no signal ends");
      sleeping.add(signal);
      await clock.sleep(ms, signal);
      sleeping.delete(signal);
    },
  };
  return { clock: counting, advance, sleeping };
};
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof HearthError ? `${error.code}: ${error.message}` : String(error)),
  );
const never = new Promise<never>(() => {});
/** A signal that counts its listeners. */
const countListeners = (signal: AbortSignal) => {
  const listeners = new Set<unknown>();
  const counted = {
    get aborted() {
      return signal.aborted;
    },
    addEventListener(_type: string, listener: () => void) {
      listeners.add(listener);
      signal.addEventListener("abort", listener);
    },
    removeEventListener(_type: string, listener: () => void) {
      listeners.delete(listener);
      signal.removeEventListener("abort", listener);
    },
  } as unknown as AbortSignal;
  return { counted, listeners };
};

test("`within` returns the result in time, and leaves no timer and no listener", async () => {
  const { clock, sleeping } = start();
  const { counted, listeners } = countListeners(new AbortController().signal);
  expect(await withDeadline(clock, 1000, "It", Promise.resolve("value"), counted)).toBe("value");
  await clock.turn();
  expect([sleeping.size, listeners.size]).toEqual([0, 0]);
  expect(await messageOf(withDeadline(clock, 1000, "It", Promise.reject(new TypeError("no")), counted))).toContain(
    "no",
  );
  await clock.turn();
  expect([sleeping.size, listeners.size]).toEqual([0, 0]);
});

test("`within` fails at its deadline, not before", async () => {
  const { clock, advance } = start();
  let message: string | undefined;
  void messageOf(withDeadline(clock, 1000, "It", never)).then((said) => (message = said));
  await advance(999);
  expect(message).toBeUndefined();
  await advance(1);
  expect(message).toBe("egress.failed: It took longer than 1 s.");
});

test("`within` fails when its signal aborts, also if that was before", async () => {
  const { clock, sleeping } = start();
  const stopper = new AbortController();
  const stopped = messageOf(withDeadline(clock, 1000, "It", never, stopper.signal));
  stopper.abort();
  expect(await stopped).toBe("egress.failed: It was stopped.");
  expect(await messageOf(withDeadline(clock, 1000, "It", never, stopper.signal))).toBe(
    "egress.failed: It was stopped.",
  );
  await clock.turn();
  expect(sleeping.size).toBe(0);
});

test("work that fails after its deadline causes no unhandled rejection", async () => {
  const { clock, advance } = start();
  const late = Promise.withResolvers<never>();
  const message = messageOf(withDeadline(clock, 1000, "It", late.promise));
  await advance(1000);
  expect(await message).toContain("took longer");
  late.reject(new Error("too late"));
  // An unhandled rejection in this time fails the test.
  await new Promise((resolve) => setImmediate(resolve));
});

test("each piece of a stream has its own deadline", async () => {
  const { clock, advance } = start();
  const source = async function* (): AsyncGenerator<Uint8Array> {
    for (const pause of [900, 900, 1100]) {
      await clock.sleep(pause, new AbortController().signal);
      yield Uint8Array.of(1);
    }
  };
  let pieces = 0;
  const reading = messageOf(
    (async () => {
      for await (const _piece of eachWithDeadline(clock, 1000, "It", source())) pieces += 1;
    })(),
  );
  await advance(2000);
  expect(pieces).toBe(2);
  await advance(1000);
  expect([pieces, await reading]).toEqual([2, "egress.failed: It took longer than 1 s."]);
});
