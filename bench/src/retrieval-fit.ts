/**
 * Fits weights with a conditional logit and a ridge penalty by Newton's method: right chunks should
 * outrank the others of their question.
 */

export interface Example {
  /** The rows of all chunks, concatenated. */
  readonly rows: Float64Array;
  /** Indexes of the right rows, at least one. */
  readonly right: readonly number[];
  /** How much the question counts. */
  readonly weight: number;
}

const MAX_STEPS = 15;
const MIN_GAIN = 1e-3;

/**
 * Returns one weight per column. The ridge applies to standardized columns; a constant column gets
 * weight 0.
 */
export const fitWeights = (examples: readonly Example[], columns: number, ridge: number): Float64Array => {
  const spread = spreads(examples, columns);
  const scaled = examples.map((example) => ({
    ...example,
    rows: example.rows.map((value, at) => value / (spread[at % columns] ?? 1)),
  }));
  let weights = new Float64Array(columns);
  let loss = lossOf(scaled, weights, ridge);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const move = newtonMove(scaled, weights, ridge);
    const next = descend(scaled, weights, move, ridge, loss);
    if (next === undefined) break;
    const gained = loss - next.loss;
    ({ weights, loss } = next);
    if (gained < MIN_GAIN) break;
  }
  return weights.map((weight, at) => weight / (spread[at] ?? 1));
};

const spreads = (examples: readonly Example[], columns: number): Float64Array => {
  const [sum, squares] = [new Float64Array(columns), new Float64Array(columns)];
  let count = 0;
  for (const { rows } of examples) {
    count += rows.length / columns;
    for (const [at, value] of rows.entries()) {
      const column = at % columns;
      sum[column] = (sum[column] ?? 0) + value;
      squares[column] = (squares[column] ?? 0) + value * value;
    }
  }
  return sum.map((total, at) => {
    const variance = (squares[at] ?? 0) / count - (total / count) ** 2;
    return variance > 1e-12 ? Math.sqrt(variance) : 1;
  });
};

interface Chances {
  readonly chances: Float64Array;
  readonly loss: number;
}

/** Returns each row's probability with these weights, and the loss. */
const chancesOf = ({ rows, right }: Example, weights: Float64Array): Chances => {
  const columns = weights.length;
  const scores = new Float64Array(rows.length / columns);
  for (let row = 0; row < scores.length; row += 1) {
    let score = 0;
    for (let at = 0; at < columns; at += 1) score += (rows[row * columns + at] ?? 0) * (weights[at] ?? 0);
    scores[row] = score;
  }
  const most = scores.reduce((high, score) => Math.max(high, score), -Infinity);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const hit = right.reduce((sum, row) => sum + (scores[row] ?? 0), 0) / right.length;
  return { chances: powers.map((power) => power / total), loss: most + Math.log(total) - hit };
};

const lossOf = (examples: readonly Example[], weights: Float64Array, ridge: number): number =>
  examples.reduce(
    (sum, example) => sum + example.weight * chancesOf(example, weights).loss,
    (ridge / 2) * weights.reduce((sum, weight) => sum + weight * weight, 0),
  );

/** Halves the step until the loss decreases. */
const descend = (
  examples: readonly Example[],
  weights: Float64Array,
  move: Float64Array,
  ridge: number,
  loss: number,
): { readonly weights: Float64Array<ArrayBuffer>; readonly loss: number } | undefined => {
  for (let part = 1; part > 1e-4; part /= 2) {
    const next = Float64Array.from(weights, (weight, at) => weight - part * (move[at] ?? 0));
    const nextLoss = lossOf(examples, next, ridge);
    if (nextLoss < loss) return { weights: next, loss: nextLoss };
  }
  return undefined;
};

const newtonMove = (examples: readonly Example[], weights: Float64Array, ridge: number): Float64Array => {
  const columns = weights.length;
  const slope = weights.map((weight) => ridge * weight);
  const curve = Array.from({ length: columns }, (_, at) => new Float64Array(columns).fill(ridge, at, at + 1));
  for (const example of examples) addExample(example, chancesOf(example, weights).chances, slope, curve);
  return solve(curve, slope);
};

const addExample = (
  { rows, right, weight }: Example,
  chances: Float64Array,
  slope: Float64Array,
  curve: readonly Float64Array[],
): void => {
  const columns = slope.length;
  const mean = new Float64Array(columns);
  for (const [row, chance] of chances.entries()) {
    if (chance < 1e-9) continue;
    const values = rows.subarray(row * columns, (row + 1) * columns);
    for (const [at, value] of values.entries()) {
      if (value === 0) continue;
      const share = chance * value;
      mean[at] = (mean[at] ?? 0) + share;
      const line = curve[at];
      if (line !== undefined)
        for (let to = 0; to <= at; to += 1) line[to] = (line[to] ?? 0) + weight * share * (values[to] ?? 0);
    }
  }
  for (let at = 0; at < columns; at += 1) {
    const won = right.reduce((sum, row) => sum + (rows[row * columns + at] ?? 0), 0) / right.length;
    slope[at] = (slope[at] ?? 0) + weight * ((mean[at] ?? 0) - won);
    const line = curve[at];
    if (line !== undefined)
      for (let to = 0; to <= at; to += 1) line[to] = (line[to] ?? 0) - weight * (mean[at] ?? 0) * (mean[to] ?? 0);
  }
};

/** Solves a linear system by Cholesky, given the lower half of a symmetric positive matrix. */
const solve = (matrix: readonly Float64Array[], vector: Float64Array): Float64Array => {
  const size = vector.length;
  const lower = matrix.map((line) => Float64Array.from(line));
  const get = (row: number, column: number): number => lower[row]?.[column] ?? 0;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row]?.[column] ?? 0;
      for (let at = 0; at < column; at += 1) sum -= get(row, at) * get(column, at);
      const line = lower[row];
      if (line !== undefined)
        line[column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / get(column, column);
    }
  }
  const half = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    let sum = vector[row] ?? 0;
    for (let at = 0; at < row; at += 1) sum -= get(row, at) * (half[at] ?? 0);
    half[row] = sum / get(row, row);
  }
  const solution = new Float64Array(size);
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = half[row] ?? 0;
    for (let at = row + 1; at < size; at += 1) sum -= get(at, row) * (solution[at] ?? 0);
    solution[row] = sum / get(row, row);
  }
  return solution;
};
