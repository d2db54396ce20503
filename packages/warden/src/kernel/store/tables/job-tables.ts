/**
 * The tables of jobs: their state, and the outcomes of their slots. The jobs themselves are in
 * `cron/jobs.toml` of each brain.
 */

export interface JobTables {
  jobs: {
    readonly agent: string;
    readonly name: string;
    /** The person in whose name it runs. */
    readonly owner: string;
    /** Its settings in the file, as JSON. */
    readonly terms: string;
    /** Labels of its lines, as JSON. Null: the owner wrote them. */
    readonly labels: string | null;
    /** A `JobStatus`. */
    readonly status: string;
    /** The next slot without an outcome, or null. */
    readonly next_at: number | null;
    /** Failed slots in a row. */
    readonly failures: number;
    /** UTC milliseconds before which it does not fire. */
    readonly not_before: number;
    /** Increases with each change, for optimistic locking. */
    readonly version: number;
    readonly created_at: number;
    /** The channel where it was requested, a reply route as JSON. Null: in the house. */
    readonly way: string | null;
  };
  /** Slots with an outcome. Rows of one job never overlap, except manual ones. */
  job_slots: {
    readonly agent: string;
    readonly job: string;
    /** UTC milliseconds. */
    readonly slot: number;
    /** 1: fired by a person or a webhook, outside of the schedule. */
    readonly by_hand: number;
    /** The last of consecutive slots with the same outcome, and their number. */
    readonly through: number;
    readonly count: number;
    /** A `SlotFate`. */
    readonly fate: string;
    readonly reason: string;
    readonly fired_at: number | null;
    /** Null: its activation has not ended. */
    readonly ended_at: number | null;
    readonly activation: string | null;
    /** The event of the reply. */
    readonly result: string | null;
    /** The job's reply route when it fired. */
    readonly way: string | null;
  };
  /** Webhooks that a person enabled. Each accepts calls while the job's file enables them too. */
  job_hooks: {
    /** Part of its URL. */
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly job: string;
    /** The name of its key in the vault. */
    readonly secret: string;
    readonly created_at: number;
  };
  /** Webhook deliveries that fired, to ignore repeated ones. */
  job_deliveries: {
    readonly hook: string;
    /** The sender's id for it: its `webhook-id`. */
    readonly delivery: string;
    readonly agent: string;
    /** The slot that it fired. */
    readonly slot: number;
    readonly at: number;
  };
}
