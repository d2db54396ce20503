/** The STOP command: an agent, or every agent, does no work until a person resumes it. */
import type { Pool } from "../../cells/index.ts";
import type { Approvals, Holds } from "../../policy/index.ts";
import type { AgentId, Hold, HoldScope } from "@hearth/protocol";
import type { HouseActivations } from "../run/house-activations.ts";

export interface Stops {
  /** The stops that are in effect. */
  list(): readonly Hold[];
  /**
   * Stops the running activations. No step begins after the call. Queued activations stay queued.
   * Resolves when nothing runs. A second call changes nothing.
   */
  stop(scope: HoldScope, by: AgentId): Promise<Hold>;
  /** Lets queued activations continue. Returns whether there was a stop to end. */
  resume(scope: HoldScope, by: AgentId): Promise<boolean>;
}

export const createStops = (options: {
  readonly holds: Holds;
  readonly activations: Pick<HouseActivations, "stopRunning">;
  readonly pool: Pick<Pool, "list" | "evict">;
  readonly approvals: Pick<Approvals, "denyAll">;
}): Stops => {
  const { holds, activations, pool, approvals } = options;

  /** Closes the cells, which ends the background commands of earlier turns too. */
  const endCells = async (scope: HoldScope): Promise<void> => {
    const agents = scope === "house" ? new Set(pool.list().map(({ agent }) => agent)) : [scope];
    await Promise.all([...agents].map((agent) => pool.evict(agent)));
  };

  return {
    list: () => holds.list(),
    async stop(scope, by) {
      const [holdResult] = await Promise.allSettled([
        holds.hold(scope, by),
        activations.stopRunning(scope === "house" ? undefined : scope),
      ]);
      // Pending approvals are denied. After a person resumes the agent, its model sees the denial.
      const [denyResult] = await Promise.allSettled([approvals.denyAll(scope, by), endCells(scope)]);
      if (denyResult.status === "rejected") throw denyResult.reason;
      if (holdResult.status === "rejected") throw holdResult.reason;
      return holdResult.value;
    },
    resume: (scope, by) => holds.release(scope, by),
  };
};
