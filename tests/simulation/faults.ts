/** What is wrong with a house at the moment. */
import type { MemoryTrouble } from "./memory-process.ts";

/** What may go wrong, as it stands at the moment. */
export interface Faults {
  databaseFull: boolean;
  blobsFull: boolean;
  /** Share of model calls, sends and polls that go wrong. */
  model: number;
  channel: number;
  /** Whether daemons may crash at failpoints. */
  crashes: boolean;
  /** What is wrong with the memory process. */
  memory: MemoryTrouble | undefined;
  /** How far the wall clock was set. */
  skewMs: number;
}
