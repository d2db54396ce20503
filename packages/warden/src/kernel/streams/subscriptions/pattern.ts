/**
 * Matches patterns of paths: `*` is one segment, `**` any number of them, including none; other
 * segments match exactly.
 */
export const matchesPattern = (pattern: string, path: string): boolean => {
  const segments = path.split("/");
  /** For each prefix of the segments: whether the pattern so far matches it. */
  let matchedPrefixes = [true, ...segments.map(() => false)];
  for (const part of pattern.split("/")) {
    const next = matchedPrefixes.map(() => false);
    for (let count = 0; count <= segments.length; count += 1) {
      if (part === "**") next[count] = matchedPrefixes[count] === true || next[count - 1] === true;
      else next[count] = matchedPrefixes[count - 1] === true && (part === "*" || part === segments[count - 1]);
    }
    matchedPrefixes = next;
  }
  return matchedPrefixes.at(-1) === true;
};
