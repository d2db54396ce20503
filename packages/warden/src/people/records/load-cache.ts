/**
 * A cache that is emptied at each change. A load that was in progress during a change is returned
 * to its callers and not cached, because it may be older than the change.
 */
export interface LoadCache<Value> {
  /**
   * Returns the cached value of this key, or the result of `load`. Concurrent callers share one
   * load. `undefined` is not cached.
   */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Empties the cache after a change. */
  drop(): void;
}

/** Maximum number of keys. The oldest is evicted. */
const MAX_KEYS = 4096;

export const createLoadCache = <Value>(maxKeys = MAX_KEYS): LoadCache<Value> => {
  let loads = new Map<string, Promise<Value>>();
  return {
    get(key, load) {
      const known = loads.get(key);
      if (known !== undefined) return known;
      const loading = load();
      const place = loads;
      place.set(key, loading);
      if (place.size > maxKeys) forgetFirst(place);
      const forget = (): void => {
        if (place.get(key) === loading) place.delete(key);
      };
      loading.then((value) => {
        if (value === undefined) forget();
      }, forget);
      return loading;
    },
    drop() {
      loads = new Map();
    },
  };
};

const forgetFirst = (place: Map<string, unknown>): void => {
  const { value } = place.keys().next();
  if (value !== undefined) place.delete(value);
};
