/** Keeps spans in memory, for tests. */
import type { Observer, Span } from "./observer.ts";

export interface MemoryObserver extends Observer {
  readonly spans: readonly Span[];
}

export const createMemoryObserver = (): MemoryObserver => {
  const spans: Span[] = [];
  let isClosed = false;
  return {
    spans,
    record(span) {
      if (!isClosed) spans.push(span);
    },
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
};
