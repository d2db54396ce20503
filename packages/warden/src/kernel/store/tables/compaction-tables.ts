/** The table of compactions: stretches of a room that are replaced by summaries for an agent. */

export interface CompactionTables {
  compactions: {
    readonly agent: string;
    readonly room: string;
    /** Increases by one per agent and room. */
    readonly place: number;
    /** A `CompactionState`. */
    readonly state: string;
    readonly reason: string | null;
    /** For one that a person requested: how many of the last messages stay. */
    readonly keep: number | null;
    /** Null: it has not begun. */
    readonly activation: string | null;
    /** The events after this one, through `through`. 0 and 0 until it begins. */
    readonly after: number;
    readonly through: number;
    /** The room's last offset when they were read. */
    readonly head: number;
    readonly messages: number;
    readonly tokens: number | null;
    /** The blob of the summary's text. */
    readonly summary: string | null;
    readonly labels: string | null;
    /** JSON. */
    readonly files: string;
    readonly usage: string;
    readonly at: number;
    readonly ended_at: number | null;
  };
}
