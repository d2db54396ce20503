/** Compares one object of a backup with its hash. */
import { codeOf, digestAt } from "./read-file.ts";

export type ObjectFault = "missing" | "damaged" | "unreadable";

/** Returns the fault, or undefined if the file has these bytes. */
export const faultOf = async (path: string, hash: string, sizeBytes: number): Promise<ObjectFault | undefined> => {
  try {
    const digest = await digestAt(path);
    if (digest === undefined) return "missing";
    return digest.hash === hash && digest.sizeBytes === sizeBytes ? undefined : "damaged";
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return "unreadable";
  }
};
