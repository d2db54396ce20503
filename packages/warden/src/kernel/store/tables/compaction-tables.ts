/** The table of compactions: ranges of a room that summaries replace in an agent's prompts. */

export interface CompactionTables {
  compactions: {
    readonly agent: string;
    readonly room: string;
    /** Increases by one per agent and room. */
    readonly place: number;
    /** A `CompactionState`. */
    readonly state: string;
    readonly reason: string | null;
    /** Number of last messages to keep, if a person requested the compaction. */
    readonly keep: number | null;
    /** The activation that runs it. Null: it has not begun. */
    readonly activation: string | null;
    /** Range of replaced events: after `after`, up to and including `through`. 0 until it begins. */
    readonly after: number;
    readonly through: number;
    /** The room's last offset when the events were read. */
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
