/** Searches the agents' brains for tools, the API and the CLI. */
import type { Row } from "../../kernel/index.ts";
import type { AgentId, AgentRecord, Audience, Label, MemoryHit, MemoryStatus, Recalled } from "@hearth/protocol";

export interface Question {
  readonly agent: AgentRecord;
  /** The audience of the answer. */
  readonly audience: Audience;
  readonly query: string;
  /** Absent: the configured number. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal;
}

export interface MemoryFound extends Pick<MemoryHit, "score" | "parts"> {
  readonly path: string;
  /** Headings above it, outermost first. */
  readonly headings: readonly string[];
  /** First and last line, from 1. */
  readonly lines: readonly [number, number];
  readonly text: string;
  /** The day it is about. */
  readonly date?: string;
  /** Label of the file's present lines. */
  readonly label: Label;
}

export interface MemoryAnswer extends Pick<Recalled, "mode" | "rebuilding" | "problem"> {
  /** Best first. */
  readonly found: readonly MemoryFound[];
}

/** Earlier messages of a conversation, before the prompt's range. */
export interface EarlierWords {
  /** The message id, as `forget` takes it. */
  readonly id: string;
  /** "you" for the agent itself. */
  readonly who: string;
  /** Formatted in the house's zone. */
  readonly when: string;
  readonly text: string;
  readonly label: Label;
}

/** Best first. Empty if the turn reads its whole conversation, or has an isolated session. */
export type FindEarlier = (
  agent: AgentRecord,
  activation: Pick<Row<"activations">, "room" | "trigger" | "parent">,
  query: string,
) => Promise<readonly EarlierWords[]>;

/**
 * Contract, checked by its tests:
 * - Nothing is opened or started before the first query.
 * - An answer reflects the files at the time of the query, including edits by hand, and never
 *   contains removed or replaced text.
 * - Files that an audience may not see are neither found nor counted, and do not change the
 *   ranking.
 * - If the index cannot answer, the answer is by words and says `rebuilding`.
 */
export interface Memory extends AsyncDisposable {
  recall(question: Question): Promise<MemoryAnswer>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Rebuilds the index. Resolves once it is complete. */
  reindex(agent: AgentId): Promise<void>;
  /** Removes text from the index and the disk that the files no longer have. Resolves when done. */
  purge(agent: AgentId): Promise<void>;
}
