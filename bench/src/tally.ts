/** What many readers saw, put together. */

/** Events of one phase as one process of readers saw them. */
export interface Tally {
  readonly events: number;
  readonly frames: number;
  /** When the first and the last were seen, on the shared clock. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** How long they took: tenths of a millisecond, and how many took so long. */
  readonly delays: readonly (readonly [tenths: number, count: number])[];
}

export const joinTallies = (tallies: readonly Tally[]): Tally => ({
  events: tallies.reduce((sum, { events }) => sum + events, 0),
  frames: tallies.reduce((sum, { frames }) => sum + frames, 0),
  firstMs: Math.min(...tallies.map(({ firstMs }) => firstMs)),
  lastMs: Math.max(...tallies.map(({ lastMs }) => lastMs)),
  delays: tallies.flatMap(({ delays }) => delays),
});

/** In milliseconds: the shortest delay that at least `percent` of all events do not exceed. */
export const delayOf = ({ delays, events }: Tally, percent: number): number => {
  let left = Math.max(1, Math.ceil((percent / 100) * events));
  for (const [tenths, count] of delays.toSorted(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return tenths / 10;
  }
  throw new RangeError("Nothing was measured.");
};

export const perSecond = ({ events, firstMs, lastMs }: Tally): number => events / ((lastMs - firstMs) / 1000);
