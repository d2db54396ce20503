/** Adds jobs to the agent `main`. */
import type { Daemon, Json } from "../journeys/daemon.ts";

export const JOBS = "/api/agents/main/jobs";

export const add = async (daemon: Daemon, job: Json): Promise<void> => {
  const { status } = await daemon.ask("POST", JOBS, job);
  if (status !== 201) throw new Error(`the job was not added: ${status}`);
};
