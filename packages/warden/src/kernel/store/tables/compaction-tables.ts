/** The table of compactions: which stretch of a room an agent is given a summary of. */

export interface CompactionTables {
  compactions: {
    readonly agent: string;
    readonly room: string;
    /** Grows by one for an agent in a room. */
    readonly place: number;
    /** A `CompactionState`. */
    readonly state: string;
    readonly reason: string | null;
    /** Of one that a person asked for: how many of the last messages stay. */
    readonly keep: number | null;
    /** Null: nobody has begun it. */
    readonly activation: string | null;
    /** The events after this one, up to and with `through`. 0 and 0 until it begins. */
    readonly after: number;
    readonly through: number;
    /** How far the room went when they were read. */
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
