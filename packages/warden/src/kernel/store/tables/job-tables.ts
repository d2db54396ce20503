/** The tables of jobs: how each stands, and what became of its slots. The jobs themselves are in `cron/jobs.toml` of each brain. */

export interface JobTables {
  jobs: {
    readonly agent: string;
    readonly name: string;
    /** In whose name it asks. */
    readonly owner: string;
    /** What the file says of it, JSON. */
    readonly terms: string;
    /** Where its lines came from, JSON. Null: they are the owner's own. */
    readonly labels: string | null;
    /** A `JobStatus`. */
    readonly status: string;
    /** The slot that is next to have a fate. Null: none is. */
    readonly next_at: number | null;
    /** Slots that failed since one did not. */
    readonly failures: number;
    /** UTC milliseconds before which nothing of it fires. */
    readonly not_before: number;
    /** Grows with each change: whoever writes says which one they saw. */
    readonly version: number;
    readonly created_at: number;
    /** Where it was asked for on a channel, a `Way` as JSON. Null: in the house. */
    readonly way: string | null;
  };
  /** Slots that have a fate. Rows of one job never overlap, but for those that a person asked for. */
  job_slots: {
    readonly agent: string;
    readonly job: string;
    /** UTC milliseconds. */
    readonly slot: number;
    /** 1: a person or a webhook asked for it, beside the schedule. */
    readonly by_hand: number;
    /** The last of a run of slots that share a fate, and how many they are. */
    readonly through: number;
    readonly count: number;
    /** A `SlotFate`. */
    readonly fate: string;
    readonly reason: string;
    readonly fired_at: number | null;
    /** Null: what it fired is not over. */
    readonly ended_at: number | null;
    readonly activation: string | null;
    /** The event of the reply. */
    readonly result: string | null;
    /** Where what it fired speaks beside its room: the job's way at that moment. */
    readonly way: string | null;
  };
  /** Webhooks that a person switched on. Each takes calls while the job's file says so too. */
  job_hooks: {
    /** What stands in its address. */
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly job: string;
    /** The name of its key in the vault. */
    readonly secret: string;
    readonly created_at: number;
  };
  /** What came by a webhook and fired: the same again fires nothing. */
  job_deliveries: {
    readonly hook: string;
    /** As the sender names it: its `webhook-id`. */
    readonly delivery: string;
    readonly agent: string;
    /** The slot that it fired. */
    readonly slot: number;
    readonly at: number;
  };
}
