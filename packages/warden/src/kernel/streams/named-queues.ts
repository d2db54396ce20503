/** Queues by name: work waits for earlier work of the same name, whether that succeeds or fails. */

export const createNamedQueues = (): (<Result>(name: string, work: () => Promise<Result>) => Promise<Result>) => {
  const last = new Map<string, Promise<unknown>>();
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
