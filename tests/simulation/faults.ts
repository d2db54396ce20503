/** The faults that are active in a house. */
import type { MemoryTrouble } from "./memory-process.ts";

/** The active faults, which operations change. */
export interface Faults {
  databaseFull: boolean;
  blobsFull: boolean;
  /** Share of model calls, sends and polls that fail. */
  model: number;
  channel: number;
  /** Whether daemons may crash at failpoints. */
  crashes: boolean;
  /** The fault of the memory process, if any. */
  memory: MemoryTrouble | undefined;
  /** How far the wall clock has been set ahead. */
  skewMs: number;
}
