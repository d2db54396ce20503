/** Calls about agents' scheduled jobs. The caller needs `x` in the agent's house. */
import {
  type AddJob,
  Job,
  JobHook,
  JobList,
  JobPreview,
  JobSlot,
  JobSlotList,
  type JobSlotQuery,
  type PatchJob,
  type PreviewJob,
} from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

export const createJobCalls = (connection: Connection) => ({
  /** The agent's jobs, and the invalid entries of its jobs file. */
  list: (agent: string): Promise<JobList> => requestJson(connection, JobList, "GET", at("/api/agents", agent, "jobs")),
  get: (agent: string, name: string): Promise<Job> =>
    requestJson(connection, Job, "GET", at("/api/agents", agent, "jobs", name)),
  add: (agent: string, job: AddJob): Promise<Job> =>
    requestJson(connection, Job, "POST", at("/api/agents", agent, "jobs"), { body: job }),
  edit: (agent: string, name: string, patch: PatchJob): Promise<Job> =>
    requestJson(connection, Job, "PATCH", at("/api/agents", agent, "jobs", name), { body: patch }),
  cancel: async (agent: string, name: string): Promise<void> => {
    const response = await request(connection, "DELETE", at("/api/agents", agent, "jobs", name));
    await response.body?.cancel();
  },
  /** Runs the job once, independent of its schedule. */
  run: (agent: string, name: string): Promise<JobSlot> =>
    requestJson(connection, JobSlot, "POST", at("/api/agents", agent, "jobs", name, "run")),
  /** When the job would run. Saves nothing. */
  preview: (agent: string, asked: PreviewJob): Promise<JobPreview> =>
    requestJson(connection, JobPreview, "POST", at("/api/agents", agent, "jobs", "preview"), { body: asked }),
  /** Turns on the job's webhook. The key is in this answer alone. */
  openHook: (agent: string, name: string): Promise<JobHook> =>
    requestJson(connection, JobHook, "POST", at("/api/agents", agent, "jobs", name, "hook")),
  /** Creates a new key; the address stays. */
  rotateHook: (agent: string, name: string): Promise<JobHook> =>
    requestJson(connection, JobHook, "POST", at("/api/agents", agent, "jobs", name, "hook", "rotate")),
  closeHook: async (agent: string, name: string): Promise<void> => {
    const response = await request(connection, "DELETE", at("/api/agents", agent, "jobs", name, "hook"));
    await response.body?.cancel();
  },
  /** The outcomes of the job's slots, newest first. */
  slots: (agent: string, name: string, query: Partial<JobSlotQuery> = {}): Promise<readonly JobSlot[]> =>
    requestJson(connection, JobSlotList, "GET", at("/api/agents", agent, "jobs", name, "slots"), { query }),
});
