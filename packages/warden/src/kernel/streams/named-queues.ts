/** Work that waits for the work before it of the same name, however that ended. */

export const createNamedQueues = (): (<Result>(name: string, work: () => Promise<Result>) => Promise<Result>) => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(name, mine);
    const leave = (): void => {
      if (last.get(name) === mine) last.delete(name);
    };
    mine.then(leave, leave);
    return mine;
  };
};
