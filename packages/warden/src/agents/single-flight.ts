/**
 * Makes a value that costs money once per key, also for concurrent callers. The value is stored, so a
 * call first looks for it.
 */
export interface SingleFlightOptions<Value> {
  /** Returns the stored value. */
  readonly find: () => Promise<Value | undefined>;
  /** Makes and stores the value. */
  readonly make: () => Promise<Value | undefined>;
  /** Whether the stored value is a failure, which a retry makes again. */
  readonly isFailure: (value: Value) => boolean;
  readonly retries: boolean;
}

/**
 * Contract, checked in single-flight.test.ts:
 * - while a value is made, callers with its key wait for it and get it, also those that retry
 * - a caller never makes a value that was stored before its own search ended
 */
export type SingleFlight<Value> = (key: string, options: SingleFlightOptions<Value>) => Promise<Value | undefined>;

interface Outcome<Value> {
  readonly value: Value | undefined;
  /** Whether it was made in this flight. */
  readonly isNew: boolean;
}

export const createSingleFlight = <Value>(): SingleFlight<Value> => {
  const flights = new Map<string, Promise<Outcome<Value>>>();

  const findOrMake = async (options: SingleFlightOptions<Value>): Promise<Outcome<Value>> => {
    const { find, make, isFailure, retries } = options;
    const storedValue = await find();
    if (storedValue !== undefined && !(retries && isFailure(storedValue))) return { value: storedValue, isNew: false };
    return { value: await make(), isNew: true };
  };

  return async (key, options) => {
    for (;;) {
      const currentFlight = flights.get(key);
      // Between the lookup and `set`, there is no `await`, so no other caller begins a flight between them.
      const flight = currentFlight ?? findOrMake(options).finally(() => flights.delete(key));
      if (currentFlight === undefined) flights.set(key, flight);
      const { value, isNew } = await flight;
      const isStaleFailure = !isNew && options.retries && value !== undefined && options.isFailure(value);
      if (currentFlight === undefined || !isStaleFailure) return value;
    }
  };
};
