/**
 * The differences between jobs of the file and heartbeats. The schedule asks for a trait, never for
 * a name.
 */
import { isHeartbeat } from "@hearth/protocol";
import type { BlockReason } from "./time/catch-up.ts";

export interface JobTraits {
  /** Where the job's settings are: in `cron/jobs.toml` of the brain, or in the agent's record. */
  readonly settings: "file" | "record";
  /** The reason why a due slot does not fire while an earlier one has not ended. */
  readonly whileRunning: BlockReason;
  /** Whether a slot fires only if something may be new, which its message then describes. */
  readonly firesForNews: boolean;
  /** Whether consecutive skipped slots share a row, because there may be many a day. */
  readonly joinsSkipped: boolean;
  /** Whether the job has its own daily budget. A slot that exceeds the budget has not failed. */
  readonly hasBudget: boolean;
  /** Whether the job halts at once when the provider rejects its key, instead of retrying. */
  readonly haltsWithoutKey: boolean;
}

const fileJobTraits: JobTraits = {
  settings: "file",
  whileRunning: "running",
  firesForNews: false,
  joinsSkipped: false,
  hasBudget: false,
  haltsWithoutKey: false,
};

const heartbeatTraits: JobTraits = {
  settings: "record",
  whileRunning: "looking",
  firesForNews: true,
  joinsSkipped: true,
  hasBudget: true,
  haltsWithoutKey: true,
};

export const traitsOf = (job: { readonly name: string }): JobTraits =>
  isHeartbeat(job) ? heartbeatTraits : fileJobTraits;
