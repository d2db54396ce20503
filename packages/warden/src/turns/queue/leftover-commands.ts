/**
 * Tracks the cells in which turns left commands running. Such a command may still change the
 * workspace after its turn has ended.
 */
import type { Pool } from "../../cells/index.ts";
import type { AgentId, Audience } from "@hearth/protocol";
import { workspaceRootOf } from "../run/workspace-root.ts";

export interface LeftoverCommands {
  /** Records that a turn left a command in the agent's cell for this audience. */
  record(agent: AgentId, audience: Audience): void;
  /** Folders of the agent's workspace that such commands may still change. */
  folders(agent: AgentId): readonly string[];
}

/**
 * A command counts as running until its cell is closed, because the cell's report that it ended is
 * not trusted.
 */
export const createLeftoverCommands = (pool: Pick<Pool, "list">): LeftoverCommands => {
  const openTimes = new Map<AgentId, Map<Audience, number>>();
  const findOpenTime = (agent: AgentId, audience: Audience): number | undefined =>
    pool.list().find((cell) => cell.agent === agent && cell.audience === audience)?.openedAt;

  return {
    record(agent, audience) {
      const openTime = findOpenTime(agent, audience);
      // The cell no longer exists, and its command has ended with it.
      if (openTime === undefined) return;
      const cells = openTimes.get(agent) ?? new Map<Audience, number>();
      openTimes.set(agent, cells.set(audience, openTime));
    },
    folders(agent) {
      const cells = openTimes.get(agent);
      if (cells === undefined) return [];
      for (const [audience, openTime] of cells) if (findOpenTime(agent, audience) !== openTime) cells.delete(audience);
      if (cells.size === 0) openTimes.delete(agent);
      return [...cells.keys()].map(workspaceRootOf);
    },
  };
};
