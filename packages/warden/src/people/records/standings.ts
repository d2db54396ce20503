/**
 * Determines how far an agent trusts an author. This is checked whenever the agent wakes, so that a
 * lost level takes effect.
 */
import type { AgentId, AgentRecord, Integrity } from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Records } from "./records.ts";

/**
 * Returns `owner` for a person who decides in the agent's house, `trusted` for any other agent
 * (also a bot) with a level there, and `untrusted` for all others, who may at most be in the room.
 */
export type StandingOf = (author: AgentId, agent: AgentRecord) => Promise<Integrity>;

export const createStandings =
  ({
    permissions,
    records,
  }: {
    readonly permissions: Pick<Permissions, "levelOf">;
    readonly records: Pick<Records, "find">;
  }): StandingOf =>
  async (author, agent) => {
    if (author === agent.id) return "trusted";
    const [record, level] = await Promise.all([
      records.find("agent", author),
      permissions.levelOf({ agent: author }, agent.house),
    ]);
    if (record === undefined || level === undefined) return "untrusted";
    return level === "x" && record.content.kind === "human" ? "owner" : "trusted";
  };
