/** The files of a home whose house does not run: looked at, and repaired. It reaches into the warden, which knows its tables. */
import type { Check, RepairReport } from "@hearth/protocol";

export const examineAtRest = async (home: string): Promise<readonly Check[]> => {
  const { examineStorageAtRest } = await import("@hearth/warden/bun");
  return examineStorageAtRest(home);
};

/** Throws `home.in-use` while the house runs. */
export const repairAtRest = async (home: string): Promise<RepairReport> => {
  const { repairHomeAtRest } = await import("@hearth/warden/bun");
  return repairHomeAtRest(home);
};
