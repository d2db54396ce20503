/** Filters of a list in the address of its page, so that they survive a reload and can be shared. */
import { useLocation, useSearch } from "wouter";

export interface Filters<Name extends string> {
  /** The value of each filter. An empty value means no filter. */
  readonly values: Readonly<Record<Name, string>>;
  readonly set: (name: Name, value: string) => void;
  readonly clear: () => void;
}

export const useFilters = <Name extends string>(names: readonly Name[]): Filters<Name> => {
  const [path, navigate] = useLocation();
  const search = useSearch();
  return {
    values: readFilters(names, search),
    set: (name, value) => navigate(path + writeFilter(search, name, value), { replace: true }),
    clear: () => navigate(path + names.reduce((text, name) => writeFilter(text, name, ""), search), { replace: true }),
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
  const filters = new URLSearchParams(search);
  if (value === "") filters.delete(name);
  else filters.set(name, value);
  const text = filters.toString();
  return text === "" ? "" : `?${text}`;
};
