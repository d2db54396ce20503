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
      const cachedLoad = loads.get(key);
      if (cachedLoad !== undefined) return cachedLoad;
      const loading = load();
      const currentLoads = loads;
      currentLoads.set(key, loading);
      if (currentLoads.size > maxKeys) evictOldest(currentLoads);
      const removeLoad = (): void => {
        if (currentLoads.get(key) === loading) currentLoads.delete(key);
      };
      loading.then((value) => {
        if (value === undefined) removeLoad();
      }, removeLoad);
      return loading;
    },
    drop() {
      loads = new Map();
    },
  };
};

const evictOldest = (loads: Map<string, unknown>): void => {
  const { value } = loads.keys().next();
  if (value !== undefined) loads.delete(value);
};
