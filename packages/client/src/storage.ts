/** Stores texts on a device, for the person who uses it. */

/**
 * Stores texts under names, as `localStorage` does. A missing name has the text `undefined`.
 * Several tabs may share the storage.
 */
export interface Storage {
  get(name: string): string | undefined;
  /** Throws when the storage is full. */
  set(name: string, text: string): void;
  remove(name: string): void;
  names(): readonly string[];
  /** Calls the listener when another tab changed a text. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

export interface MemoryStorage extends Storage {
  /** The same storage as another tab sees it. */
  openTab(): MemoryStorage;
}

/**
 * Creates a storage in memory, for tests and for browsers without storage. `maxLength` limits the
 * length of all names and texts together.
 */
export const createMemoryStorage = (options: { readonly maxLength?: number } = {}): MemoryStorage => {
  const { maxLength = Infinity } = options;
  const texts = new Map<string, string>();
  const tabs = new Set<Set<() => void>>();

  const openTab = (): MemoryStorage => {
    const listeners = new Set<() => void>();
    tabs.add(listeners);
    const notifyOtherTabs = (): void => {
      for (const tabListeners of tabs)
        if (tabListeners !== listeners) for (const listener of [...tabListeners]) listener();
    };
    return {
      openTab,
      get: (name) => texts.get(name),
      set(name, text) {
        let length = name.length + text.length;
        for (const [otherName, text] of texts) if (otherName !== name) length += otherName.length + text.length;
        if (length > maxLength) throw new RangeError("the storage is full");
        if (texts.get(name) === text) return;
        texts.set(name, text);
        notifyOtherTabs();
      },
      remove(name) {
        if (texts.delete(name)) notifyOtherTabs();
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
