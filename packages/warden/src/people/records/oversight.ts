/** Who may look after the credentials of somebody else: their keys and their password. */
import { type AgentRecord, HearthError, reaches } from "@hearth/protocol";
import type { Permissions } from "../permissions/permissions.ts";
import type { Principal } from "../permissions/principal.ts";

export interface Oversight {
  /** Whether it decides (`x`) in the agent's house: then it may see the agent's keys, and end them. */
  decides(by: Principal, agent: AgentRecord): Promise<boolean>;
  /**
   * For who makes a credential of somebody else, and could use it: throws `auth.denied` unless it decides in the agent's house, and
   * `grant.exceeds` unless it may all that the agent may.
   */
  requireAll(by: Principal, agent: AgentRecord): Promise<void>;
}

export const createOversight = (permissions: Pick<Permissions, "levelOf" | "of">): Oversight => {
  const decides: Oversight["decides"] = async (by, { house }) => reaches(await permissions.levelOf(by, house), "x");

  return {
    decides,
    async requireAll(by, agent) {
      if (!(await decides(by, agent))) {
        throw new HearthError("auth.denied", `You need x on the house of ${agent.handle}.`, {
          hint: "Ask somebody who has it.",
        });
      }
      for (const { on, level } of await permissions.of({ agent: agent.id })) {
        if (reaches(await permissions.levelOf(by, on), level)) continue;
        throw new HearthError("grant.exceeds", `${agent.handle} has ${level} on ${on}, and you have not.`, {
          hint: "Ask somebody who has, or themselves.",
        });
      }
    },
  };
};
