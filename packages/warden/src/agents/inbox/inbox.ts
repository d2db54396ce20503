/** What agents leave for each other. Its writes are values: they go along with the end of whatever wrote or used a message. */
import type { Change, Row, NewEvent } from "../../kernel/index.ts";
import type { ActivationId, AgentId, InboxId, InboxMessage, InboxQuery } from "@hearth/protocol";

export type InboxRow = Row<"inbox">;

/** For a commit that holds more. A guard that does not hold means that somebody was faster: plan it again. */
export interface InboxChange extends Required<Change> {
  readonly events: readonly NewEvent[];
}

/** A message moves forward, never back. */
export type InboxMove =
  | { readonly status: "read"; readonly by: ActivationId }
  | { readonly status: "archived"; readonly by?: never };

export interface Inbox {
  /** Newest first. */
  list(agent: AgentId, query: InboxQuery): Promise<readonly InboxMessage[]>;
  /** Throws `inbox.not-found`. */
  get(id: InboxId): Promise<InboxMessage>;
  /** Puts it away for good. Again is harmless. Throws `inbox.not-found`. */
  archive(id: InboxId): Promise<InboxMessage>;
  /** In the order of the ids, without those that are not there. */
  rows(ids: readonly InboxId[]): Promise<readonly InboxRow[]>;
  /**
   * What the agent is to be shown, oldest first, up to a limit that no prompt reaches: notes, and answers that came too late for the
   * call that asked. An answer that a call still waits for is that call's alone.
   */
  pending(agent: AgentId): Promise<readonly InboxRow[]>;
  answerTo(question: InboxId): Promise<InboxRow | undefined>;
  /** Puts a new one in. */
  planPut(row: InboxRow): InboxChange;
  /** Moves those of these that are still pending. */
  planMove(ids: readonly InboxId[], move: InboxMove): Promise<InboxChange>;
  /** Erases what was read or put away until then and is of no more use; how many. What is pending stays, however old it is. */
  sweep(until: number): Promise<number>;
}
