/** Scales and combines arrays of numbers, one number per candidate. */

export type Numbers = Float64Array;

// Loops, because `map`, `reduce` and `from` are several times slower and each question has about forty signals.

export const numbersOf = <Item>(items: readonly Item[], compute: (item: Item, index: number) => number): Numbers => {
  const numbers = new Float64Array(items.length);
  let index = 0;
  for (const item of items) {
    numbers[index] = compute(item, index);
    index += 1;
  }
  return numbers;
};

/** Returns the distances from the mean in standard deviations. NaN counts as the mean. */
export const standardize = (values: Numbers): Numbers => {
  let count = 0;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  const mean = sum / Math.max(1, count);
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  }
  const deviation = Math.sqrt(squares / Math.max(1, count));
  const scaled = new Float64Array(values.length);
  if (deviation < 1e-9) return scaled;
  for (let index = 0; index < scaled.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isNaN(value)) scaled[index] = (value - mean) / deviation;
  }
  return scaled;
};

/** Scales to 0 (lowest) … 1 (highest). NaN becomes 0, and so do all values if they are equal. */
export const minMaxScale = (values: Numbers): Numbers => {
  const numbers = values.filter((value) => !Number.isNaN(value));
  const lowest = numbers.reduce((low, value) => Math.min(low, value), Infinity);
  const highest = numbers.reduce((high, value) => Math.max(high, value), -Infinity);
  return values.map((value) => (Number.isNaN(value) || highest <= lowest ? 0 : (value - lowest) / (highest - lowest)));
};

/** Returns the dot product. It uses four independent sums, which the processor can add in parallel. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let index = 0;
  for (const end = left.length - 3; index < end; index += 4) {
    first += (left[index] ?? 0) * (right[index] ?? 0);
    second += (left[index + 1] ?? 0) * (right[index + 1] ?? 0);
    third += (left[index + 2] ?? 0) * (right[index + 2] ?? 0);
    fourth += (left[index + 3] ?? 0) * (right[index + 3] ?? 0);
  }
  for (; index < left.length; index += 1) first += (left[index] ?? 0) * (right[index] ?? 0);
  return first + second + (third + fourth);
};

export const addWeighted = (sum: Float64Array, vector: Float32Array, weight: number): void => {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + weight * (vector[index] ?? 0);
};

export const normOf = (numbers: Float64Array): number => {
  let squares = 0;
  for (let index = 0; index < numbers.length; index += 1) squares += (numbers[index] ?? 0) ** 2;
  return Math.sqrt(squares);
};

/** Returns the weighted sum of vectors, normalized to length 1 unless it is zero. */
export const blend = (vectors: readonly Float32Array[], weights: readonly number[]): Float32Array => {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [index, vector] of vectors.entries()) addWeighted(sum, vector, weights[index] ?? 0);
  const length = normOf(sum) || 1;
  return Float32Array.from(sum, (value) => value / length);
};

/** Returns indexes in order of score, best first. Equal scores keep their order. */
export const rank = (scores: Numbers): readonly number[] =>
  Array.from(scores, (_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);

/** Returns the first `limit` indexes of `rank`, without a full sort. */
export const bestOf = (scores: Numbers, limit: number): readonly number[] => {
  const best: number[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? 0;
    if (best.length === limit && score <= (scores[best.at(-1) ?? 0] ?? 0)) continue;
    let rankIndex = best.length;
    while (rankIndex > 0 && (scores[best[rankIndex - 1] ?? 0] ?? 0) < score) rankIndex -= 1;
    best.splice(rankIndex, 0, index);
    if (best.length > limit) best.pop();
  }
  return best;
};
