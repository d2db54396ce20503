/** A place for copies of audit rows that a change of this machine cannot reach. */
import type { AuditTargetConfig } from "../../config/text/audit-text.ts";

export interface AuditTarget {
  /**
   * Adds lines of JSON, each with its line end, in this order. Resolves when the target has them.
   * Rejects if it may not have all of them; the same lines then come again. Called once at a time.
   */
  send(lines: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Opens a target of a kind that needs the machine. */
export type OpenAuditTarget = (target: Exclude<AuditTargetConfig, { readonly kind: "http" }>) => Promise<AuditTarget>;
