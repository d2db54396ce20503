/**
 * Defines what the audit log records of each table. The compiler requires an entry or a reason for
 * every table. Rows are derived from commits, so a caller cannot forget to record a change.
 */
import type { AuditType } from "@hearth/protocol";
import type { Write } from "../store/store.ts";
import type { Row, WritableTable } from "../store/tables/tables.ts";

type Column<Table extends WritableTable> = keyof Row<Table> & string;

export interface AuditedTable<Name extends string = string> {
  readonly type: AuditType;
  /** The columns recorded in plain text. An update that sets none of them is not recorded. */
  readonly columns: readonly Name[];
  /** Texts that are recorded as SHA-256 hash and size. */
  readonly digests?: readonly Name[];
  /** Errors in JSON, of which only the code is recorded. */
  readonly errors?: readonly Name[];
  /** Whether the write is not recorded, given all writes of its change. */
  readonly unless?: (write: Write, writes: readonly Write[]) => boolean;
}

export type AuditRule<Name extends string = string> = AuditedTable<Name> | { readonly not: string };

const isRemoval = ({ kind }: Write): boolean => kind === "delete";

/**
 * Skips changes between waiting and running, which the calls and the end already show. This saves
 * two audited commits per turn.
 */
const isUnderWay = (write: Write): boolean =>
  "table" in write &&
  write.table === "activations" &&
  (write.kind === "update"
    ? isActiveState(write.set.state)
    : write.kind !== "delete" && isActiveState(write.row.state));

const isActiveState = (state: string | undefined): boolean =>
  state === undefined || state === "queued" || state === "running";

const isStranger = (write: Write): boolean =>
  write.kind === "put" && write.table === "senders" && write.row.state === "pending";

