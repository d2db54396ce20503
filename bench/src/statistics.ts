/** Summary statistics. */

/**
 * Returns the nearest-rank percentile: the smallest measurement that at least `percent` % do not
 * exceed.
 */
export const percentile = (measurements: readonly number[], percent: number): number => {
  if (percent < 0 || percent > 100) throw new RangeError(`Percentile out of range: ${percent}. Use 0 to 100.`);
  const sorted = Float64Array.from(measurements).sort();
  const value = sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1];
  if (value === undefined) throw new RangeError("No measurements.");
  return value;
};

/** The middle measurement, or the mean of the two middle ones. */
export const median = (measurements: readonly number[]): number => {
  const sorted = Float64Array.from(measurements).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError("No measurements.");
  return (lower + upper) / 2;
};

export const range = (measurements: readonly number[]): readonly [number, number] => [
  percentile(measurements, 0),
  percentile(measurements, 100),
];

/**
 * Corrects for coordinated omission: a response of `durationMs` also delays all requests that were
 * due while it was pending. Without them, one long stall among many short responses would hardly
 * show.
 */
export const withWaiting = (durationMs: number, everyMs: number): readonly number[] => {
  const times = [durationMs];
  for (let left = durationMs - everyMs; left > 0; left -= everyMs) times.push(left);
  return times;
};
