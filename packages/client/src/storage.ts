/** Storage of a device: text under names, kept for the person who uses it. */

/**
 * Stores text under names, like `localStorage`. A missing name is `undefined`. May be shared with
 * other tabs.
 */
export interface Storage {
  get(name: string): string | undefined;
  /** Throws when the storage is full. */
  set(name: string, text: string): void;
  remove(name: string): void;
  names(): readonly string[];
  /** Calls back when another tab changed something. Returns a function that stops this. */
  onChange(listener: () => void): () => void;
}

export interface MemoryStorage extends Storage {
  /** The same storage as another tab sees it. */
  openTab(): MemoryStorage;
}

/**
 * Loses everything when the process ends: for tests, and for browsers without storage. `maxLength`
 * limits all names and texts together.
 */
export const createMemoryStorage = (options: { readonly maxLength?: number } = {}): MemoryStorage => {
  const { maxLength = Infinity } = options;
  const texts = new Map<string, string>();
  const tabs = new Set<Set<() => void>>();

  const openTab = (): MemoryStorage => {
    const listeners = new Set<() => void>();
    tabs.add(listeners);
    const notifyOtherTabs = (): void => {
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
