/**
 * Schedules agents' jobs. `cron/jobs.toml` of each brain defines them; the store holds due times
 * and results.
 */
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
 * - The file is the source of truth. An edit by hand takes effect within a minute; an error in one
 *   job does not affect the others.
 * - Every due slot has exactly one fate, with a reason, and the next slot is stored in the same
 *   commit. Reading changes nothing.
 * - A slot never fires twice, with any number of daemons and any clock changes. Slots missed while
 *   no daemon ran follow the job's catch-up rule.
 * - A slot that fires is a message from the job's owner to its agent, in the job's room. The end of
 *   the turn it wakes is the end of the slot.
 * - A failure is reported in that room. A failing job backs off, and halts after five failures in a
 *   row.
 */
export interface Schedule {
  /** Recovers unfinished slots, then fires due jobs until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Skips every due slot with this reason. Nothing fires. */
  skipDue(reason: string): Promise<void>;
  /** Reads the file first. */
  list(agent: AgentRecord): Promise<JobList>;
  /** Throws `job.not-found`. */
  get(agent: AgentRecord, name: string): Promise<Job>;
  /** For a person. Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: AgentId): Promise<Job>;
  /**
   * For a person. Applies from the next slot; `paused: false` also resumes a halted job. Throws
   * `job.not-found`, `job.invalid`.
   */
  edit(agent: AgentRecord, name: string, patch: PatchJob, by: AgentId): Promise<Job>;
  /** For a person. Running slots continue, and past slots stay. Throws `job.not-found`. */
  cancel(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /** Fires it once outside its schedule, also while it is paused. Throws `job.not-found`. */
  fire(agent: AgentRecord, name: string): Promise<JobSlot>;
  /** Returns when it would be due, without saving. Throws `job.invalid`. */
  preview(agent: AgentRecord, asked: PreviewJob): Promise<JobPreview>;
  /** For a person. Throws `job.not-found`, `job.taken` if it is already on, `secret.locked`. */
  openHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** For a person: replaces the webhook's key. Throws `job.not-found`, `secret.locked`. */
  rotateHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** For a person. Its key stops working. Throws `job.not-found`. */
  closeHook(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /**
   * Fires the job of a called webhook. Throws `job.unverified` with the same message for a wrong
   * signature and an unknown webhook, `job.paused` and `job.busy` if the job takes no calls now,
   * `secret.locked`, `request.invalid`, `request.unsupported`.
   */
  deliver(hook: string, signed: Signed): Promise<JobHookTaken>;
  /** The jobs as an agent's own turns see and change them. */
  readonly own: OwnJobs;
  /** Newest first, also of a deleted job. */
  slots(agent: AgentRecord, name: string, query: JobSlotQuery): Promise<readonly JobSlot[]>;
}
