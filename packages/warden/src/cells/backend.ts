/** Where an agent's inmate runs. What differs between backends is in their traits and walls; what is the same is in the suite. */
import type {
  AgentId,
  Audience,
  BackendKind,
  CellLimits,
  InmateFrame,
  Isolation,
  Link,
  Wall,
  WardenFrame,
} from "@hearth/protocol";

/** Where a cell with walls has its brain, and the folder in it that may be written. */
export const CELL_BRAIN = "/mnt/brain";
export const CELL_WORKSPACE = `${CELL_BRAIN}/workspace`;

export interface CellSpec {
  readonly agent: AgentId;
  readonly audience: Audience;
  /** Absolute path of the folder that the cell has for its brain, to read. */
  readonly brain: string;
  /** Names right below `brain` that are not there for the cell. */
  readonly hidden: readonly string[];
  /** Absolute path of the folder that is `workspace/` there, which the inmate may write. */
  readonly workspace: string;
  readonly limits: CellLimits;
}

/** The warden's end: it sends what the warden says and reads what the inmate says. Frames are unchecked bytes until `cells/` has parsed them. */
export type WardenLink = Link<WardenFrame, unknown>;
export type InmateLink = Link<InmateFrame, unknown>;

export interface Cell {
  readonly link: WardenLink;
  /** The process that holds it, if it has one of its own. */
  readonly pid?: number;
  /** What holds in this one. */
  readonly walls: ReadonlySet<Wall>;
  /** Resolves once nothing of the cell runs any more, with words for why if it was not closed. Never rejects. */
  readonly gone: Promise<string | undefined>;
  /** Ends the inmate and all it started, gently, then by force. */
  close(): Promise<void>;
}

export interface Probe {
  readonly ok: boolean;
  /** What is missing and how to get it, or what does not hold. */
  readonly why?: string;
  /** What would hold in a cell that is opened now. None if it is not `ok`. */
  readonly walls: ReadonlySet<Wall>;
}

/**
 * Contract, checked by `backendConformance`:
 * - `probe` runs something real under a deadline and says what is missing and how to get it
 * - `open` resolves when the link carries frames; it throws `cell.unavailable` with the reason otherwise
 * - frames arrive whole, once and in order, up to the largest message; so do byte streams
 * - after `close`, and after the inmate dies, `gone` resolves and no process of the cell is left; with the wall `kernel`, however it hides
 * - neither `gone` nor `close` rejects: a cleanup that fails is logged, and nothing of the cell stays on the host, whatever its modes are
 * - nothing of the warden's environment reaches the inmate but what the backend lists
 * - with the wall `fs`, `open` follows no link on the way to the workspace, and throws `cell.unavailable` where there is one
 * - each wall that a cell says it has holds against the attempts of the escape table
 */
export interface CellBackend {
  readonly kind: BackendKind | "fake" | "simulated";
  readonly traits: { readonly isolation: Isolation; readonly snapshots: boolean };
  probe(): Promise<Probe>;
  open(spec: CellSpec): Promise<Cell>;
}

export const NO_WALLS: ReadonlySet<Wall> = new Set();
