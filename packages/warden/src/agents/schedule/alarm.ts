/** Wakes the one who sleeps until something is due. */
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
