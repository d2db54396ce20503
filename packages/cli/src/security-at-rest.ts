/** The check of security for a home whose daemon does not run. It reaches into the warden, for it has to read without one. */
import type { SecurityReport } from "@hearth/protocol";

/** Throws `store.*` where there is no home. */
export const examineAtRest = async (home: string): Promise<SecurityReport> => {
  const { examineSecurityAtRest } = await import("@hearth/warden/bun");
  return examineSecurityAtRest(home);
};
