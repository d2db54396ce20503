/** Who is asking. Every request that reaches a part has one; there is no anonymous mode. */
import { type AgentId, HearthError, type KeyId, type KeyScope, type SessionId } from "@hearth/protocol";
import type { Actor } from "../config/source.ts";

export interface Principal {
  /** The agent, human or bot, whose rights apply. */
  readonly agent: AgentId;
  readonly via: "key" | "login" | "run-token";
  readonly key?: KeyId;
  /** What the key may at most, whatever its agent may. Absent: all that its agent may. */
  readonly scope?: KeyScope;
  /** UTC milliseconds at which the key ends. */
  readonly until?: number;
  /** The browser's. */
  readonly session?: SessionId;
}

export const actorOf = ({ agent, via, key, session }: Principal): Actor => ({
  ...{ agent, via },
  ...(key === undefined ? {} : { key }),
  ...(session === undefined ? {} : { session }),
});

/** Whether the credential may less than its agent, or not for as long. */
export const isLimited = ({ scope, until }: Pick<Principal, "scope" | "until">): boolean =>
  scope !== undefined || until !== undefined;

/** Throws `grant.exceeds` where whoever asks would come by more than the credential holds, such as a login of its agent. */
export const requireWhole = (principal: Principal): void => {
  if (!isLimited(principal)) return;
  throw new HearthError("grant.exceeds", "This key may less than its agent, and what it asks for may all.", {
    hint: "Use a login, or a key without a scope and without an end.",
  });
};
