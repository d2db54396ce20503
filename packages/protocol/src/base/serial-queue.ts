/** Queues that run functions one at a time, in the order of the calls. */

/** A failed function does not affect the next one. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
};

/** One serial queue per name. A name without work takes no memory. */
export type NamedQueues<Name extends string = string> = <Result>(
  name: Name,
  work: () => Promise<Result>,
) => Promise<Result>;

export const createNamedQueues = <Name extends string = string>(): NamedQueues<Name> => {
  const last = new Map<Name, Promise<unknown>>();
  return (name, work) => {
    const previous = last.get(name) ?? Promise.resolve();
    const queued = previous.then(work, work);
    last.set(name, queued);
    const leave = (): void => {
      if (last.get(name) === queued) last.delete(name);
    };
    queued.then(leave, leave);
    return queued;
  };
};
