/** Filters of a list in the address of its page, so that they survive a reload and can be shared. */
import { useLocation, useSearch } from "wouter";

export interface Filters<Name extends string> {
  /** The value of each filter. An empty value means no filter. */
  readonly values: Readonly<Record<Name, string>>;
  readonly set: (name: Name, value: string) => void;
  readonly clear: () => void;
}

export const useFilters = <Name extends string>(names: readonly Name[]): Filters<Name> => {
  const [here, go] = useLocation();
  const search = useSearch();
  return {
    values: readFilters(names, search),
    set: (name, value) => go(here + writeFilter(search, name, value), { replace: true }),
    clear: () => go(here + names.reduce((left, name) => writeFilter(left, name, ""), search), { replace: true }),
  };
};

export const readFilters = <Name extends string>(
  names: readonly Name[],
  search: string,
): Readonly<Record<Name, string>> => {
  const filters = new URLSearchParams(search);
  return Object.fromEntries(names.map((name) => [name, filters.get(name) ?? ""])) as Record<Name, string>;
};

/** Returns the query of the address after the change: empty, or with its question mark. */
export const writeFilter = (search: string, name: string, value: string): string => {
  const next = new URLSearchParams(search);
  if (value === "") next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  return text === "" ? "" : `?${text}`;
};