export const auditedTables: { readonly [Table in WritableTable]: AuditRule<Column<Table>> } = {
  records: { type: "record", columns: ["id", "type", "house", "handle", "version"], digests: ["content"] },
  grants: { type: "grant", columns: ["agent", "target", "house", "level", "rights", "by"] },
  keys: { type: "key", columns: ["id", "name", "agent", "scope", "expires_at", "revoked_at"] },
  logins: { type: "login", columns: ["id", "agent", "expires_at", "name", "method"] },
  passwords: { type: "password", columns: ["agent"] },
  second_factors: { type: "second-factor", columns: ["agent", "id"] },
  recovery_codes: { type: "recovery-code", columns: ["agent", "used_at"] },
  passkeys: { type: "passkey", columns: ["id", "agent", "name", "host"] },
  identities: { type: "identity", columns: ["id", "agent", "provider", "issuer"], digests: ["subject", "account"] },
  push_devices: {
    type: "push-device",
    columns: ["id", "agent", "session", "name"],
    digests: ["endpoint"],
  },
  push_choices: { not: "Each person decides what their own devices show." },
  voice_choices: { not: "Each person decides which replies they hear; the audit log has no costs of speech." },
  invites: {
    type: "invite",
    columns: ["id", "house", "level", "rooms", "rights", "by", "expires_at", "used_by", "revoked_at"],
    digests: ["note"],
  },
  senders: {
    type: "pairing",
    columns: ["channel", "external", "person", "state"],
    // Unknown senders may write as often as they like, so they are not recorded.
    unless: (write, writes) => isStranger(write) || (isRemoval(write) && writes.some(isStranger)),
  },
  conversations: { type: "conversation", columns: ["channel", "conversation", "kind", "room"] },
  secrets: { type: "secret", columns: ["house", "name", "version", "key"] },
  secret_grants: { type: "secret-grant", columns: ["id", "house", "secret", "agent", "terms", "by"] },
  vault_keys: { type: "vault-key", columns: ["id", "source"] },
  signing_keys: { type: "signing-key", columns: ["id", "public"] },
  subscriptions: { type: "subscription", columns: ["house", "id", "owner"], digests: ["config"] },
  holds: { type: "stop", columns: ["scope", "by"] },
  approvals: {
    type: "approval",
    columns: [
      ...(["id", "house", "agent", "activation", "step", "room", "person", "kind", "name", "hash"] as const),
      ...(["state", "scope", "by"] as const),
    ],
    digests: ["display", "reason"],
  },
  approval_rules: {
    type: "approval-rule",
    columns: ["id", "house", "agent", "tool", "room", "approval", "by"],
    digests: ["bound", "text"],
  },
  activations: {
    type: "activation",
    columns: [
      ...(["id", "agent", "person", "room", "trigger", "cause", "parent", "state", "skip", "model"] as const),
      ...(["crashes", "fence", "merged_into"] as const),
    ],
    errors: ["error"],
    unless: isUnderWay,
  },
  steps: {
    type: "step",
    columns: [
      ...(["activation", "step", "kind", "name", "effect", "state", "refused_by"] as const),
      ...(["input_hash", "output_blob", "labels"] as const),
    ],
    digests: ["output"],
    // Steps are removed with their activation, whose removal is recorded.
    unless: isRemoval,
  },
  egress: {
    type: "egress",
    columns: [
      ...(["id", "activation", "agent", "method", "host", "port", "outcome", "status"] as const),
      ...(["sent_bytes", "received_bytes", "secrets"] as const),
    ],
    digests: ["path"],
    unless: isRemoval,
  },
  outbox: {
    type: "delivery",
    columns: ["id", "channel", "conversation", "room", "event", "state", "attempts", "external"],
    digests: ["body"],
    errors: ["error"],
    // Rows are only removed by age, see `[retention]`. A record of each removal would keep what
    // retention removes.
    unless: isRemoval,
  },
  brain_proposals: {
    type: "proposal",
    columns: [
      ...(["id", "house", "agent", "activation", "path", "before", "after", "why", "halts", "labels"] as const),
      ...(["state", "by"] as const),
    ],
    digests: ["reason"],
  },
  brain_versions: { not: "versions of brain files; they are a log themselves" },
  brain_bodies: { not: "the content of brain versions" },
  brain_files: { not: "the known state of brain files" },
  brain_lines: { not: "the authors of lines; the step that wrote them is recorded" },
  step_files: { not: "the blobs of files in the results of tools; the steps are recorded" },
  files: {
    type: "label",
    columns: ["agent", "path"],
    // Labels from a call are recorded with the call's step. This entry records that a person
    // decided to trust the files.
    unless: (write, writes) => !isRemoval(write) || writes.some((write) => "table" in write && write.table === "steps"),
  },
  room_views: { not: "how people arrange their own lists; it gives no person access" },
  inbox: { not: "messages between agents; the step that left one is recorded" },
  inbound: { not: "incoming messages, which are stored once each in this table; the house took no action" },
  cursors: { not: "the read position of a platform" },
  compactions: { not: "summaries of conversations; their steps are recorded" },
  jobs: { not: "the state of jobs; the activations that they start are recorded" },
  key_uses: { not: "the last use of a key; the requests that change something are recorded" },
  job_hooks: { not: "webhooks of jobs; their keys are recorded as secrets" },
  job_deliveries: { not: "webhook deliveries; the activations that they start are recorded" },
  job_slots: { not: "outcomes of job slots; the activations that they start are recorded" },
  epochs: { not: "a random id of the database, created once" },
  generations: { not: "a random id of the database file, created at each start" },
  audit_segments: { type: "log", columns: ["house", "after", "through", "blob"] },
  restore_findings: { type: "restore", columns: ["id", "house", "kind", "decision", "by"], digests: ["detail"] },
  readers: { not: "the positions of readers" },
  leases: { not: "which daemon works for an agent; the activation records its number" },
  spend: { not: "amounts spent; the step that spent them is recorded" },
  model_usage: { not: "sums of model usage; the steps that used the models are recorded" },
  uploads: {
    type: "upload",
    // The offset is not recorded, because the growth of an upload is not an event.
    columns: ["id", "house", "owner", "size", "state", "hash", "final_size"],
    digests: ["name"],
  },
  upload_parts: { not: "the bytes of uploads; the upload is recorded with the hash of the whole" },
  upload_pictures: { not: "smaller versions of pictures, made from uploads; those are recorded" },
  upload_texts: { not: "the texts of documents, made from uploads; those are recorded" },
  upload_quotas: { not: "the sum of the sizes of uploads, which are recorded" },
  attachments: { type: "attachment", columns: ["room", "upload", "event"], digests: ["caption"] },
  transcripts: {
    type: "transcript",
    columns: ["upload", "source", "cost", "edited_by"],
    digests: ["text"],
    errors: ["error"],
  },
  picture_descriptions: {
    type: "description",
    columns: ["upload", "source", "cost"],
    digests: ["text"],
    errors: ["error"],
  },
  speeches: { type: "speech", columns: ["room", "event", "hash"] },
  byte_streams: { not: "byte streams that agents create through the API" },
  byte_producers: { not: "the last append of a producer" },
  subscription_links: { not: "the streams of a subscription; the subscription is recorded" },
};
