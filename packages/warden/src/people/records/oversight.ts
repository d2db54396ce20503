/** Permission to manage the credentials of another agent: its keys and its password. */
import { type AgentRecord, HearthError, includesLevel } from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Principal } from "../permissions/principal.ts";

export interface Oversight {
  /**
   * Whether the caller decides (`x`) in the agent's house, and may therefore list and revoke the
   * agent's keys.
   */
  decides(by: Principal, agent: AgentRecord): Promise<boolean>;
  /**
   * Required to create a credential of another agent, which the caller could use: throws
   * `auth.denied` unless the caller decides in the agent's house, and `grant.exceeds` unless it has
   * all rights of the agent.
   */
  requireAll(by: Principal, agent: AgentRecord): Promise<void>;
}

export const createOversight = (permissions: Pick<Permissions, "levelOf" | "of">): Oversight => {
  const decides: Oversight["decides"] = async (by, { house }) =>
    includesLevel(await permissions.levelOf(by, house), "x");

  return {
    decides,
    async requireAll(by, agent) {
      if (!(await decides(by, agent))) {
        throw new HearthError("auth.denied", `You need the level x on the house of ${agent.handle}.`, {
          hint: "Ask a person who has it.",
        });
      }
      for (const { on, level } of await permissions.of({ agent: agent.id })) {
        if (includesLevel(await permissions.levelOf(by, on), level)) continue;
        throw new HearthError("grant.exceeds", `${agent.handle} has ${level} on ${on}, and you do not.`, {
          hint: "Ask a person who has that level, or the agent itself.",
        });
      }
    },
  };
};
