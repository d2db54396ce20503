/** Updates of a home's database: what would happen, the update, and the way back. */
import { createBunWorld } from "../world.ts";
import { rollBack } from "./rollback.ts";
import { upgradeHome } from "./upgrade.ts";

export { planUpgrade } from "./plan.ts";
export type { UpgradePlan } from "./plan.ts";
export { planRollback } from "./rollback.ts";
export type { RollbackPlan, RollbackReport } from "./rollback.ts";
export type { UpgradeReport } from "./upgrade.ts";

export const upgrade = (home: string) => upgradeHome({ home, now: createBunWorld().clock.now });
export const rollback = (home: string) => rollBack({ home, now: createBunWorld().clock.now });
