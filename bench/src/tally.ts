/** Combines what many readers received. */

/** Events of one phase in one process of readers. */
export interface Tally {
  readonly events: number;
  readonly frames: number;
  /** Arrival of the first and the last event on the shared clock. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Delays in tenths of a millisecond, with the number of events for each. */
  readonly delays: readonly (readonly [tenths: number, count: number])[];
}

export const joinTallies = (tallies: readonly Tally[]): Tally => ({
  events: tallies.reduce((sum, { events }) => sum + events, 0),
  frames: tallies.reduce((sum, { frames }) => sum + frames, 0),
  firstMs: Math.min(...tallies.map(({ firstMs }) => firstMs)),
  lastMs: Math.max(...tallies.map(({ lastMs }) => lastMs)),
  delays: tallies.flatMap(({ delays }) => delays),
});

/**
 * Returns the shortest delay, in milliseconds, that at least `percent` % of the events do not
 * exceed.
 */
export const delayOf = ({ delays, events }: Tally, percent: number): number => {
  let left = Math.max(1, Math.ceil((percent / 100) * events));
  for (const [tenths, count] of delays.toSorted(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return tenths / 10;
  }
  throw new RangeError("No measurements.");
};

export const perSecond = ({ events, firstMs, lastMs }: Tally): number => events / ((lastMs - firstMs) / 1000);
