/** What the house remembers of its agents' brains, for tools, the port and the command line. */
import type { Row } from "../../kernel/index.ts";
import type { AgentId, AgentRecord, Audience, Label, MemoryHit, MemoryStatus, Recalled } from "@hearth/protocol";

export interface Question {
  readonly agent: AgentRecord;
  /** Whose eyes the answer is for. */
  readonly audience: Audience;
  readonly query: string;
  /** Absent: as many as the config says. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal;
}

export interface MemoryFound extends Pick<MemoryHit, "score" | "parts"> {
  readonly path: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** First and last line, from 1. */
  readonly lines: readonly [number, number];
  readonly text: string;
  /** The day that it speaks of. */
  readonly date?: string;
  /** Of the lines as they stand in the file now. */
  readonly label: Label;
}

export interface MemoryAnswer extends Pick<Recalled, "mode" | "rebuilding" | "problem"> {
  /** Best first. */
  readonly found: readonly MemoryFound[];
}

/** What was said in a talk before what its turns are given of it. */
export interface EarlierWords {
  /** The message, as `forget` takes it. */
  readonly id: string;
  /** "you" for the agent itself. */
  readonly who: string;
  /** As people read it, in the house's zone. */
  readonly when: string;
  readonly text: string;
  readonly label: Label;
}

/** Best first. Nothing where the turn is given all of its talk, or has a session of its own. */
export type FindEarlier = (
  agent: AgentRecord,
  activation: Pick<Row<"activations">, "room" | "trigger" | "parent">,
  query: string,
) => Promise<readonly EarlierWords[]>;

/**
 * Contract, checked by its tests:
 * - nothing is opened or started before the first question
 * - an answer holds what stands in the files when it is asked, edits by hand included, and never what has gone from them or was replaced
 * - what an audience may not see is neither found nor counted, and moves nothing
 * - what found cannot answer, answers by words and says `rebuilding`
 */
export interface Memory extends AsyncDisposable {
  recall(question: Question): Promise<MemoryAnswer>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Makes the index anew. Resolves once it is whole. */
  reindex(agent: AgentId): Promise<void>;
  /** What has gone from the files goes from the index, on the disk too. Resolves once it has. */
  purge(agent: AgentId): Promise<void>;
}
