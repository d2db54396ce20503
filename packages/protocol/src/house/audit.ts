/** API and export types of a house's audit log. `docs/audit.md` describes its content and seals. */
import { z } from "zod";
import { AgentId, HouseId } from "../base/ids.ts";

/** The subject of a row. */
export const AuditType = z.enum([
  "log",
  "daemon",
  "config",
  "record",
  "grant",
  "key",
  "login",
  "password",
  "second-factor",
  "recovery-code",
  "passkey",
  "push-device",
  "identity",
  "invite",
  "pairing",
  "conversation",
  "secret",
  "secret-grant",
  "vault-key",
  "signing-key",
  "subscription",
  "stop",
  "approval",
  "approval-rule",
  "proposal",
  "label",
  "activation",
  "step",
  "egress",
  "delivery",
  "upload",
  "attachment",
  "transcript",
  "description",
  "speech",
  "restore",
]);
export type AuditType = z.infer<typeof AuditType>;

/**
 * Facts of one change, by name. Secrets and long texts are never included; a SHA-256 replaces them.
 */
export const AuditFacts = z.record(z.string(), z.union([z.string(), z.number()]));
export type AuditFacts = z.infer<typeof AuditFacts>;

/** One row as stored. The seal covers exactly these fields. */
export const AuditRow = z.object({
  stream: z.string(),
  offset: z.int(),
  id: z.string(),
  type: z.string(),
  /** UTC milliseconds. */
  at: z.int(),
  /** `AuditFacts` as JSON. */
  body: z.string().nullable(),
  blob: z.string().nullable(),
  labels: z.string().nullable(),
  /**
   * HMAC-SHA-256 over this row and the seal before it. After a rotation of the key, the seal begins
   * with the key's id and a dot.
   */
  seal: z.string().nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

/**
 * The end of a house's log at a point in time. Stored apart from the log, so that truncation of the
 * log is detected.
 */
export const AuditHead = z.object({
  house: HouseId,
  offset: z.int().nonnegative(),
  seal: z.string(),
  at: z.int(),
  /** HMAC-SHA-256 over the fields above. */
  mark: z.string(),
});
export type AuditHead = z.infer<typeof AuditHead>;

/**
 * The faults of a log. `changed`: rows do not match their seals. `missing`: rows are gone.
 * `forked`: a second row has the offset of an earlier one. `truncated`: the log ends before its
 * recorded end, or before the row that records the present key. `rewritten`: the
 * log was replaced by another one. `anchor`: the record of the log's end is missing, or the present
 * key did not mark it.
 */
export const AuditFault = z.enum(["changed", "missing", "forked", "truncated", "rewritten", "anchor"]);
export type AuditFault = z.infer<typeof AuditFault>;

export const AuditFinding = z.object({
  fault: AuditFault,
  /** The first and last affected row, if the finding is about rows. */
  from: z.int().optional(),
  to: z.int().optional(),
  /** Describes the fault in a sentence. */
  text: z.string(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

export const AuditReport = z.object({
  house: HouseId,
  rows: z.int().nonnegative(),
  /** Empty: the log is intact. */
  findings: z.array(AuditFinding),
});
export type AuditReport = z.infer<typeof AuditReport>;

export const AuditKeyRotation = z.object({
  /** The id of the present key. It does not reveal the key. */
  key: z.string(),
  /** The number of houses whose log records the key. */
  houses: z.int().nonnegative(),
});
export type AuditKeyRotation = z.infer<typeof AuditKeyRotation>;

export const MAX_AUDIT_PAGE = 1000;
const count = z.coerce.number().int().min(1).max(MAX_AUDIT_PAGE);
const instant = z.coerce.number().int().nonnegative();

/** Which rows of a log to return. A row must match every field. */
export const AuditFilter = z.object({
  /** Only rows of this type. */
  type: AuditType.optional(),
  /** Only rows with this person as the actor, or as the person whom the change concerns. */
  person: AgentId.optional(),
  /** Only rows with this agent as the actor, or as the agent that the change concerns. */
  agent: AgentId.optional(),
  /** UTC milliseconds. Only rows from this instant on. */
  from: instant.optional(),
  /** UTC milliseconds. Only rows before this instant. */
  until: instant.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const AuditQuery = AuditFilter.extend({
  /** The offset of a row. Only the rows after it are read, oldest first. */
  after: z.coerce.number().int().nonnegative().optional(),
  /** The offset of a row. The rows before it are read, newest first. Default: all rows. */
  before: z.coerce.number().int().positive().optional(),
  limit: count.default(100),
}).refine(
  ({ after, limit: _, ...others }) =>
    after === undefined || Object.values(others).every((value) => value === undefined),
  "`after` takes neither `before` nor a filter",
);
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditPage = z.object({
  house: HouseId,
  rows: z.array(AuditRow),
  /**
   * The value of `before` for the next older rows. A filter may match none of the rows that one
   * request examines, so a page can be empty and still have it. Absent: no older rows match.
   */
  next: z.int().positive().optional(),
});
export type AuditPage = z.infer<typeof AuditPage>;

export const ExportQuery = z.object({
  /** UTC milliseconds. Earlier rows are left out. */
  since: instant.optional(),
});
