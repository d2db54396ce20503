/** Commands that turns left running in their cells: what they copy, and when, nobody sees. */
import type { Pool } from "../../cells/index.ts";
import type { AgentId, Audience } from "@hearth/protocol";
import { rootOf } from "../run/workspace-root.ts";

export interface LeftRunning {
  /** A turn left one in the agent's cell for this audience. */
  began(agent: AgentId, audience: Audience): void;
  /** Folders of the agent's workspace that one may still write to: those of cells that have not been closed since. */
  folders(agent: AgentId): readonly string[];
}

/** A cell says itself which of its commands run, and is not believed: until it is closed they all do. */
export const createLeftRunning = (pool: Pick<Pool, "list">): LeftRunning => {
  const known = new Map<AgentId, Map<Audience, number>>();
  const openedAt = (agent: AgentId, audience: Audience): number | undefined =>
    pool.list().find((cell) => cell.agent === agent && cell.audience === audience)?.openedAt;

  return {
    began(agent, audience) {
      const opened = openedAt(agent, audience);
      // The cell went down, and the command with it.
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
