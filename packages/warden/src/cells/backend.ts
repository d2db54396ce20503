/** Where an agent's inmate runs. What differs between backends is in their traits; what is the same is in the suite. */
import type { AgentId, InmateFrame, Link, WardenFrame } from "@hearth/protocol";

export interface CellSpec {
  readonly agent: AgentId;
  /** Absolute path of the folder that the inmate may write: the agent's `workspace/`. */
  readonly workspace: string;
}

/** The warden's end: it sends what the warden says and reads what the inmate says. Frames are unchecked bytes until `cells/` has parsed them. */
export type WardenLink = Link<WardenFrame, unknown>;
export type InmateLink = Link<InmateFrame, unknown>;

export interface Cell {
  readonly link: WardenLink;
  /** The process that holds it, if it has one of its own. */
  readonly pid?: number;
  /** Resolves once nothing of the cell runs any more, with words for why if it was not closed. */
  readonly gone: Promise<string | undefined>;
  /** Ends the inmate and all it started, gently, then by force. */
  close(): Promise<void>;
}

/**
 * Contract, checked by `backendConformance`:
 * - `probe` runs something real and says what is missing and how to get it
 * - `open` resolves when the link carries frames; it throws `cell.unavailable` with the reason otherwise
 * - frames arrive whole, once and in order, up to the largest message
 * - after `close`, and after the inmate dies, `gone` resolves and no process of the cell is left
 * - nothing of the warden's environment reaches the inmate but what the backend lists
 */
export interface CellBackend {
  readonly kind: string;
  readonly traits: { readonly isolation: "none" | "process"; readonly snapshots: boolean };
  probe(): Promise<{ readonly ok: boolean; readonly why?: string }>;
  open(spec: CellSpec): Promise<Cell>;
}
