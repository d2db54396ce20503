/** A queue with one reader: what is put in comes out once, in order, as an async iterable. */

export interface Mailbox<Item> extends AsyncIterable<Item> {
  /** Dropped once the mailbox is closed. */
  put(item: Item): void;
  /** Ends the reader after what is already in, with `error` thrown if one is given. */
  close(error?: Error): void;
}

export const createMailbox = <Item>(): Mailbox<Item> => {
  let items: Item[] = [];
  let at = 0;
  let closed = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  const rouse = (): void => {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  };

  return {
    put(item) {
      if (closed) return;
      items.push(item);
      rouse();
    },
    close(error) {
      if (closed) return;
      closed = true;
      failure = error;
      rouse();
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
