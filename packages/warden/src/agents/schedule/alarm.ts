/** Wakes a loop that sleeps until the next due time. */
export interface Alarm {
  ring(): void;
  /** Resolves at the next ring. */
  wait(): Promise<void>;
}

export const createAlarm = (): Alarm => {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    wait: () => new Promise((resolve) => (wake = resolve)),
  };
};
