/** The tables of `hearth.db`: the types of their rows, and the keys that every store enforces. */
import type { BrainTables } from "./brain-tables.ts";
import type { CompactionTables } from "./compaction-tables.ts";
import type { JobTables } from "./job-tables.ts";
import type { PolicyTables } from "./policy-tables.ts";
import type { RestoreTables } from "./restore-tables.ts";
import type { SecretTables } from "./secret-tables.ts";
import type { StreamTables } from "./stream-tables.ts";

/**
 * JSON columns hold text; the code that writes a column also parses it. Instants are UTC
 * milliseconds.
 */
export interface Tables
  extends BrainTables, CompactionTables, JobTables, PolicyTables, RestoreTables, SecretTables, StreamTables {
  /** The current state of houses, rooms and agents. */
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
  /**
   * Events of durable streams, written only by `append`. JSON in `body`, or, if it is long, in the
   * blob of this hash.
   */
  events: {
    readonly stream: string;
    readonly offset: number;
    readonly id: string;
    readonly type: string;
    readonly at: number;
    readonly body: string | null;
    readonly blob: string | null;
    /** The label of its text, as JSON. */
    readonly labels: string | null;
    /** For sealed streams: written by the store, see `seal.ts`. */
    readonly seal: string | null;
  };
  /** The offset of each stream's last event. Written only by `append`. */
  heads: { readonly stream: string; readonly head: number };
  /** The position of each named reader of a stream. */
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
    /** The frozen input, as JSON or the hash of a blob. */
    readonly frozen: string | null;
    readonly frozen_blob: string | null;
    readonly created_at: number;
    readonly started_at: number | null;
    readonly ended_at: number | null;
    /** The lease number of its last start. */
    readonly fence: number;
    /** Daemon crashes during it since its journal last gained a step. */
    readonly crashes: number;
    /** Finished steps in its journal at its last start. */
    readonly progress: number;
    /** Retries since its journal last gained a step. */
    readonly retries: number;
    /** UTC milliseconds of the next retry. 0: no retry is due. */
    readonly retry_at: number;
    /** The activation that a person started to replace it after it failed. */
    readonly retried_by: string | null;
    /** The number of bot activations that led to it. */
    readonly depth: number;
    /** The activation that took in its message and answers it too. */
    readonly merged_into: string | null;
    /** The reason why it waits, as JSON. */
    readonly parked: string | null;
    /** Why it was skipped before any model call: a `SkipReason`. */
    readonly skip: string | null;
    /** For ambient ones: UTC milliseconds before which they are not considered. 0: no wait. */
    readonly ready_at: number;
    /**
     * The person's message at the start of the chain, otherwise `cause`. Null in old rows.
     */
    readonly root: string | null;
    /** The activation that requested or delegated it. */
    readonly parent: string | null;
    /** The inbox message with its request. */
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
  /** Labels of files that agents wrote. */
  files: {
    readonly agent: string;
    readonly path: string;
    readonly labels: string;
    readonly activation: string | null;
    readonly at: number;
  };
  /** Leases. The number increases with each holder; a write under an older one is refused. */
  leases: { readonly name: string; readonly holder: string; readonly fence: number; readonly expires_at: number };
  /** Holds: `house`, or an agent's id. */
  holds: { readonly scope: string; readonly by: string; readonly at: number };
  /** Incoming updates of channels, once each. */
  inbound: {
    readonly channel: string;
    /** The platform's id of the update. */
    readonly external: string;
    readonly at: number;
    readonly conversation: string;
    /** The platform's id of the message that it is or changes. */
    readonly message: string;
    readonly sender: string;
    readonly room: string | null;
    /** The event that it became. */
    readonly event: string | null;
    /** `accepted`, or a `RefusalFate`. */
    readonly fate: string;
  };
  /** The read position of each polled channel. */
  cursors: { readonly channel: string; readonly cursor: string };
  /** The room of each channel conversation. */
  conversations: {
    readonly channel: string;
    readonly conversation: string;
    readonly kind: string;
    readonly name: string;
    readonly room: string;
    readonly created_at: number;
  };
  /** Senders on channels, and the person that each is. */
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
  /** Outgoing deliveries, in the order of their conversation. */
  outbox: {
    /** Derived from what it delivers, so that planning it twice makes one row. */
    readonly id: string;
    readonly channel: string;
    readonly conversation: string;
    /** Increases within a conversation. */
    readonly place: number;
    readonly room: string | null;
    /** The event that it delivers. */
    readonly event: string | null;
    readonly body: string;
    /** The platform's id of the message that it answers. */
    readonly reply_to: string | null;
    /** Choices that its reader can press, as JSON. */
    readonly choices: string | null;
    /** The earlier row whose choices it replaces by their outcome. */
    readonly ends: string | null;
    /** `queued → sending → sent | unknown | refused`. */
    readonly state: string;
    readonly attempts: number;
    /** UTC milliseconds before which it is not sent. */
    readonly not_before: number;
    /** The platform's id of the sent message. */
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
    /** Limits of its rights, as JSON; null for all rights of its agent. */
    readonly scope: string | null;
    readonly expires_at: number | null;
  };
  /** Browser sessions, by the SHA-256 of their cookie. */
  logins: {
    readonly hash: string;
    readonly id: string;
    readonly agent: string;
    /** The browser's description of itself. */
    readonly about: string;
    readonly created_at: number;
    readonly expires_at: number;
  };
  /** Argon2id, in the PHC string format. */
  passwords: { readonly agent: string; readonly hash: string; readonly at: number };
  /** Permissions on houses and rooms. */
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
  /** Messages between agents. */
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
    /** Limits of a delegation, as JSON. */
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
/** Tables that callers write directly. The others are written by `append`. */
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

/** Values that statements contain as literals, because partial indexes depend on them. */
export const literalColumns: { readonly [Table in TableName]?: Readonly<Record<string, readonly string[]>> } = {
  activations: { state: ["failed", "stopped"] },
  approvals: { state: ["pending", "allowed"] },
  brain_proposals: { state: ["pending"] },
  egress: { secrets: ["[]"] },
  inbound: { fate: ["accepted", "unpaired"] },
  outbox: { state: ["sending"] },
};
