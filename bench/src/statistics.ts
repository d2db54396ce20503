/** What many measurements say in a few numbers. */

/** The smallest measurement that at least `percent` of all do not exceed (nearest rank): always one that was measured. */
export const percentile = (measurements: readonly number[], percent: number): number => {
  if (percent < 0 || percent > 100) throw new RangeError(`There is no percentile ${percent}.`);
  const sorted = Float64Array.from(measurements).sort();
  const value = sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1];
  if (value === undefined) throw new RangeError("Nothing was measured.");
  return value;
};

/** The middle one, or the mean of the two in the middle. */
export const median = (measurements: readonly number[]): number => {
  const sorted = Float64Array.from(measurements).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("Nothing was measured.");
  return (lower + upper) / 2;
};

export const range = (measurements: readonly number[]): readonly [number, number] => [
  percentile(measurements, 0),
  percentile(measurements, 100),
];

/**
 * Response times as somebody feels them who asks at every tick: one answer after `durationMs` also kept waiting all who would
 * have asked while it was under way. Without this, one long stall among many short answers would hardly show.
 */
export const withWaiting = (durationMs: number, everyMs: number): readonly number[] => {
  const times = [durationMs];
  for (let left = durationMs - everyMs; left > 0; left -= everyMs) times.push(left);
  return times;
};
