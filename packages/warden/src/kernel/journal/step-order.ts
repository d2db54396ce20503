/**
 * Keeps the order of steps within one activation. The end of a step may still be in flight when the
 * next step starts. The next step never becomes durable without this end.
 */
import type { ActivationId } from "@hearth/protocol";
import type { Guard } from "../store/store.ts";

export interface StepOrder {
  /**
   * Writes the end of a step. `prepare` begins at once. `commit` is called after the commits of
   * all earlier ends of this activation. Rejects with the error of either function.
   */
  end<Prepared>(
    activation: ActivationId,
    step: number,
    prepare: () => Promise<Prepared>,
    commit: (prepared: Prepared) => Promise<void>,
  ): Promise<void>;
  /**
   * Returns guards for a commit that follows from earlier steps. Resolves when the ends of these
   * steps are in the store's queue. Throws the error of an end that could not be written, because
   * no step may follow it.
   */
  guardsAfter(activation: ActivationId, step: number): Promise<readonly Guard[]>;
  /** Returns the error of the end that made such a guard fail, if any. */
  failureBefore(activation: ActivationId, step: number): Promise<unknown>;
  /** Drops a failed end of the step, because the step begins again or has ended in another way. */
  replace(activation: ActivationId, step: number): void;
  /** Resolves when no end of the activation is in flight. */
  waitForEnds(activation: ActivationId): Promise<void>;
  /**
   * Starts a new run of the activation from the stored steps. Waits for ends in flight, then
   * drops those that failed.
   */
  restart(activation: ActivationId): Promise<void>;
  /** Forgets an activation that has ended. */
  forget(activation: ActivationId): void;
}

/** The end of a step that is not durable yet, or that could not be written. */
interface PendingEnd {
  /** Resolves when the end is in the store's queue. Rejects if it never gets there. */
  readonly queued: Promise<void>;
  /** Resolves when the end is durable. */
  readonly written: Promise<void>;
}

export const createStepOrder = (): StepOrder => {
  const pendingEnds = new Map<ActivationId, Map<number, PendingEnd>>();

  const endsBefore = (activation: ActivationId, step: number): readonly (readonly [number, PendingEnd])[] =>
    [...(pendingEnds.get(activation) ?? [])].filter(([index]) => index < step);

  const remove = (activation: ActivationId, step: number, expectedEnd?: PendingEnd): void => {
    const ends = pendingEnds.get(activation);
    if (ends === undefined || (expectedEnd !== undefined && ends.get(step) !== expectedEnd)) return;
    ends.delete(step);
  };

  const waitForEnds = async (activation: ActivationId): Promise<void> => {
    await Promise.allSettled([...(pendingEnds.get(activation)?.values() ?? [])].map(({ written }) => written));
  };

  return {
    end(activation, step, prepare, commit) {
      const ends = pendingEnds.get(activation) ?? new Map<number, PendingEnd>();
      const earlierEnds = [...ends.values()].map(({ queued }) => queued);
      const queued = Promise.withResolvers<void>();
      const prepared = prepare();
      const write = async (): Promise<void> => {
        try {
          const [preparedValue] = await Promise.all([prepared, ...earlierEnds]);
          const written = commit(preparedValue);
          queued.resolve();
          await written;
        } catch (error) {
          queued.reject(error);
          throw error;
        }
        remove(activation, step, end);
      };
      // The end is registered before any `await`, to keep the step's place in the order.
      const end: PendingEnd = { queued: queued.promise, written: write() };
      queued.promise.catch(() => {});
      end.written.catch(() => {});
      ends.set(step, end);
      pendingEnds.set(activation, ends);
      return end.written;
    },

    async guardsAfter(activation, step) {
      const ends = endsBefore(activation, step);
      await Promise.all(ends.map(([, { queued }]) => queued));
      return ends.map(([index]) => ({
        kind: "exists",
        table: "steps",
        where: { activation, step: index, state: "done" },
      }));
    },

    async failureBefore(activation, step) {
      for (const [, { written }] of endsBefore(activation, step)) {
        const failure = await written.then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failure !== undefined) return failure;
      }
      return undefined;
    },

    replace: (activation, step) => remove(activation, step),

    waitForEnds,

    async restart(activation) {
      await waitForEnds(activation);
      pendingEnds.delete(activation);
    },

    forget: (activation) => void pendingEnds.delete(activation),
  };
};
