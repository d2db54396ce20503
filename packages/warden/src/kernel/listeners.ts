/** A list of listeners of one kind of event, called in the order in which they were added. */
export interface Listeners<Value> {
  add(listener: (value: Value) => void): void;
  notify(value: Value): void;
}

export const createListeners = <Value>(): Listeners<Value> => {
  const listeners: ((value: Value) => void)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    notify(value) {
      for (const listener of listeners) listener(value);
    },
  };
};
