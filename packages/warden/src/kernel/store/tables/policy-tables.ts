/** The tables of policy: approvals, rules, and spending. */

export interface PolicyTables {
  /** Approvals of agents' calls. */
  approvals: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly activation: string;
    readonly step: number;
    readonly room: string;
    /** Null: any person who decides in the house. */
    readonly person: string | null;
    /** The call: its kind, its name, its input as canonical JSON, and the hash of the three. */
    readonly kind: string;
    readonly name: string;
    readonly input: string;
    readonly hash: string;
    /** JSON. */
    readonly asks: string;
    readonly display: string;
    /** JSON. */
    readonly offers: string;
    /** The fields that a wider approval is limited to, as canonical JSON. */
    readonly bound: string;
    /** The offset of the message that caused it; it identifies the session. */
    readonly since: number;
    /** Hash of the code that was sent in a direct conversation. */
    readonly code_hash: string | null;
    readonly state: string;
    readonly scope: string | null;
    readonly by: string | null;
    readonly reason: string | null;
    readonly at: number;
    readonly decided_at: number | null;
    readonly expires_at: number;
  };
  /** Rules by which calls pass without asking. */
  approval_rules: {
    readonly id: string;
    readonly house: string;
    readonly agent: string;
    readonly tool: string;
    /** Fields and their values, as canonical JSON. */
    readonly bound: string;
    readonly text: string;
    /** The room whose session contains the message at `since`. Null: everywhere. */
    readonly room: string | null;
    readonly since: number | null;
    readonly approval: string;
    readonly by: string;
    readonly at: number;
  };
  /** Spending on models. `period`: a day, for an agent or a house; or `turn`, for an activation. */
  spend: {
    readonly scope: string;
    readonly period: string;
    readonly tokens: number;
    /** Micro-dollars. */
    readonly money: number;
  };
}
