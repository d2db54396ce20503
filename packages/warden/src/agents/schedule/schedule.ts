/** Jobs of agents: what they are is in `cron/jobs.toml` of each brain; when they are due, and what became of it, is kept here. */
import type {
  AddJob,
  AgentId,
  AgentRecord,
  Job,
  JobHook,
  JobHookTaken,
  JobList,
  JobPreview,
  JobSlot,
  JobSlotQuery,
  PatchJob,
  PreviewJob,
} from "@hearth/protocol";
import type { OwnJobs } from "../tools/jobs.ts";
import type { Signed } from "./hook-signature.ts";

/**
 * Contract, checked by its tests:
 * - the file is the truth: an edit by hand takes effect at the latest a minute later; a mistake in a job leaves the others as they are
 * - every slot that is due has exactly one fate, with a reason, and the next slot is stored in the same commit; reading changes nothing
 * - a slot never fires twice, whoever looks at it and whatever clocks do; what passed while nobody was there is caught up with by the job's rule
 * - a slot that fires is a message of the job's owner for its agent, in the job's room; the end of what it woke is the end of the slot
 * - a failure is told in that room; a job that fails is left alone for longer and longer, and halts when it has failed five times
 */
export interface Schedule {
  /** Takes up what was left, then fires what is due until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Skips every slot that is due, for this reason. Nothing fires. */
  skipDue(reason: string): Promise<void>;
  /** Looks into the file first. */
  list(agent: AgentRecord): Promise<JobList>;
  /** Throws `job.not-found`. */
  get(agent: AgentRecord, name: string): Promise<Job>;
  /** By a person. Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: AgentId): Promise<Job>;
  /** By a person. What is edited holds from the next slot on; `paused: false` also takes up what halted. Throws `job.not-found`, `job.invalid`. */
  edit(agent: AgentRecord, name: string, patch: PatchJob, by: AgentId): Promise<Job>;
  /** By a person. What it fired goes on; its slots stay. Throws `job.not-found`. */
  cancel(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /** Fires it once beside its schedule, also while it is paused. Throws `job.not-found`. */
  fire(agent: AgentRecord, name: string): Promise<JobSlot>;
  /** When it would be due, with nothing saved. Throws `job.invalid`. */
  preview(agent: AgentRecord, asked: PreviewJob): Promise<JobPreview>;
  /** By a person. Throws `job.not-found`, `job.taken` where it is on already, `secret.locked`. */
  openHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** By a person: another key for the same webhook. Throws `job.not-found`, `secret.locked`. */
  rotateHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** By a person. Its key opens nothing from here on. Throws `job.not-found`. */
  closeHook(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /**
   * Fires the job whose webhook was called. Throws `job.unverified` in the same words for a signature that does not fit and for a webhook
   * that is none, `job.paused` and `job.busy` where it takes nothing now, `secret.locked`, `request.invalid`, `request.unsupported`.
   */
  deliver(hook: string, signed: Signed): Promise<JobHookTaken>;
  /** As an agent's own turns see and change them. */
  readonly own: OwnJobs;
  /** Newest first, also of a job that is gone. */
  slots(agent: AgentRecord, name: string, query: JobSlotQuery): Promise<readonly JobSlot[]>;
}
