/** Suggests the closest known name for a mistyped one. */

/** Returns the closest of `names`, if at most a third of the letters differ. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const distance = candidate.startsWith(name) && name.length > 1 ? 0.5 : editDistance(name, candidate);
    if (distance <= Math.max(name.length, candidate.length) / 3 && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
};

/** Returns the number of letters to insert, remove, replace or swap with a neighbour. */
const editDistance = (one: string, other: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace, swapped ? (before[j - 2] ?? 0) + 1 : Infinity),
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
};
