/**
 * Messages that agents leave for each other. Its writes are values, committed with the end of the
 * step that wrote or used a message.
 */
import type { Change, Row, NewEvent } from "../../kernel/index.ts";
import type { ActivationId, AgentId, InboxId, InboxMessage, InboxQuery } from "@hearth/protocol";

export type InboxRow = Row<"inbox">;

/** Part of a larger commit. If a guard fails, another writer was faster: plan again. */
export interface InboxChange extends Required<Change> {
  readonly events: readonly NewEvent[];
}

/** A message moves forward only. */
export type InboxMove =
  | { readonly status: "read"; readonly by: ActivationId }
  | { readonly status: "archived"; readonly by?: never };

export interface Inbox {
  /** Newest first. */
  list(agent: AgentId, query: InboxQuery): Promise<readonly InboxMessage[]>;
  /** Throws `inbox.not-found`. */
  get(id: InboxId): Promise<InboxMessage>;
  /** Archives the message. Idempotent. Throws `inbox.not-found`. */
  archive(id: InboxId): Promise<InboxMessage>;
  /** Returns the rows in the order of the ids, without missing ones. */
  rows(ids: readonly InboxId[]): Promise<readonly InboxRow[]>;
  /**
   * Returns messages for a prompt, oldest first, up to a limit beyond what a prompt shows: notes,
   * and answers that came too late for their call. An answer that a call still waits for is
   * excluded.
   */
  pending(agent: AgentId): Promise<readonly InboxRow[]>;
  answerTo(question: InboxId): Promise<InboxRow | undefined>;
  /** Plans a new message. */
  planPut(row: InboxRow): InboxChange;
  /** Plans moving those of these that are still pending. */
  planMove(ids: readonly InboxId[], move: InboxMove): Promise<InboxChange>;
  /**
   * Erases messages that were read or archived before this time and are no longer needed. Returns
   * their number. Pending ones stay.
   */
  sweep(until: number): Promise<number>;
}
