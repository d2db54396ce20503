/** The tables of what agents may do: what people were asked and said, and what was spent. */

export interface PolicyTables {
  /** What a person is, or was, asked about an agent's call. */
  approvals: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly activation: string;
    readonly step: number;
    readonly room: string;
    /** Null: whoever decides in the house. */
    readonly person: string | null;
    /** What would run: its kind, its name, its input as canonical JSON, and the hash of the three. */
    readonly kind: string;
    readonly name: string;
    readonly input: string;
    readonly hash: string;
    /** JSON. */
    readonly asks: string;
    readonly display: string;
    /** JSON. */
    readonly offers: string;
    /** What a wider yes would hold to, canonical JSON. */
    readonly bound: string;
    /** The offset of the message that it follows from: a session that began later is another one. */
    readonly since: number;
    /** Of the code that was told in a conversation of two. */
    readonly code_hash: string | null;
    readonly state: string;
    readonly scope: string | null;
    readonly by: string | null;
    readonly reason: string | null;
    readonly at: number;
    readonly decided_at: number | null;
    readonly expires_at: number;
  };
  /** What passes unasked because a person said so. */
  approval_rules: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly tool: string;
    /** Fields and their values, canonical JSON. */
    readonly bound: string;
    readonly text: string;
    /** Of the session of this room to which the message at `since` belongs. Null: everywhere. */
    readonly room: string | null;
    readonly since: number | null;
    readonly approval: string;
    readonly by: string;
    readonly at: number;
  };
  /** What models were paid for. `period`: a day, of an agent or of a house; or `turn`, of an activation. */
  spend: {
    readonly scope: string;
    readonly period: string;
    readonly tokens: number;
    /** Micro-dollars. */
    readonly money: number;
  };
}
