/** A cell from the first who asks for it to its end. */
import type { AgentId, Audience } from "@hearth/protocol";
import type { OpenCell } from "./open-cell.ts";

export type Key = `${AgentId} ${Audience}`;

export interface PooledCell {
  readonly key: Key;
  readonly agent: AgentId;
  /** Of the record that it is made for, and what of it counts. */
  readonly version: number;
  readonly made: string;
  /** Those who wait for it to open. When the last one leaves before that, it is given up. */
  wants: number;
  readonly abandon: AbortController;
  /** Resolves when it is open; with nothing when it was given up before. */
  readonly opened: Promise<OpenCell | undefined>;
  cell: OpenCell | undefined;
  /** Nobody new sits down there: it ends with the last one who does. */
  isRetired: boolean;
  isClosing: boolean;
  /** Since when it has been at rest, or at work. */
  since: number;
  /** Ends the wait for idleness. */
  idle: AbortController | undefined;
}

/** Whether it could end now and nobody's work would be lost. */
export const isAtRest = ({ cell, wants, isClosing }: PooledCell): boolean =>
  cell !== undefined && wants === 0 && !isClosing && cell.cellLeases.isAtRest();

/** Whether nobody has a place in it. */
export const isEmpty = ({ cell }: PooledCell): boolean => cell?.cellLeases.activations.length === 0;
