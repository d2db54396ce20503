/** Finds the content that a run read behind the links of a text. */
import { createContext, useContext } from "react";

export interface ReadSource {
  /** The number of the source in the list below the message, from 1. */
  readonly number: number;
  /** Path of the run, at the source. */
  readonly path: string;
}

/** Returns the source for the target of a link. Undefined if the run did not read it. */
export type FindSource = (address: string) => ReadSource | undefined;

const Sources = createContext<FindSource>(() => undefined);
export const SourcesProvider = Sources.Provider;
export const useFindSource = (): FindSource => useContext(Sources);

/** Returns the index of the source that is this address, or its host. -1 if no source is. */
export const findSource = (sources: readonly string[], address: string): number => {
  const url = URL.parse(address);
  if (url === null) return -1;
  const page = sources.findIndex((source) => URL.parse(source)?.href === url.href);
  return page === -1 ? sources.findIndex((source) => source === url.host || source === url.origin) : page;
};
