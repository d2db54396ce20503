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
  const known = new Map<AgentId, Map<Audience, number>>();
  const openedAt = (agent: AgentId, audience: Audience): number | undefined =>
    pool.list().find((cell) => cell.agent === agent && cell.audience === audience)?.openedAt;

  return {
    record(agent, audience) {
      const opened = openedAt(agent, audience);
      // The cell is gone, and the command with it.
      if (opened === undefined) return;
      const cells = known.get(agent) ?? new Map<Audience, number>();
      known.set(agent, cells.set(audience, opened));
    },
    folders(agent) {
      const cells = known.get(agent);
      if (cells === undefined) return [];
      for (const [audience, opened] of cells) if (openedAt(agent, audience) !== opened) cells.delete(audience);
      if (cells.size === 0) known.delete(agent);
      return [...cells.keys()].map(workspaceRootOf);
    },
  };
};
