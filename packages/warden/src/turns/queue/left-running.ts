/**
 * Tracks commands that turns left running in their cells. The warden cannot see what they copy, or
 * when.
 */
import type { Pool } from "../../cells/index.ts";
import type { AgentId, Audience } from "@hearth/protocol";
import { rootOf } from "../run/workspace-root.ts";

export interface LeftRunning {
  /** Records that a turn left a command in the agent's cell for this audience. */
  began(agent: AgentId, audience: Audience): void;
  /**
   * Folders of the agent's workspace that such a command may still write to: those of cells that
   * have stayed open since.
   */
  folders(agent: AgentId): readonly string[];
}

/**
 * The cell's own report of running commands is not trusted: every command counts as running until
 * its cell is closed.
 */
export const createLeftRunning = (pool: Pick<Pool, "list">): LeftRunning => {
  const known = new Map<AgentId, Map<Audience, number>>();
  const openedAt = (agent: AgentId, audience: Audience): number | undefined =>
    pool.list().find((cell) => cell.agent === agent && cell.audience === audience)?.openedAt;

  return {
    began(agent, audience) {
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
      return [...cells.keys()].map(rootOf);
    },
  };
};
