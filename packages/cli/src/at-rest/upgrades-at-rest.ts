/** Updates the database of a home through the warden's own code. */

export type { RollbackPlan, RollbackReport, UpgradePlan, UpgradeReport } from "@hearth/warden/bun";

export const loadUpgrades = async () => (await import("@hearth/warden/bun")).openUpgrades();
