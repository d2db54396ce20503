/**
 * What was read lately, kept until something changes. A load that was under way when something changed is given to whoever asked and
 * not kept: it may be older than the change.
 */
export interface LoadCache<Value> {
  /** The kept value of this key, or what `load` gives. Askers at the same time share one load; `undefined` is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Something changed: nothing that was read before counts any more. */
  drop(): void;
}

/** Of so many keys at most; the one that was read first goes first. */
const MAX_KEYS = 4096;

export const createLoadCache = <Value>(maxKeys = MAX_KEYS): LoadCache<Value> => {
  let kept = new Map<string, Promise<Value>>();
  return {
    get(key, load) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const loading = load();
      const place = kept;
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
      kept = new Map();
    },
  };
};

const forgetFirst = (place: Map<string, unknown>): void => {
  const { value } = place.keys().next();
  if (value !== undefined) place.delete(value);
};
