/** Runs tasks one at a time, in call order. A failed task does not affect the next. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
};
