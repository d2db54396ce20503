/**
 * Makes the job rows of agents match their sources: the jobs file in the brain, and the heartbeat
 * in the record.
 */
import type { Log } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { AgentId, AgentRecord, Clock, HouseId, JobMistake } from "@hearth/protocol";
import type { Heartbeats } from "./heartbeats/heartbeats.ts";
import type { Hooks } from "./hooks.ts";
import type { JobsFileSync } from "./mirror.ts";

export interface JobSourcesOptions {
  readonly clock: Pick<Clock, "turn">;
  readonly log: Log;
  readonly records: Pick<Records, "find"> & { list(type: "agent"): Promise<readonly AgentRecord[]> };
  readonly fileSync: Pick<JobsFileSync, "sync" | "forget">;
  readonly heartbeats: Pick<Heartbeats, "sync" | "syncHouse" | "retryAll" | "forget">;
  readonly hooks: Pick<Hooks, "sweep">;
}

/**
 * If `refresh`, `refreshHouse`, `refreshAll` or `retryHeartbeats` cannot read a source, it logs the
 * failure. A later call reads the source again.
 */
export interface JobSources {
  /** Reads the record, and the file if it has changed. Returns the errors of the file. */
  sync(agent: AgentRecord): Promise<readonly JobMistake[]>;
  /**
   * Reads the sources of an agent that may have changed. Removes the rows of an agent that was
   * deleted.
   */
  refresh(agent: AgentId): Promise<void>;
  /**
   * Reads the heartbeats of a house: they are part of records, so an event of the house may have
   * changed a heartbeat, or a key.
   */
  refreshHouse(house: HouseId): Promise<void>;
  /** Reads the sources of every agent. */
  refreshAll(): Promise<void>;
  /** Resumes heartbeats that a rejected key had halted. */
  retryHeartbeats(): Promise<void>;
  /** Removes the rows of the agents in this list that were deleted. */
  forgetRemoved(agents: ReadonlySet<AgentId>): Promise<void>;
}

export const createJobSources = (options: JobSourcesOptions): JobSources => {
  const { clock, log, records, fileSync, heartbeats, hooks } = options;

  const sync: JobSources["sync"] = async (agent) => {
    const mistakes = await fileSync.sync(agent);
    await heartbeats.sync(agent);
    return mistakes;
  };

  const syncOrLog = async (agent: AgentRecord): Promise<void> => {
    if (!hasSources(agent)) return;
    try {
      await sync(agent);
    } catch (error) {
      log.write("error", "cannot read an agent's jobs; trying again", { agent: agent.id, error });
    }
  };

  const forget = async (agent: AgentId): Promise<void> => {
    await fileSync.forget(agent);
    await heartbeats.forget(agent);
  };

  return {
    sync,

    async refresh(id) {
      const agent = await records.find("agent", id);
      await (agent === undefined ? forget(id) : syncOrLog(agent));
    },

    async refreshHouse(house) {
      try {
        await heartbeats.syncHouse(house);
        await hooks.sweep();
      } catch (error) {
        log.write("error", "cannot read the heartbeats of a house; trying again", { house, error });
      }
    },

    async refreshAll() {
      for (const agent of await records.list("agent")) {
        await syncOrLog(agent);
        await clock.turn();
      }
    },

    async retryHeartbeats() {
      try {
        await heartbeats.retryAll();
      } catch (error) {
        log.write("error", "cannot resume heartbeats that a rejected key had halted", { error });
      }
    },

    async forgetRemoved(agents) {
      for (const agent of agents) if ((await records.find("agent", agent)) === undefined) await forget(agent);
    },
  };
};

/**
 * Whether the agent's jobs run in this house. People have no jobs, and the jobs of a bot that runs
 * elsewhere run there.
 */
const hasSources = ({ content }: AgentRecord): boolean => content.kind === "bot" && content.runs !== "elsewhere";
