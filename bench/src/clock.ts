/** Time that all processes of one machine share, in milliseconds with fractions. Within a few microseconds of each other. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

export const pause = (ms: number): Promise<void> => Bun.sleep(ms);
