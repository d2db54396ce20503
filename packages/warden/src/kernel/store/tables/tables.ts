/** The tables of `hearth.db`: their rows as the warden sees them, and the keys that every store upholds. */
import type { BrainTables } from "./brain-tables.ts";
import type { CompactionTables } from "./compaction-tables.ts";
import type { JobTables } from "./job-tables.ts";
import type { PolicyTables } from "./policy-tables.ts";
import type { RestoreTables } from "./restore-tables.ts";
import type { SecretTables } from "./secret-tables.ts";
import type { StreamTables } from "./stream-tables.ts";

/** JSON columns hold text; whoever writes a column also parses it. Instants are UTC milliseconds. */
export interface Tables
  extends BrainTables, CompactionTables, JobTables, PolicyTables, RestoreTables, SecretTables, StreamTables {
  /** Houses, rooms and agents, as they are at present. */
  records: {
    readonly id: string;
    readonly type: string;
    readonly house: string;
    readonly handle: string;
    readonly version: number;
    readonly created_at: number;
    readonly updated_at: number;
    readonly content: string;
  };
  /** Durable streams' events. Written by `append` alone. JSON in `body`, or, if it is long, in the blob of this hash. */
  events: {
    readonly stream: string;
    readonly offset: number;
    readonly id: string;
    readonly type: string;
    readonly at: number;
    readonly body: string | null;
    readonly blob: string | null;
    /** Where its text came from, JSON. */
    readonly labels: string | null;
    /** Of streams that show when they were changed: made by the store, see `seal.ts`. */
    readonly seal: string | null;
  };
  /** The offset of each stream's last event. Written by `append` alone. */
  heads: { readonly stream: string; readonly head: number };
  /** How far each named reader of a stream has come. */
  readers: { readonly reader: string; readonly stream: string; readonly offset: number };
  activations: {
    readonly id: string;
    readonly agent: string;
    readonly room: string;
    readonly trigger: string;
    readonly cause: string;
    /** The offset of `cause` in the room. */
    readonly cause_offset: number;
    readonly person: string;
    readonly state: string;
    readonly reason: string | null;
    readonly error: string | null;
    readonly model: string | null;
    readonly usage: string;
    /** What it was given at its start, JSON or the hash of a blob. */
    readonly frozen: string | null;
    readonly frozen_blob: string | null;
    readonly created_at: number;
    readonly started_at: number | null;
    readonly ended_at: number | null;
    /** The lease's number under which it was begun or taken up last. */
    readonly fence: number;
    /** How often a daemon died while it ran, since its journal last gained a step. */
    readonly crashes: number;
    /** Steps that its journal had finished when it last began. */
    readonly progress: number;
    /** How often it was tried again since its journal last gained a step. */
    readonly retries: number;
    /** UTC milliseconds before which it is not tried again. 0: it waits for no retry. */
    readonly retry_at: number;
    /** The activation that a person started in its place after it failed. */
    readonly retried_by: string | null;
    /** How many activations of bots led to it. */
    readonly depth: number;
    /** The activation that took in its message and answers it too. */
    readonly merged_into: string | null;
    /** What it waits for, JSON. */
    readonly parked: string | null;
    /** Why it was skipped before any model was asked: a `SkipReason`. */
    readonly skip: string | null;
    /** Ambient ones: UTC milliseconds before which they are not looked at. 0: nothing stands before it any more. */
    readonly ready_at: number;
    /** The person's message at the beginning of the chain, or `cause` where no person began it. Null in old rows. */
    readonly root: string | null;
    /** The activation that asked or delegated. */
    readonly parent: string | null;
    /** What it was asked, in the inbox. */
    readonly inbox: string | null;
  };
  /** The journal: one row per call across a boundary. */
  steps: {
    readonly activation: string;
    readonly step: number;
    readonly kind: string;
    readonly name: string;
    readonly input_hash: string;
    readonly effect: string;
    readonly state: string;
    readonly output: string | null;
    readonly output_blob: string | null;
    readonly started_at: number;
    readonly ended_at: number | null;
    readonly labels: string | null;
    /** The stage of the choke point that refused it. */
    readonly refused_by: string | null;
  };
  /** What is known of files that agents wrote: where their text came from. */
  files: {
    readonly agent: string;
    readonly path: string;
    readonly labels: string;
    readonly activation: string | null;
    readonly at: number;
  };
  /** Who may write for what. The number grows with each holder; a write under an older one is refused. */
  leases: { readonly name: string; readonly holder: string; readonly fence: number; readonly expires_at: number };
  /** Who was stopped until someone says otherwise: `house`, or an agent's id. */
  holds: { readonly scope: string; readonly by: string; readonly at: number };
  /** What came in from a channel, once each. */
  inbound: {
    readonly channel: string;
    /** The platform's own id of the update. */
    readonly external: string;
    readonly at: number;
    readonly conversation: string;
    /** The platform's id of the message that it is, or changes. */
    readonly message: string;
    readonly sender: string;
    readonly room: string | null;
    /** The event that it became. */
    readonly event: string | null;
    /** `accepted`, or why not: a `RefusalFate`. */
    readonly fate: string;
  };
  /** How far each polled channel has been read. */
  cursors: { readonly channel: string; readonly cursor: string };
  /** Which room a channel's conversation is. */
  conversations: {
    readonly channel: string;
    readonly conversation: string;
    readonly kind: string;
    readonly name: string;
    readonly room: string;
    readonly created_at: number;
  };
  /** Who writes from a channel, and which person of the house that is. */
  senders: {
    readonly channel: string;
    readonly external: string;
    readonly name: string;
    readonly person: string | null;
    /** `pending`, `allowed` or `blocked`. */
    readonly state: string;
    /** SHA-256 of the pairing code. */
    readonly code_hash: string | null;
    readonly code_expires_at: number | null;
    readonly created_at: number;
  };
  /** What goes out to a channel, in the order of its conversation. */
  outbox: {
    /** Derived from what it delivers: planned twice, it is one. */
    readonly id: string;
    readonly channel: string;
    readonly conversation: string;
    /** Grows within a conversation. */
    readonly place: number;
    readonly room: string | null;
    /** The event that it delivers. */
    readonly event: string | null;
    readonly body: string;
    /** The platform's id of the message that it answers. */
    readonly reply_to: string | null;
    /** What its reader may answer with one touch, JSON. */
    readonly choices: string | null;
    /** The earlier row of which it takes the choices away, to say what became of them. */
    readonly ends: string | null;
    /** `queued → sending → sent | unknown | refused`. */
    readonly state: string;
    readonly attempts: number;
    /** UTC milliseconds before which it is not sent. */
    readonly not_before: number;
    /** The platform's id of what was sent. */
    readonly external: string | null;
    readonly error: string | null;
    readonly created_at: number;
    readonly ended_at: number | null;
  };
  keys: {
    readonly id: string;
    readonly name: string;
    readonly agent: string;
    /** SHA-256 of the key. */
    readonly hash: string;
    readonly created_at: number;
    readonly revoked_at: number | null;
    /** What it may do at most, JSON; null for all that its agent may. */
    readonly scope: string | null;
    readonly expires_at: number | null;
  };
  /** Browser sessions, by the SHA-256 of their cookie. */
  logins: {
    readonly hash: string;
    readonly id: string;
    readonly agent: string;
    /** What the browser called itself. */
    readonly about: string;
    readonly created_at: number;
    readonly expires_at: number;
  };
  /** Argon2id, in the PHC string format. */
  passwords: { readonly agent: string; readonly hash: string; readonly at: number };
  /** What somebody may do on a house or a room. */
  grants: {
    readonly agent: string;
    /** A house's or a room's id. */
    readonly target: string;
    /** The house of the target. */
    readonly house: string;
    readonly level: string;
    readonly by: string;
    readonly at: number;
  };
  /** What agents leave for each other. */
  inbox: {
    readonly id: string;
    readonly sender: string;
    readonly recipient: string;
    readonly type: string;
    readonly status: string;
    readonly text: string;
    readonly room: string;
    /** The activation that wrote it. */
    readonly activation: string;
    readonly reply_to: string | null;
    /** What a delegation may use at most, JSON. */
    readonly limits: string | null;
    readonly labels: string | null;
    readonly at: number;
    readonly read_at: number | null;
    readonly read_by: string | null;
    /** When its status last changed; null while it is pending. */
    readonly moved_at: number | null;
  };
}

