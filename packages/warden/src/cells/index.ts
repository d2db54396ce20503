/** The entry of the area `cells`: everything that other areas use of it and that a start loads. */
export { type BackendTable, type Backends, createBackends, createIsIsolated } from "./backends.ts";
export { sizeOf } from "./cell-leases.ts";
export type { Scratch } from "./document-cell.ts";
export type { Documents } from "./documents.ts";
export type { Egress } from "./egress/egress.ts";
export type { EgressAnswer } from "./egress/fetch.ts";
export type { Ledger } from "./egress/ledger.ts";
export { type Cells, type EgressParts, openCells } from "./open.ts";
export type { Resolver } from "./egress/network/resolver.ts";
export type { Pictures } from "./pictures.ts";
export type { CellLease, Pool } from "./pool.ts";
