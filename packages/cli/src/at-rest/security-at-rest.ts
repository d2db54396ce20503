/** Runs the security check on a home whose daemon is not running, through the warden's own code. */
import type { SecurityReport } from "@hearth/protocol";

/** Throws `store.*` when there is no home. */
export const examineAtRest = async (home: string): Promise<SecurityReport> => {
  const { examineSecurityAtRest } = await import("@hearth/warden/bun");
  return examineSecurityAtRest(home);
};
