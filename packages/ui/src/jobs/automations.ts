/** Jobs, heartbeats and webhooks of several agents as rows of one table. Pure. */
import { type AgentRecord, isHeartbeat, type Job, type JobStatus } from "@hearth/protocol";
import { kinds } from "./text.ts";

export interface Automation {
  readonly agent: AgentRecord;
  readonly job: Job;
}

export type AutomationKind = keyof typeof kinds;

export interface AutomationFilters {
  /** The handle of an agent. In each filter, an empty text shows all rows. */
  readonly agent: string;
  readonly kind: string;
  readonly state: string;
}

export const filterNames = ["agent", "kind", "state"] as const;
export const automationKinds = Object.keys(kinds) as AutomationKind[];
export const automationStates: readonly JobStatus[] = ["active", "paused", "halted", "over"];

/** Returns the kind of a job. A job with a webhook counts as a webhook, although it also has a schedule. */
export const kindOf = (job: Job): AutomationKind => {
  if (isHeartbeat(job)) return "heartbeat";
  return job.hook === undefined ? "job" : "webhook";
};

export const keyOf = ({ agent, job }: Automation): string => `${agent.id} ${job.name}`;

/** Returns the title of a row, for example "Morning news" for the job `morning-news`. */
export const titleOf = ({ job: { name } }: Automation): string => {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const filterAutomations = (
  rows: readonly Automation[],
  { agent, kind, state }: AutomationFilters,
): readonly Automation[] =>
  rows.filter(
    (row) =>
      (agent === "" || row.agent.handle === agent) &&
      (kind === "" || kindOf(row.job) === kind) &&
      (state === "" || row.job.status === state),
  );

export const isResting = ({ job: { status } }: Automation): boolean => status === "paused" || status === "halted";
export const isActive = ({ job: { status } }: Automation): boolean => status === "active";
/** Whether a row can be deleted. A heartbeat cannot, because it is turned off in its settings. */
export const canDelete = ({ job }: Automation): boolean => !isHeartbeat(job);
