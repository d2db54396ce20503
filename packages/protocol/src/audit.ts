/** The audit log of a house, as it crosses the port and as it is exported. What is in it and how it is sealed says `docs/audit.md`. */
import { z } from "zod";
import { HouseId } from "./ids.ts";

/** What a row is about. */
export const AuditType = z.enum([
  "log",
  "daemon",
  "config",
  "record",
  "grant",
  "key",
  "login",
  "password",
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
  "restore",
]);
export type AuditType = z.infer<typeof AuditType>;

/** Facts of one change, by their names. Never a value of a secret, never a long text: of those the SHA-256. */
export const AuditFacts = z.record(z.string(), z.union([z.string(), z.number()]));
export type AuditFacts = z.infer<typeof AuditFacts>;

/** One row as it is kept: with exactly these fields it was sealed. */
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
  /** HMAC-SHA-256 over this row and the seal before it. */
  seal: z.string().nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

/** Where the log of a house ends, or ended once. Kept apart from the log, so that a log that is cut short does not hold. */
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
 * `changed`: rows are not as they were sealed. `missing`: rows are gone. `forked`: a row stands where one did already. `truncated`: the
 * log ends before it did. `rewritten`: the log is another one than it was. `anchor`: what says where it ended is gone or not ours.
 */
export const AuditFault = z.enum(["changed", "missing", "forked", "truncated", "rewritten", "anchor"]);
export type AuditFault = z.infer<typeof AuditFault>;

export const AuditFinding = z.object({
  fault: AuditFault,
  /** The rows that it is about, where it is about some: from the first to the last of them. */
  from: z.int().optional(),
  to: z.int().optional(),
  /** What is wrong, as a sentence. */
  text: z.string(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

export const AuditReport = z.object({
  house: HouseId,
  rows: z.int().nonnegative(),
  /** None: it is whole. */
  findings: z.array(AuditFinding),
});
export type AuditReport = z.infer<typeof AuditReport>;

export const MAX_AUDIT_PAGE = 1000;
const count = z.coerce.number().int().min(1).max(MAX_AUDIT_PAGE);

export const AuditQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: count.default(100),
  latest: count.optional(),
});
export const AuditPage = z.object({ house: HouseId, rows: z.array(AuditRow) });
export type AuditPage = z.infer<typeof AuditPage>;

export const ExportQuery = z.object({
  /** UTC milliseconds: rows before it are left out. */
  since: z.coerce.number().int().nonnegative().optional(),
});
