/** The gates that an activation passes before it begins. Most activations have none. */
import type { Lease, Row } from "../../kernel/index.ts";

export type Passed =
  /** The activation begins with this row. */
  | { readonly kind: "allowed"; readonly row: Row<"activations"> }
  /** The activation is durably over or no longer exists. */
  | { readonly kind: "over" }
  | { readonly kind: "stopped" };

export interface Gates {
  /**
   * Throws `lease.lost` or what ends an activation. A repeated call after a crash does not repeat a
   * model call.
   */
  pass(row: Row<"activations">, lease: Lease, signal: AbortSignal): Promise<Passed>;
}
