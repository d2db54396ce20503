/**
 * The interface of the inbox: messages that agents leave for each other. It returns its writes, and
 * the caller commits them with the end of the step that wrote or used a message.
 */
import type { Change, Row, NewEvent } from "../../kernel/index.ts";
import type { ActivationId, AgentId, InboxId, InboxMessage, InboxQuery } from "@hearth/protocol";

export type InboxRow = Row<"inbox">;

/**
 * A part of a larger commit. If a guard fails, another writer was faster, and the caller must plan
 * the change again.
 */
export interface InboxChange extends Required<Change> {
  readonly events: readonly NewEvent[];
}

/** The changes of a message's state. A message never returns to an earlier state. */
export type InboxMove =
  | { readonly status: "read"; readonly by: ActivationId }
  | { readonly status: "archived"; readonly by?: never };

export interface Inbox {
  /** Returns messages, newest first. */
  list(agent: AgentId, query: InboxQuery): Promise<readonly InboxMessage[]>;
  /** Returns one message. Throws `inbox.not-found`. */
  get(id: InboxId): Promise<InboxMessage>;
  /** Archives the message. A second call changes nothing. Throws `inbox.not-found`. */
  archive(id: InboxId): Promise<InboxMessage>;
  /** Returns the rows in the order of the ids, without missing rows. */
  rows(ids: readonly InboxId[]): Promise<readonly InboxRow[]>;
  /**
   * Returns messages for a prompt, oldest first: notes, and answers that came too late for their
   * call. The limit exceeds what a prompt shows. An answer for which a call still waits is
   * excluded.
   */
  pending(agent: AgentId): Promise<readonly InboxRow[]>;
  answerTo(question: InboxId): Promise<InboxRow | undefined>;
  /** Plans a new message. */
  planPut(row: InboxRow): InboxChange;
  /** Plans the move of those messages among `ids` that are still pending. */
  planMove(ids: readonly InboxId[], move: InboxMove): Promise<InboxChange>;
  /**
   * Erases messages that were read or archived before this time and are no longer needed. Pending
   * messages stay. Returns the number of erased messages.
   */
  sweep(until: number): Promise<number>;
}
