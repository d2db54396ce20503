/** Child activations, as far as tools need them. */
import type { Row } from "../../kernel/index.ts";
import type { ActivationId, AgentId } from "@hearth/protocol";
import type { InboxRow } from "../inbox/inbox.ts";
import type { HostCall } from "./call.ts";

export interface NewChild {
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** Its task. Room, root and person are those of the call. */
  readonly inbox: InboxRow;
}

export interface Children {
  find(id: ActivationId): Promise<Row<"activations"> | undefined>;
  /**
   * Begins the child. It is durable when this resolves and continues after a crash. Throws
   * `lease.lost`. `over`: the calling activation has ended; `too-many`: the root message has caused
   * too many activations.
   */
  begin(child: NewChild, call: HostCall): Promise<"begun" | "over" | "too-many">;
  /** Returns the row when the child has ended, or when `signal` aborts. */
  untilOver(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** Resolves when the child has stopped. */
  stop(id: ActivationId, reason: string): Promise<void>;
  /** Tool calls of the child and its own children. */
  toolCalls(id: ActivationId): Promise<number>;
}
