/** A turn as its compaction sees it, and the measured length of its session. */
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

/** Measures how long a turn's session has become. */
export interface SessionLength {
  /** Whether this turn can still shorten its session. */
  readonly mayShorten: boolean;
  /**
   * Whether a first request of this many characters is too long. Used until the provider reports a
   * token count.
   */
  isTooLong(characters: number): boolean;
  /** Records the usage of the first request. */
  recordUsage(usage: Usage, characters: number): void;
}
