/** A list of functions that are called with each notification. */
export interface Listeners<News extends readonly unknown[] = []> {
  /** Returns a function that removes the listener. */
  add(listener: (...news: News) => void): () => void;
  /** Calls the listeners that were in the list when the call began. */
  call(...news: News): void;
  clear(): void;
}

export const createListeners = <News extends readonly unknown[] = []>(): Listeners<News> => {
  const listeners = new Set<(...news: News) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    call(...news) {
      for (const listener of [...listeners]) listener(...news);
    },
    clear: () => listeners.clear(),
  };
};
