/**
 * Milliseconds on a clock that all processes of the machine share, accurate to a few microseconds.
 */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

export const pause = (ms: number): Promise<void> => Bun.sleep(ms);
