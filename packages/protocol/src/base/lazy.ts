/** Creates a value at the first call and shares it. After a failure, the next call tries again. */
export const lazy = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let making: Promise<Value> | undefined;
  return () => {
    if (making !== undefined) return making;
    const own = make();
    making = own;
    own.catch(() => (making = undefined));
    return own;
  };
};
