/** Checks the config file of a house that is not running. */
import type { ErrorBody } from "@hearth/protocol";

/** Why the house would not start with this file, or undefined. */
export const examineConfig = async (path: string): Promise<ErrorBody | undefined> => {
  const { examineConfigAtRest } = await import("@hearth/warden/bun");
  return examineConfigAtRest(path);
};
