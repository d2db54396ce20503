/** The interface of child activations for tools. */
import type { Row } from "../../../kernel/index.ts";
import type { ActivationId, AgentId } from "@hearth/protocol";
import type { InboxRow } from "../../inbox/inbox.ts";
import type { HostCall } from "../call.ts";

export interface NewChild {
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** The child's task. Its room, root and person are those of the call. */
  readonly inbox: InboxRow;
}

export interface Children {
  find(id: ActivationId): Promise<Row<"activations"> | undefined>;
  /**
   * Begins the child. It is durable when the promise resolves, and continues after a crash.
   * Returns `over` if the calling activation has ended, and `too-many` if the root message has
   * caused too many activations. Throws `lease.lost`.
   */
  start(child: NewChild, call: HostCall): Promise<"begun" | "over" | "too-many">;
  /** Waits until the child has ended or `signal` aborts, and returns its row. */
  waitForEnd(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** Stops the child. Resolves when it has stopped. */
  stop(id: ActivationId, reason: string): Promise<void>;
  /** Returns the number of tool calls of the child and its own children. */
  toolCalls(id: ActivationId): Promise<number>;
}
