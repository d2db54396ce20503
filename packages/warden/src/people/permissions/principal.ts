/** Who is asking. Every request that reaches a part has one; there is no anonymous mode. */
import type { Actor } from "../../kernel/index.ts";
import { type AgentId, HearthError, type KeyId, type KeyScope, type SessionId } from "@hearth/protocol";

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

/** Throws `grant.exceeds` for a key with a scope or an end: the request would give it all that its agent may. */
export const requireWhole = (principal: Pick<Principal, "scope" | "until">): void => {
  if (!isLimited(principal)) return;
  throw new HearthError("grant.exceeds", "This key has a scope or an end; the request needs its agent's full rights.", {
    hint: "Use a login, or a key without a scope and without an end.",
  });
};

/** Throws `grant.exceeds` for a key that ends: what the request makes, such as a grant, would outlast the key. */
export const requireLasting = ({ until }: Pick<Principal, "until">): void => {
  if (until === undefined) return;
  throw new HearthError("grant.exceeds", "This key ends, and what the request makes would outlast it.", {
    hint: "Use a login, or a key without an end.",
  });
};
