/** Who is asking. Every request that reaches a part has one; there is no anonymous mode. */
import type { AgentId, KeyId } from "@hearth/protocol";

export interface Principal {
  /** The agent, human or bot, whose rights apply. */
  readonly agent: AgentId;
  readonly via: "key" | "login" | "run-token";
  readonly key?: KeyId;
}
