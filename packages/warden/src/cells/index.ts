/** The entry of the area `cells`: exports what other areas use and every start loads. */
export { type BackendTable, type Backends, createBackends, createHasWalls } from "./backends.ts";
export { sizeOf } from "./cell-leases.ts";
export { createEgressSecrets } from "./egress/egress-secrets.ts";
export type { Egress, EgressOptions } from "./egress/egress.ts";
export type { EgressAnswer } from "./egress/fetch.ts";
export { createLazyEgress } from "./egress/lazy-egress.ts";
export { type Ledger, createLedger } from "./egress/ledger.ts";
export { noEgress } from "./egress/no-egress.ts";
export { createPassEgress } from "./egress/pass-egress.ts";
export { createLazyModelDoor } from "./model-door/lazy-model-door.ts";
export { type CellLease, type Pool, createPool } from "./pool.ts";
