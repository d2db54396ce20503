/** Activations that another one asks for, as far as tools need them. */
import type { Row } from "../../kernel/index.ts";
import type { ActivationId, AgentId } from "@hearth/protocol";
import type { InboxRow } from "../inbox/inbox.ts";
import type { HostCall } from "./call.ts";

export interface NewChild {
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** What it is to do. Its room, root and person are those of the call. */
  readonly inbox: InboxRow;
}

export interface Children {
  find(id: ActivationId): Promise<Row<"activations"> | undefined>;
  /**
   * Begins it: durable when it resolves, and from then on it goes on by itself, also when the daemon dies. Throws `lease.lost`; `over`: the
   * call's own activation has ended; `too-many`: the message at its root has caused enough of them.
   */
  begin(child: NewChild, call: HostCall): Promise<"begun" | "over" | "too-many">;
  /** The row as it is when it is over, or when `signal` aborts. */
  untilOver(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** Nothing of it runs when it resolves. */
  stop(id: ActivationId, reason: string): Promise<void>;
  /** Tool calls that it made, with those that it delegated. */
  toolCalls(id: ActivationId): Promise<number>;
}
