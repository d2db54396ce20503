/** Checks the config file of a house that is not running. */
import type { ErrorBody } from "@hearth/protocol";

/** Returns the error with which the house would refuse to start, or undefined if the file is valid. */
export const examineConfig = async (path: string): Promise<ErrorBody | undefined> => {
  const { examineConfigFile } = await import("@hearth/warden/bun");
  return examineConfigFile(path);
};
