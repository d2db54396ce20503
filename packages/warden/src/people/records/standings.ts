/**
 * Determines how far an agent trusts an author. The check runs whenever the agent wakes, so the loss
 * of a level takes effect at once.
 */
import type { AgentId, AgentRecord, Integrity } from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Records } from "./records.ts";

/**
 * Returns `owner` for a person with `x` on the agent's house, `trusted` for any other person or bot
 * with a level there, and `untrusted` for authors without a level there.
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
