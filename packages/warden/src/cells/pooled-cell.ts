/** The state of a cell in the pool, from the first request to its end. */
import type { AgentId, Audience } from "@hearth/protocol";
import type { OpenCell } from "./open-cell.ts";

export type Key = `${AgentId} ${Audience}`;

export interface PooledCell {
  readonly key: Key;
  readonly agent: AgentId;
  /** The version of its record, and the fields that its cell depends on. */
  readonly version: number;
  readonly made: string;
  /**
   * How many callers wait for it to open. When the last one leaves before that, the opening is
   * aborted.
   */
  wants: number;
  readonly abandon: AbortController;
  /** Resolves when it is open, or with undefined when the opening was aborted. */
  readonly opened: Promise<OpenCell | undefined>;
  cell: OpenCell | undefined;
  /** Accepts no new leases: it ends with its last one. */
  isRetired: boolean;
  isClosing: boolean;
  /** Since when it has been idle, or busy. */
  since: number;
  /** Cancels the idle timer. */
  idle: AbortController | undefined;
}

/** Whether it could close now without loss of work. */
export const isAtRest = ({ cell, wants, isClosing }: PooledCell): boolean =>
  cell !== undefined && wants === 0 && !isClosing && cell.cellLeases.isAtRest();

/** Whether it has no leases. */
export const isEmpty = ({ cell }: PooledCell): boolean => cell?.cellLeases.activations.length === 0;
