/** Creates a value at the first call and shares it. After a failure, the next call tries again. */
export const lazy = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let pendingValue: Promise<Value> | undefined;
  return () => {
    if (pendingValue !== undefined) return pendingValue;
    const value = create();
    pendingValue = value;
    value.catch(() => (pendingValue = undefined));
    return value;
  };
};

/** The methods of a part that return promises. */
type AsyncName<Part> = {
  [Name in keyof Part]: Part[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Part];

/** Creates the methods of a part that is loaded at their first call. */
export const lazyMethods = <Part extends object, Name extends AsyncName<Part> & string>(
  load: () => Promise<Part>,
  names: readonly Name[],
): Pick<Part, Name> => {
  const methods = names.map((name) => [
    name,
    async (...args: never[]) => ((await load())[name] as (...args: never[]) => Promise<unknown>)(...args),
  ]);
  return Object.fromEntries(methods) as Pick<Part, Name>;
};
