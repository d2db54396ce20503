/** What a device remembers for a person, as text under names. */

/** Keeps text under names, as `localStorage` does. A name that is not there is `undefined`. May be shared with other tabs. */
export interface Storage {
  get(name: string): string | undefined;
  /** Throws when there is no space. */
  set(name: string, text: string): void;
  remove(name: string): void;
  names(): readonly string[];
  /** Calls back when another tab changed something. Returns what ends that. */
  onChange(listener: () => void): () => void;
}

export interface MemoryStorage extends Storage {
  /** The same storage as another tab sees it. */
  openTab(): MemoryStorage;
}

/** Forgets everything with the process: for tests, and for browsers that keep nothing. `maxLength` is of all names and texts together. */
export const createMemoryStorage = (options: { readonly maxLength?: number } = {}): MemoryStorage => {
  const { maxLength = Infinity } = options;
  const texts = new Map<string, string>();
  const tabs = new Set<Set<() => void>>();

  const openTab = (): MemoryStorage => {
    const listeners = new Set<() => void>();
    tabs.add(listeners);
    const tellOthers = (): void => {
      for (const others of tabs) if (others !== listeners) for (const listener of [...others]) listener();
    };
    return {
      openTab,
      get: (name) => texts.get(name),
      set(name, text) {
        let length = name.length + text.length;
        for (const [other, kept] of texts) if (other !== name) length += other.length + kept.length;
        if (length > maxLength) throw new RangeError("the storage is full");
        if (texts.get(name) === text) return;
        texts.set(name, text);
        tellOthers();
      },
      remove(name) {
        if (texts.delete(name)) tellOthers();
      },
      names: () => [...texts.keys()],
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  };
  return openTab();
};
