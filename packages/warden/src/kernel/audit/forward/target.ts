/**
 * The interface of a target: a place for copies of audit rows that a change of this machine cannot
 * reach.
 */
import type { AuditTargetConfig } from "../../config/text/audit-text.ts";

export interface AuditTarget {
  /**
   * Stores lines of JSON in this order, each with its line end. Resolves when the target has
   * them. Rejects if it may lack some of them, and the caller then sends the same lines again.
   * The caller makes one call at a time.
   */
  send(lines: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Opens a target of a kind that needs the machine. */
export type OpenAuditTarget = (target: Exclude<AuditTargetConfig, { readonly kind: "http" }>) => Promise<AuditTarget>;
