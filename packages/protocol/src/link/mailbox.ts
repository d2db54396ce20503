/** A queue with one reader: an async iterable that returns each item once, in order. */

export interface Mailbox<Item> extends AsyncIterable<Item> {
  /** Ignored after `close`. */
  put(item: Item): void;
  /** Ends the reader after the queued items; throws `error` there if one is given. */
  close(error?: Error): void;
}

export const createMailbox = <Item>(): Mailbox<Item> => {
  let items: Item[] = [];
  let at = 0;
  let closed = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const wakeReader = (): void => {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  };

  return {
    put(item) {
      if (closed) return;
      items.push(item);
      wakeReader();
    },
    close(error) {
      if (closed) return;
      closed = true;
      failure = error;
      wakeReader();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (at < items.length) {
          const item = items[at] as Item;
          at += 1;
          if (at === items.length) {
            items = [];
            at = 0;
          }
          yield item;
        }
        if (closed) {
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
