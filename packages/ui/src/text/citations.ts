/** Finds the parts of attached documents that the links of a text may open. */
import { createContext, useContext } from "react";

export interface CitedPart {
  /** Path of the page that opens the part. */
  readonly path: string;
  /** The name of the file, as the house knows it. */
  readonly name: string;
}

/** Returns the part for the target of a link. Undefined if the house did not give it to the author. */
export type FindCitedPart = (address: string) => CitedPart | undefined;

const CitationContext = createContext<FindCitedPart>(() => undefined);
export const CitationsProvider = CitationContext.Provider;
export const useFindCitedPart = (): FindCitedPart => useContext(CitationContext);
