/** Scales a vector to length 1. A vector without a direction becomes the first axis. */
export const toUnit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  if (length > 0 && Number.isFinite(length)) return vector.map((value) => value / length);
  return vector.map((_, index) => (index === 0 ? 1 : 0));
};