export type TableName = keyof Tables;
/** Tables whose rows are written as such. The others follow from `append`. */
export type WritableTable = Exclude<TableName, "events" | "heads">;
export type Row<Table extends TableName> = Tables[Table];
export type Value = string | number | null;

interface TableShape<Table extends TableName> {
  /** Columns of the primary key. */
  readonly key: readonly (keyof Tables[Table] & string)[];
  /** Further sets of columns that are unique together. */
  readonly unique: readonly (readonly (keyof Tables[Table] & string)[])[];
}

export const tableShapes: { readonly [Table in TableName]: TableShape<Table> } = {
  records: { key: ["id"], unique: [["house", "type", "handle"]] },
  events: { key: ["stream", "offset"], unique: [["stream", "id"]] },
  heads: { key: ["stream"], unique: [] },
  readers: { key: ["reader", "stream"], unique: [] },
  activations: { key: ["id"], unique: [] },
  steps: { key: ["activation", "step"], unique: [] },
  files: { key: ["agent", "path"], unique: [] },
  brain_files: { key: ["agent", "path"], unique: [] },
  brain_versions: { key: ["agent", "place"], unique: [] },
  brain_bodies: { key: ["agent", "hash"], unique: [] },
  brain_lines: { key: ["agent", "path", "line"], unique: [] },
  brain_proposals: { key: ["id"], unique: [] },
  jobs: { key: ["agent", "name"], unique: [] },
  job_slots: { key: ["agent", "job", "slot", "by_hand"], unique: [] },
  job_hooks: { key: ["id"], unique: [["agent", "job"]] },
  job_deliveries: { key: ["hook", "delivery"], unique: [] },
  compactions: { key: ["agent", "room", "place"], unique: [] },
  leases: { key: ["name"], unique: [] },
  holds: { key: ["scope"], unique: [] },
  inbound: { key: ["channel", "external"], unique: [] },
  cursors: { key: ["channel"], unique: [] },
  conversations: { key: ["channel", "conversation"], unique: [] },
  senders: { key: ["channel", "external"], unique: [] },
  outbox: { key: ["id"], unique: [] },
  spend: { key: ["period", "scope"], unique: [] },
  approvals: { key: ["id"], unique: [] },
  approval_rules: { key: ["id"], unique: [] },
  keys: { key: ["id"], unique: [["hash"]] },
  logins: { key: ["hash"], unique: [["id"]] },
  passwords: { key: ["agent"], unique: [] },
  grants: { key: ["agent", "target"], unique: [] },
  secrets: { key: ["house", "name"], unique: [] },
  secret_grants: { key: ["id"], unique: [] },
  vault_keys: { key: ["id"], unique: [] },
  egress: { key: ["id"], unique: [] },
  inbox: { key: ["id"], unique: [] },
  byte_streams: { key: ["id"], unique: [["house", "path"]] },
  byte_producers: { key: ["stream", "producer"], unique: [] },
  subscriptions: { key: ["house", "id"], unique: [] },
  subscription_links: { key: ["house", "subscription", "path"], unique: [] },
  signing_keys: { key: ["id"], unique: [] },
  epochs: { key: ["epoch"], unique: [] },
  generations: { key: ["generation"], unique: [] },
  restore_findings: { key: ["id"], unique: [] },
};

/** Values that statements hold as literals, because partial indexes are made of the rows that have them. */
export const literalColumns: { readonly [Table in TableName]?: Readonly<Record<string, readonly string[]>> } = {
  approvals: { state: ["pending", "allowed"] },
  brain_proposals: { state: ["pending"] },
  egress: { secrets: ["[]"] },
  inbound: { fate: ["accepted", "unpaired"] },
  outbox: { state: ["sending"] },
};
