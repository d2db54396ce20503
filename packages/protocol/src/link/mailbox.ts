/** A queue with one reader: an async iterable that returns each item once, in order. */

export interface Mailbox<Item> extends AsyncIterable<Item> {
  /** Ignored after `close`. */
  put(item: Item): void;
  /** Ends the reader after the queued items; throws `error` there if one is given. */
  close(error?: Error): void;
}

export const createMailbox = <Item>(): Mailbox<Item> => {
  let items: Item[] = [];
  let readIndex = 0;
  let isClosed = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const wakeReader = (): void => {
    const resolveWait = wake;
    wake = undefined;
    resolveWait?.();
  };

  return {
    put(item) {
      if (isClosed) return;
      items.push(item);
      wakeReader();
    },
    close(error) {
      if (isClosed) return;
      isClosed = true;
      failure = error;
      wakeReader();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (readIndex < items.length) {
          const item = items[readIndex] as Item;
          readIndex += 1;
          if (readIndex === items.length) {
            items = [];
            readIndex = 0;
          }
          yield item;
        }
        if (isClosed) {
          if (failure !== undefined) throw failure;
          return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};
