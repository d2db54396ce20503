/** Queues that run functions one at a time, in the order of the calls. */

/** Runs a function after all earlier ones. If an earlier function failed, the next one still runs. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSerialQueue = (): SerialQueue => {
  let lastWork: Promise<unknown> = Promise.resolve();
  return (work) => {
    const queuedWork = lastWork.then(work, work);
    lastWork = queuedWork.catch(() => {});
    return queuedWork;
  };
};

/** One serial queue per name. The queue of a name is deleted when it is empty. */
export type NamedQueues<Name extends string = string> = <Result>(
  name: Name,
  work: () => Promise<Result>,
) => Promise<Result>;

export const createNamedQueues = <Name extends string = string>(): NamedQueues<Name> => {
  const lastWork = new Map<Name, Promise<unknown>>();
  return (name, work) => {
    const previous = lastWork.get(name) ?? Promise.resolve();
    const queuedWork = previous.then(work, work);
    lastWork.set(name, queuedWork);
    const removeIfLast = (): void => {
      if (lastWork.get(name) === queuedWork) lastWork.delete(name);
    };
    queuedWork.then(removeIfLast, removeIfLast);
    return queuedWork;
  };
};
