/** One run of a daemon, from its start to its death. From that instant on nothing that it does reaches a disk or a far side. */
import type { World } from "@hearth/protocol";
import { createIds, hash } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Failpoints } from "./failpoints.ts";
import type { Timeline } from "./timeline.ts";

export interface Life {
  readonly name: string;
  readonly world: World;
  isDead(): boolean;
  die(why: string): void;
  /** Resolves when it has died. */
  readonly died: Promise<string>;
  /** Stands still for so long, as a process that was suspended: it notices nothing. */
  suspend(ms: number): void;
  /** Something that its daemon does a little later. Never, if it has died by then. Gives what takes it back. */
  later(delayMs: number, happen: () => void): () => void;
  /** Hears when it is aborted, once, until what it gives is disposed. */
  listen(signal: AbortSignal, hear: () => void): Disposable;
  /**
   * Takes back whatever listens: a dead one waits for ever for what it waited for, and a signal that follows others and is listened to
   * keeps a whole house in memory.
   */
  forget(): void;
  /** How long something takes. */
  delay(): number;
  /** Whether it dies here. */
  fails(failpoint: string): boolean;
  /**
   * Something crosses a boundary, with a failpoint on both sides. `lane`: things of one lane cross, and come back, one after the other.
   * A dead one's never come back.
   */
  cross<Answer>(name: string, effect: () => Promise<Answer> | Answer, lane?: Lane): Promise<Answer>;
}

/** Until when its last thing takes. */
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
  /** How long the next thing takes. */
  readonly latency: () => number;
  /** What the wall clock says at the beginning of the run. */
  readonly epoch: number;
  /** How far the wall clock was set since. */
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
      fetch: () => Promise.reject(new TypeError("no network in this world")),
    },
  };
};
