/** Numbers of many chunks, made comparable, and the few sums that signals are made of. */

export type Numbers = Float64Array;

// Loops, and not `map` and `reduce`, which cost several times as much: every question has forty of these.

/** Distance from the mean in standard deviations. What is missing (NaN) is the mean. */
export const standardize = (values: Numbers): Numbers => {
  let [count, sum, squares] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  const mean = sum / Math.max(1, count);
  for (const value of values) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  const spread = Math.sqrt(squares / Math.max(1, count));
  const scaled = new Float64Array(values.length);
  if (spread < 1e-9) return scaled;
  for (let at = 0; at < scaled.length; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isNaN(value)) scaled[at] = (value - mean) / spread;
  }
  return scaled;
};

/** From 0, the least, to 1, the most; 0 for what is missing and where all are even. */
export const stretch = (values: Numbers): Numbers => {
  const present = values.filter((value) => !Number.isNaN(value));
  const least = present.reduce((low, value) => Math.min(low, value), Infinity);
  const most = present.reduce((high, value) => Math.max(high, value), -Infinity);
  return values.map((value) => (Number.isNaN(value) || most <= least ? 0 : (value - least) / (most - least)));
};

export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

export const addTo = (sum: Float64Array, vector: Float32Array, weight: number): void => {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
};

export const lengthOf = (numbers: Float64Array): number => {
  let squares = 0;
  for (let at = 0; at < numbers.length; at += 1) squares += (numbers[at] ?? 0) ** 2;
  return Math.sqrt(squares);
};

/** `weights` and `vectors` go together; the sum has length 1, unless it is nothing at all. */
export const blend = (vectors: readonly Float32Array[], weights: readonly number[]): Float32Array => {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [which, vector] of vectors.entries()) addTo(sum, vector, weights[which] ?? 0);
  const length = lengthOf(sum) || 1;
  return Float32Array.from(sum, (value) => value / length);
};

/** Places in the order of their scores, best first; what is even stays in its order. */
export const rank = (scores: Numbers): readonly number[] =>
  Array.from(scores, (_, at) => at).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
