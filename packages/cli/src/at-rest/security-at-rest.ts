/** Runs the security check on a home whose daemon is not running, through the warden's own code. */
import type { SecurityReport } from "@hearth/protocol";

/** Runs the check. Throws `store.*` when the home has no readable database. */
export const examineAtRest = async (home: string): Promise<SecurityReport> => {
  const { examineSecurityAtRest } = await import("@hearth/warden/bun");
  return examineSecurityAtRest(home);
};
