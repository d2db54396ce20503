/** Permission to manage the credentials of another agent: its keys and its password. */
import { type AgentRecord, HearthError, includesLevel, type Level, type Place, type Right } from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Principal } from "../permissions/principal.ts";

export interface Oversight {
  /**
   * Whether the caller decides (`x`) in the agent's house, and may therefore list and revoke the
   * agent's keys.
   */
  canAdminister(by: Principal, agent: AgentRecord): Promise<boolean>;
  /**
   * Required to create a credential of another agent, which the caller could use: throws
   * `auth.denied` unless the caller decides in the agent's house, and `grant.exceeds` unless it has
   * all rights of the agent.
   */
  requireAll(by: Principal, agent: AgentRecord): Promise<void>;
}

export const createOversight = (permissions: Pick<Permissions, "levelOf" | "hasRight" | "levelsOf">): Oversight => {
  const canAdminister: Oversight["canAdminister"] = async (by, { house }) =>
    includesLevel(await permissions.levelOf(by, house), "x");

  /** Returns the level or a right that the caller lacks on the place. */
  const findMissing = async (by: Principal, on: Place, level: Level, rights: readonly Right[]) => {
    if (!includesLevel(await permissions.levelOf(by, on), level)) return level;
    const heldRights = await Promise.all(rights.map((right) => permissions.hasRight(by, on, right)));
    return rights.find((_, index) => heldRights[index] !== true);
  };

  return {
    canAdminister,
    async requireAll(by, agent) {
      if (!(await canAdminister(by, agent))) {
        throw new HearthError("auth.denied", `You need the level x on the house of ${agent.handle}.`, {
          hint: "Ask a person who has it.",
        });
      }
      for (const { on, level, rights = [] } of await permissions.levelsOf({ agent: agent.id })) {
        const missingPermission = await findMissing(by, on, level, rights);
        if (missingPermission === undefined) continue;
        throw new HearthError("grant.exceeds", `${agent.handle} has ${missingPermission} on ${on}, and you do not.`, {
          hint: "Ask a person who has that level, or the agent itself.",
        });
      }
    },
  };
};
