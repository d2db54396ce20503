/** STOP as people use it: nothing more of an agent, or of any, until somebody says resume. */
import type { Pool } from "../../cells/index.ts";
import type { Approvals, Holds } from "../../policy/index.ts";
import type { AgentId, Hold, HoldScope } from "@hearth/protocol";
import type { HouseActivations } from "../run/house-activations.ts";

export interface Stops {
  /** Who is stopped now. */
  list(): readonly Hold[];
  /** From the call on no step begins; when it resolves nothing runs any more. What is queued stays so. Again is harmless. */
  stop(scope: HoldScope, by: AgentId): Promise<Hold>;
  /** What is queued goes on. Whether there was anything to resume. */
  resume(scope: HoldScope, by: AgentId): Promise<boolean>;
}

export const createStops = (options: {
  readonly holds: Holds;
  readonly activations: Pick<HouseActivations, "stopRunning">;
  readonly pool: Pick<Pool, "list" | "evict">;
  readonly approvals: Pick<Approvals, "denyAll">;
}): Stops => {
  const { holds, activations, pool, approvals } = options;

  /** What commands left running in the background goes with their cells, whichever turn began it. */
  const endCells = async (scope: HoldScope): Promise<void> => {
    const agents = scope === "house" ? new Set(pool.list().map(({ agent }) => agent)) : [scope];
    await Promise.all([...agents].map((agent) => pool.evict(agent)));
  };

  return {
    list: () => holds.list(),
    async stop(scope, by) {
      const [held] = await Promise.allSettled([
        holds.hold(scope, by),
        activations.stopRunning(scope === "house" ? undefined : scope),
      ]);
      // What somebody was asked about is off; when it is resumed, the model is told so.
      const [denied] = await Promise.allSettled([approvals.denyAll(scope, by), endCells(scope)]);
      if (denied.status === "rejected") throw denied.reason;
      if (held.status === "rejected") throw held.reason;
      return held.value;
    },
    resume: (scope, by) => holds.release(scope, by),
  };
};
