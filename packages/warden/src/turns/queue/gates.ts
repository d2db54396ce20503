/** The gates that an activation passes before it begins. Most activations have none. */
import type { Lease, Row } from "../../kernel/index.ts";

export type GateResult =
  /** The activation may begin, with this row. */
  | { readonly kind: "allowed"; readonly row: Row<"activations"> }
  /** The activation has ended or was replaced, so it must not begin. */
  | { readonly kind: "over" }
  /** A person stopped the activation while it passed the gates. */
  | { readonly kind: "stopped" };

export interface Gates {
  /**
   * Passes the gates of one activation. A call that is repeated after a crash does not repeat a
   * model call. Throws `lease.lost`, or the error with which the activation ends.
   */
  pass(row: Row<"activations">, lease: Lease, signal: AbortSignal): Promise<GateResult>;
}
