/** Runs the security check on a home whose daemon is not running, through the warden's own code. */
import type { SecurityReport } from "@hearth/protocol";

/** Runs the check. Throws `store.*` when the home has no readable database. */
export const checkSecurity = async (home: string): Promise<SecurityReport> => {
  const { examineSecurityOffline } = await import("@hearth/warden/bun");
  return examineSecurityOffline(home);
};
