/** Finds the attached pictures that the images of a text name. No other image is loaded. */
import { createContext, useContext } from "react";

export interface Picture {
  /** An address of the house, which contains no text of the author. */
  readonly url: string;
  /** The name of the file, as the house knows it. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Returns the picture for the address of an image. Undefined if the message has no such attachment. */
export type FindPicture = (address: string) => Picture | undefined;

const Pictures = createContext<FindPicture>(() => undefined);
export const PicturesProvider = Pictures.Provider;
export const useFindPicture = (): FindPicture => useContext(Pictures);
