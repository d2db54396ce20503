/** What is made when it is first asked for, once. What could not be made is tried again by whoever asks next. */
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
