/** Joins class names, ignoring false and undefined. */
export const classes = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter((name) => name !== undefined && name !== false && name !== "").join(" ") || undefined;
