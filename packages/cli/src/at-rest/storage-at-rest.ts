/**
 * Checks and repairs the database of a home whose house is not running, through the warden's own
 * code.
 */
import type { Check, RepairReport } from "@hearth/protocol";

export const examineAtRest = async (home: string): Promise<readonly Check[]> => {
  const { examineStorageAtRest } = await import("@hearth/warden/bun");
  return examineStorageAtRest(home);
};

/** Repairs the database. Throws `home.in-use` while the house runs. */
export const repairAtRest = async (home: string): Promise<RepairReport> => {
  const { repairHomeAtRest } = await import("@hearth/warden/bun");
  return repairHomeAtRest(home);
};
