/** Finds the rows of a list that match its search and its filters. */
import type { Filter } from "../design/filter-bar.tsx";

export interface ListFilter<Row> extends Filter<string> {
  readonly matches: (row: Row, value: string) => boolean;
}

export interface MatchOptions<Row> {
  readonly filters: readonly ListFilter<Row>[];
  /** The chosen value of each filter. An empty value shows all rows. */
  readonly values: Readonly<Record<string, string>>;
  readonly search: string;
  readonly searchText: ((row: Row) => string) | undefined;
}

/** Returns the rows that match each filter and contain each word of the search. */
export const findMatchingRows = <Row>(
  rows: readonly Row[],
  { filters, values, search, searchText }: MatchOptions<Row>,
): readonly Row[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = searchText?.(row).toLowerCase() ?? "";
    return (
      words.every((word) => text.includes(word)) &&
      filters.every(({ name, matches }) => {
        const value = values[name] ?? "";
        return value === "" || matches(row, value);
      })
    );
  });
};
