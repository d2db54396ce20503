/**
 * Matches patterns of paths: `*` is one segment, `**` any number of them, including none; other
 * segments match exactly.
 */
export const matchesPattern = (pattern: string, path: string): boolean => {
  const segments = path.split("/");
  /** For each prefix of the segments: whether the pattern so far matches it. */
  let matchedPrefixes = [true, ...segments.map(() => false)];
  for (const part of pattern.split("/")) {
    const nextMatches = matchedPrefixes.map(() => false);
    for (let count = 0; count <= segments.length; count += 1) {
      if (part === "**") nextMatches[count] = matchedPrefixes[count] === true || nextMatches[count - 1] === true;
      else nextMatches[count] = matchedPrefixes[count - 1] === true && (part === "*" || part === segments[count - 1]);
    }
    matchedPrefixes = nextMatches;
  }
  return matchedPrefixes.at(-1) === true;
};
