/**
 * What the audit log tells of each table: whoever adds a table says it here, or why not, before it compiles. Rows are told from what is
 * committed and not by those who commit, so that nobody can do something and forget to tell.
 */
import type { AuditType } from "@hearth/protocol";
import type { Write } from "../store/store.ts";
import type { Row, WritableTable } from "../store/tables/tables.ts";

type Column<Table extends WritableTable> = keyof Row<Table> & string;

export interface AuditedTable<Name extends string = string> {
  readonly type: AuditType;
  /** Columns that are told as they are, under their names. An update that sets none of those is not told. */
  readonly tells: readonly Name[];
  /** Texts that are told by SHA-256 and size. */
  readonly digests?: readonly Name[];
  /** Errors as JSON, of which the code is told. */
  readonly errors?: readonly Name[];
  /** Whether this write, one of these, is not worth a row. */
  readonly unless?: (write: Write, writes: readonly Write[]) => boolean;
}

export type AuditRule<Name extends string = string> = AuditedTable<Name> | { readonly not: string };

const isRemoval = ({ kind }: Write): boolean => kind === "delete";

/** It waits or runs: its calls and its end tell all of that, and a turn is spared two commits that touch the log. */
const isUnderWay = (write: Write): boolean =>
  "table" in write &&
  write.table === "activations" &&
  (write.kind === "update" ? isOn(write.set.state) : write.kind !== "delete" && isOn(write.row.state));

const isOn = (state: string | undefined): boolean => state === undefined || state === "queued" || state === "running";

const isStranger = (write: Write): boolean =>
  write.kind === "put" && write.table === "senders" && write.row.state === "pending";

export const auditedTables: { readonly [Table in WritableTable]: AuditRule<Column<Table>> } = {
  records: { type: "record", tells: ["id", "type", "house", "handle", "version"], digests: ["content"] },
  grants: { type: "grant", tells: ["agent", "target", "house", "level", "by"] },
  keys: { type: "key", tells: ["id", "name", "agent", "scope", "expires_at", "revoked_at"] },
  logins: { type: "login", tells: ["id", "agent", "expires_at"] },
  passwords: { type: "password", tells: ["agent"] },
  senders: {
    type: "pairing",
    tells: ["channel", "external", "person", "state"],
    // Anybody may knock, as often as they like.
    unless: (write, writes) => isStranger(write) || (isRemoval(write) && writes.some(isStranger)),
  },
  conversations: { type: "conversation", tells: ["channel", "conversation", "kind", "room"] },
  secrets: { type: "secret", tells: ["house", "name", "version", "key"] },
  secret_grants: { type: "secret-grant", tells: ["id", "house", "secret", "agent", "terms", "by"] },
  vault_keys: { type: "vault-key", tells: ["id", "source"] },
  signing_keys: { type: "signing-key", tells: ["id", "public"] },
  subscriptions: { type: "subscription", tells: ["house", "id", "owner"], digests: ["config"] },
  holds: { type: "stop", tells: ["scope", "by"] },
  approvals: {
    type: "approval",
    tells: [
      ...(["id", "house", "agent", "activation", "step", "room", "person", "kind", "name", "hash"] as const),
      ...(["state", "scope", "by"] as const),
    ],
    digests: ["display", "reason"],
  },
  approval_rules: {
    type: "approval-rule",
    tells: ["id", "house", "agent", "tool", "room", "approval", "by"],
    digests: ["bound", "text"],
  },
  activations: {
    type: "activation",
    tells: [
      ...(["id", "agent", "person", "room", "trigger", "cause", "parent", "state", "skip", "model"] as const),
      ...(["crashes", "fence", "merged_into"] as const),
    ],
    errors: ["error"],
    unless: isUnderWay,
  },
  steps: {
    type: "step",
    tells: [
      ...(["activation", "step", "kind", "name", "effect", "state", "refused_by"] as const),
      ...(["input_hash", "output_blob", "labels"] as const),
    ],
    digests: ["output"],
    // They go with their activation, which is told.
    unless: isRemoval,
  },
  egress: {
    type: "egress",
    tells: [
      ...(["id", "activation", "agent", "method", "host", "port", "outcome", "status"] as const),
      ...(["sent_bytes", "received_bytes", "secrets"] as const),
    ],
    digests: ["path"],
    unless: isRemoval,
  },
  outbox: {
    type: "delivery",
    tells: ["id", "channel", "conversation", "room", "event", "state", "attempts", "external"],
    digests: ["body"],
    errors: ["error"],
  },
  brain_proposals: {
    type: "proposal",
    tells: [
      ...(["id", "house", "agent", "activation", "path", "before", "after", "why", "halts", "labels"] as const),
      ...(["state", "by"] as const),
    ],
    digests: ["reason"],
  },
  brain_versions: { not: "what became of a brain's files, which is kept as such; the agent's log tells of each" },
  brain_bodies: { not: "what versions hold" },
  brain_files: { not: "what is known of a brain's files" },
  brain_lines: { not: "who wrote which line; the step that wrote it is told" },
  files: {
    type: "label",
    tells: ["agent", "path"],
    // What a call leaves there is told with its step: this is a person's word that what lies there may be believed.
    unless: (write, writes) => !isRemoval(write) || writes.some((one) => "table" in one && one.table === "steps"),
  },
  inbox: { not: "what agents leave for each other; the step that left it is told" },
  inbound: { not: "what came in is kept in its own table, once each, and nothing of the house acted" },
  cursors: { not: "how far a platform was read" },
  compactions: { not: "what stands for a stretch of a room; the steps that made it are told" },
  jobs: { not: "how a job of the brain stands; the activations that it began are told" },
  job_hooks: { not: "webhooks of jobs; the key that each was given, and that it is gone, are told with the secret" },
  job_deliveries: { not: "what came by a webhook; the activations that it began are told" },
  job_slots: { not: "what became of a job's slots; the activations that they began are told" },
  epochs: { not: "a random id of the database, made once" },
  generations: { not: "a random id of the database file, made at each start" },
  restore_findings: { type: "restore", tells: ["id", "house", "kind", "decision", "by"], digests: ["detail"] },
  readers: { not: "how far a reader has come" },
  leases: { not: "which daemon works; the activation tells its number" },
  spend: { not: "what was spent so far; the step that it was spent for is told" },
  byte_streams: { not: "streams that agents keep for themselves, through the port" },
  byte_producers: { not: "the last append of a producer" },
  subscription_links: { not: "what a subscription looks at; the subscription is told" },
};
