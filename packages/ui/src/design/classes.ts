/** Joins class names; what is no name is left out. */
export const classes = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter((name) => name !== undefined && name !== false && name !== "").join(" ") || undefined;
