/**
 * The life of one daemon. After its death, none of its operations reaches the disk or a far side.
 */
import type { World } from "@hearth/protocol";
import { createIds, hash, hasher } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Failpoints } from "./failpoints.ts";
import type { Timeline } from "./timeline.ts";

export interface Life {
  readonly name: string;
  readonly world: World;
  isDead(): boolean;
  die(why: string): void;
  /** Resolves when the daemon has died. */
  readonly died: Promise<string>;
  /** Suspends the daemon's timers for this time, as if its process were stopped. */
  suspend(ms: number): void;
  /**
   * Schedules a callback, which never runs if the daemon has died by then. Returns its cancel
   * function.
   */
  later(delayMs: number, happen: () => void): () => void;
  /** Calls `hear` once when the signal aborts, until the returned listener is disposed. */
  listen(signal: AbortSignal, hear: () => void): Disposable;
  /**
   * Removes all listeners. A dead daemon's operations never settle, and a listener on a signal that
   * depends on others would keep the whole house in memory.
   */
  forget(): void;
  /** The duration of the next operation. */
  delay(): number;
  /** Reaches a failpoint. Returns whether the daemon is dead. */
  fails(failpoint: string): boolean;
  /**
   * Performs an effect across a boundary, with a failpoint before and after it. Crossings of one
   * lane keep their order in both directions. Results for a dead daemon never arrive.
   */
  cross<Answer>(name: string, effect: () => Promise<Answer> | Answer, lane?: Lane): Promise<Answer>;
}

/** When the last crossing of the lane arrives, in each direction. */
export interface Lane {
  out: number;
  back: number;
}

export const createLane = (): Lane => ({ out: 0, back: 0 });

export const createLife = (options: {
  readonly name: string;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly failpoints: Failpoints;
  /** The duration of the next operation. */
  readonly latency: () => number;
  /** The wall time at the beginning of the run. */
  readonly epoch: number;
  /** How far the wall clock has been set ahead. */
  readonly skew: () => number;
  readonly onDeath: (why: string) => void;
}): Life => {
  const { name, timeline, chance, failpoints, latency: delay, epoch, skew } = options;
  const death = Promise.withResolvers<string>();
  let dead = false;
  let suspendedUntil = 0;

  const die = (why: string): void => {
    if (dead) return;
    dead = true;
    death.resolve(why);
    options.onDeath(why);
  };

  const later: Life["later"] = (delayMs, happen) => {
    const whenAwake = (): void => {
      if (dead) return;
      if (timeline.now() < suspendedUntil) cancel = timeline.at(suspendedUntil - timeline.now(), whenAwake);
      else happen();
    };
    let cancel = timeline.at(delayMs, whenAwake);
    return () => cancel();
  };

  const listeners = new Set<() => void>();
  const listen: Life["listen"] = (signal, hear) => {
    const leave = (): void => {
      signal.removeEventListener("abort", onAbort);
      listeners.delete(leave);
    };
    const onAbort = (): void => {
      leave();
      hear();
    };
    signal.addEventListener("abort", onAbort);
    listeners.add(leave);
    return { [Symbol.dispose]: leave };
  };

  const fails: Life["fails"] = (failpoint) => {
    if (dead) return true;
    if (failpoints.hit(failpoint)) die(failpoint);
    return dead;
  };

  const now = (): number => Math.round(epoch + timeline.now() + skew());

  return {
    name,
    died: death.promise,
    isDead: () => dead,
    die,
    later,
    listen,
    forget() {
      for (const leave of listeners) leave();
    },
    delay,
    fails,
    suspend(ms) {
      suspendedUntil = timeline.now() + ms;
    },
    cross<Answer>(what: string, effect: () => Promise<Answer> | Answer, lane = createLane()): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const inOrder = (side: keyof Lane): number => {
        lane[side] = Math.max(lane[side], timeline.now() + delay());
        return lane[side] - timeline.now();
      };
      const back = (come: () => void): void => {
        if (fails(`${what}:after`)) return;
        later(inOrder("back"), come);
      };
      later(inOrder("out"), () => {
        if (fails(`${what}:before`)) return;
        Promise.try(async () => await effect()).then(
          (answer) => back(() => resolve(answer)),
          (error: unknown) => back(() => reject(error)),
        );
      });
      return promise;
    },
    world: {
      clock: {
        now,
        monotonic: () => timeline.now(),
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            if (signal?.aborted === true) return resolve();
            const cancel = later(ms, () => {
              listening?.[Symbol.dispose]();
              resolve();
            });
            const wake = (): void => {
              cancel();
              resolve();
            };
            const listening = signal === undefined ? undefined : listen(signal, wake);
          }),
        turn: () => new Promise((resolve) => later(0, resolve)),
      },
      ids: createIds({ now, random: (length) => chance.bytes(length) }),
      random: (length) => chance.bytes(length),
      hash,
      hasher,
      fetch: () => Promise.reject(new TypeError("no network in this world")),
    },
  };
};
