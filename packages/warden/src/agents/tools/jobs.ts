/** An agent's own jobs, as far as its turns see and change them. Which of them a turn may touch is for the tools to say. */
import type { ActivationId, AddJob, AgentRecord, Job, Label, ProposalId } from "@hearth/protocol";
import type { By } from "../brains/brain.ts";

export interface OwnJob {
  readonly job: Job;
  readonly times: Times;
  /** Of what its lines say. */
  readonly label: Label;
}

/** What was understood of when it is due, for whoever is told of it. */
export interface Times {
  /** The schedule in words. */
  readonly understood: string;
  /** The slots that come first, as walls in the zone show them: three at most. */
  readonly next: readonly string[];
  readonly zone: string;
}

/** A turn, and what it has read. */
export type TurnBy = By & { readonly activation: ActivationId };

/** What the job is now, or would be. */
export interface JobChange extends Times {
  readonly name: string;
  /** It waits for a person, and nothing has changed. */
  readonly proposal?: ProposalId;
}

/** Each of them, made again by the same turn after a crash, changes nothing more and tells the same. */
export interface OwnJobs {
  /** Looks into the file first. */
  list(agent: AgentRecord): Promise<readonly OwnJob[]>;
  /** Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: TurnBy): Promise<JobChange>;
  /** Throws `job.not-found`, `job.invalid`. */
  pause(agent: AgentRecord, name: string, by: TurnBy): Promise<JobChange>;
  /** Also one that halted. Throws `job.not-found`, `job.invalid`. */
  resume(agent: AgentRecord, name: string, by: TurnBy): Promise<JobChange>;
  /** Throws `job.not-found`. */
  cancel(agent: AgentRecord, name: string, by: TurnBy): Promise<Pick<JobChange, "name" | "proposal">>;
}
