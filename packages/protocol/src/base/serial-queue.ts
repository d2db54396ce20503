/** Queues that run functions one at a time, in the order of the calls. */

/** Runs a function after all earlier ones. If an earlier function failed, the next one still runs. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
};

/** One serial queue per name. The queue of a name is deleted when it is empty. */
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
    const removeIfLast = (): void => {
      if (last.get(name) === queued) last.delete(name);
    };
    queued.then(removeIfLast, removeIfLast);
    return queued;
  };
};
