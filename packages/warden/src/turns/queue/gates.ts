/** What an activation has to pass before anything of it begins. Most have nothing before them. */
import type { Lease, Row } from "../../kernel/index.ts";

export type Passed =
  /** It begins, as this row. */
  | { readonly kind: "on"; readonly row: Row<"activations"> }
  /** It is over, durably, or is not there any more. */
  | { readonly kind: "over" }
  | { readonly kind: "stopped" };

export interface Gates {
  /** Throws `lease.lost`, or what ends an activation. Asked again after a crash, it asks nobody twice. */
  pass(row: Row<"activations">, lease: Lease, signal: AbortSignal): Promise<Passed>;
}
