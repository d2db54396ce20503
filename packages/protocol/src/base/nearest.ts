/** Suggests the closest known name for a mistyped one. */

/** Returns a hint for an unknown name: the closest known one, or all of them. */
export const suggest = (name: string, names: readonly string[]): string => {
  const closest = nearest(name, names);
  return closest === undefined ? `Available: ${names.join(", ")}.` : `Did you mean "${closest}"?`;
};

/** Returns the closest of `names`, in any case, if at most a third of the letters differ. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  const lowerName = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const lowerCandidate = candidate.toLowerCase();
    const isPrefix = lowerCandidate.startsWith(lowerName) && lowerName.length > 1;
    const distance = isPrefix ? 0.5 : editDistance(lowerName, lowerCandidate);
    const maxDistance = Math.max(lowerName.length, lowerCandidate.length) / 3;
    if (distance <= maxDistance && (best === undefined || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name;
};

/** Returns the number of letters to insert, remove, replace or swap with a neighbour. */
const editDistance = (a: string, b: string): number => {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const nextRow = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaceCost = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      nextRow.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (nextRow[j - 1] ?? 0) + 1,
          replaceCost,
          isSwap ? (previousRow[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    previousRow = row;
    row = nextRow;
  }
  return row[b.length] ?? 0;
};
