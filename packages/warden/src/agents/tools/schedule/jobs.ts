/**
 * An agent's jobs, as its turns see and change them. The tools decide which jobs a turn may change.
 */
import type { ActivationId, AddJob, AgentRecord, Job, Label, ProposalId } from "@hearth/protocol";
import type { ChangeAuthor } from "../../brains/brain.ts";

export interface OwnJob {
  readonly job: Job;
  readonly times: Times;
  /** The label of its lines in the file. */
  readonly label: Label;
}

/** The interpreted schedule. */
export interface Times {
  /** The schedule in words. */
  readonly understood: string;
  /** The first slots in local time, at most three. */
  readonly next: readonly string[];
  readonly zone: string;
}

/** A turn, and the label of what it has read. */
export type TurnAuthor = ChangeAuthor & { readonly activation: ActivationId };

/** The job's new or proposed state. */
export interface JobChange extends Times {
  readonly name: string;
  /** Set if the change waits for a person. The job is then unchanged. */
  readonly proposal?: ProposalId;
}

/**
 * The jobs of an agent. Within a turn, a call that is repeated after a crash has no second effect
 * and returns the same result.
 */
export interface OwnJobs {
  /** Reads the file and returns its jobs. */
  list(agent: AgentRecord): Promise<readonly OwnJob[]>;
  /** Adds a job. Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: TurnAuthor): Promise<JobChange>;
  /** Pauses a job. Throws `job.not-found`, `job.invalid`. */
  pause(agent: AgentRecord, name: string, by: TurnAuthor): Promise<JobChange>;
  /** Resumes a paused or halted job. Throws `job.not-found`, `job.invalid`. */
  resume(agent: AgentRecord, name: string, by: TurnAuthor): Promise<JobChange>;
  /** Cancels a job. Throws `job.not-found`. */
  cancel(agent: AgentRecord, name: string, by: TurnAuthor): Promise<Pick<JobChange, "name" | "proposal">>;
}
