/** A turn as its compaction sees it, and the length of its talk as the turn sees it. */
import type { Lease, Row } from "../../kernel/index.ts";
import type { AgentRecord, Audience, Usage } from "@hearth/protocol";

/** A turn that may have to make its session shorter. */
export interface CompactionTurn {
  readonly row: Row<"activations">;
  readonly agent: AgentRecord;
  readonly audience: Audience;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** How long a turn's session has become, as the turn itself finds out. */
export interface SessionLength {
  /** Whether there is something left to be made shorter, in this turn. */
  readonly mayShorten: boolean;
  /** Whether a first request of so many characters is too long: nobody has told yet how many tokens that are. */
  isTooLong(characters: number): boolean;
  /** What its first request took. */
  told(usage: Usage, characters: number): void;
}
