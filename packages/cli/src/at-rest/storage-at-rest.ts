/**
 * Checks and repairs the database of a home whose house is not running, through the warden's own
 * code.
 */
import type { Check, RepairReport } from "@hearth/protocol";

export const checkStorage = async (home: string): Promise<readonly Check[]> => {
  const { examineStorageOffline } = await import("@hearth/warden/bun");
  return examineStorageOffline(home);
};

/** Repairs the database. Throws `home.in-use` while the house runs. */
export const repairHome = async (home: string): Promise<RepairReport> => {
  const { repairHomeOffline } = await import("@hearth/warden/bun");
  return repairHomeOffline(home);
};
