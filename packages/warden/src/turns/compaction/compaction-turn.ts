/** The input of a compaction: the turn, and the measured length of its session. */
import type { Lease, Row } from "../../kernel/index.ts";
import type { AgentRecord, Audience, Usage } from "@hearth/protocol";

/** A turn whose session may need compaction. */
export interface CompactionTurn {
  readonly row: Row<"activations">;
  readonly agent: AgentRecord;
  readonly audience: Audience;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** Measures the length of a turn's session. */
export interface SessionLength {
  /** Whether this turn may still compact its session. A turn compacts once. */
  readonly mayCompact: boolean;
  /** Whether a first request of this length is too long. Estimates, until a token count is known. */
  isTooLong(characters: number): boolean;
  /** Records the usage of the first request. */
  recordUsage(usage: Usage, characters: number): void;
}
