/** Suggests the known word that the person probably meant. */

/**
 * Returns the number of single-letter edits (insert, delete, replace, swap of neighbours) between
 * two words.
 */
export const editDistance = (from: string, to: string): number => {
  const a = [...from];
  const b = [...to];
  let before: number[] = [];
  let last = b.map((_, index) => index);
  last.push(b.length);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
};

/** Returns a hint for an unknown word: the nearest known word, or all known words. */
export const suggest = (word: string, known: readonly string[]): string => {
  const meant = nearest(word, known);
  return meant === undefined ? `Available: ${known.join(", ")}.` : `Did you mean "${meant}"?`;
};

/** Returns the nearest known word if it is near enough: one edit per three letters. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const best = ranked[0];
  if (best === undefined) return undefined;
  const allowed = Math.max(1, Math.floor(Math.max(word.length, best.candidate.length) / 3));
  return best.distance <= allowed ? best.candidate : undefined;
};
