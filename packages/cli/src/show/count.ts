/** Formats a count: "1 file", "2 files", "2 summaries". */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
