/**
 * The interface of cell backends, which run an agent's inmate. A backend declares its differences
 * as traits and walls. The conformance suite covers the rest.
 */
import type { AgentId, Audience, BackendKind, CellLimits, Isolation, Link, Wall, WardenFrame } from "@hearth/protocol";

/** Where a cell with walls sees its brain, and the writable folder in it. */
export const CELL_BRAIN = "/mnt/brain";
export const CELL_WORKSPACE = `${CELL_BRAIN}/workspace`;

export interface CellSpec {
  readonly agent: AgentId;
  readonly audience: Audience;
  /** Absolute path of the folder that the cell sees as its brain, read-only. */
  readonly brain: string;
  /** Names in the folder `brain` that the cell does not see. */
  readonly hidden: readonly string[];
  /** Absolute path of the folder that the cell sees as `workspace/`, which the inmate may write. */
  readonly workspace: string;
  readonly limits: CellLimits;
  /**
   * The program of the cell. It is absent for the inmate. The program `document` converts documents
   * instead of running an inmate. Only backends with walls run it.
   */
  readonly program?: "document";
}

/** The warden's end of the link. Incoming frames are unvalidated until `cells/` has parsed them. */
export type WardenLink = Link<WardenFrame, unknown>;

export interface Cell {
  readonly link: WardenLink;
  /** The process of the cell, if it has a separate one. */
  readonly pid?: number;
  /** The walls that this cell has. */
  readonly walls: ReadonlySet<Wall>;
  /**
   * Resolves when no process of the cell runs. The value is the reason if the cell was not
   * closed. Never rejects.
   */
  readonly exited: Promise<string | undefined>;
  /** Ends the inmate and every process that it started: first gracefully, then by force. */
  close(): Promise<void>;
}

export interface Probe {
  readonly ok: boolean;
  /** The missing requirement and how to install it, or the check that failed. */
  readonly why?: string;
  /** The walls that a cell would have now. Empty if not `ok`. */
  readonly walls: ReadonlySet<Wall>;
}

/**
 * Contract, checked by `backendConformance`:
 * - `probe` runs a real check with a deadline, and reports what is missing and how to get it
 * - `open` resolves when the link carries frames; otherwise it throws `cell.unavailable` with the
 *   reason
 * - frames arrive whole, once and in order, up to the largest message; so do byte streams
 * - after `close`, and after the inmate dies, `exited` resolves and no process of the cell is left;
 *   with the wall `kernel`, not even a hidden one
 * - neither `exited` nor `close` rejects: a failed cleanup is logged. Nothing of the cell stays on
 *   the host, whatever its file modes
 * - the inmate inherits nothing of the warden's environment except what the backend lists
 * - with the wall `fs`, `open` follows no link in the path of the workspace, and throws
 *   `cell.unavailable` when there is one
 * - each wall that a cell reports holds against the attempts of the escape table
 */
export interface CellBackend {
  readonly kind: BackendKind | "fake" | "simulated";
  readonly traits: { readonly isolation: Isolation; readonly snapshots: boolean };
  probe(): Promise<Probe>;
  open(spec: CellSpec): Promise<Cell>;
}

export const NO_WALLS: ReadonlySet<Wall> = new Set();
