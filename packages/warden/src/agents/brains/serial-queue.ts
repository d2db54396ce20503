/** Works that are done one after the other, in the order in which they were asked for; one that fails is in nobody's way. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
};
