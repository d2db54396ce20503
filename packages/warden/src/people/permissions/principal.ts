/** The principal of a request. Every request has one; there is no anonymous mode. */
import type { Actor } from "../../kernel/index.ts";
import { type AgentId, HearthError, type KeyId, type KeyScope, type Right, type SessionId } from "@hearth/protocol";

export interface Principal {
  /** The agent, human or bot, whose rights apply. */
  readonly agent: AgentId;
  readonly via: "key" | "login" | "run-token";
  readonly key?: KeyId;
  /** Limits the key's rights. Absent: all rights of its agent. */
  readonly scope?: KeyScope;
  /** When the key expires, in UTC milliseconds. */
  readonly until?: number;
  /** The browser session. */
  readonly session?: SessionId;
  /** The right that admitted the request. Absent: the level did. */
  readonly right?: Right;
}

export const actorOf = ({ agent, via, key, session, right }: Principal): Actor => ({
  agent,
  via,
  ...(key === undefined ? {} : { key }),
  ...(session === undefined ? {} : { session }),
  ...(right === undefined ? {} : { right }),
});

/** Whether the credential has a scope or expires. */
export const isLimited = ({ scope, until }: Pick<Principal, "scope" | "until">): boolean =>
  scope !== undefined || until !== undefined;

/**
 * Throws `grant.exceeds` for a key that has a scope or expires, because the request needs its
 * agent's full rights.
 */
export const requireUnlimited = (principal: Pick<Principal, "scope" | "until">): void => {
  if (!isLimited(principal)) return;
  throw new HearthError(
    "grant.exceeds",
    "This key has a scope or an expiry; the request needs its agent's full rights.",
    {
      hint: "Use a login, or a key without a scope and an expiry.",
    },
  );
};

/**
 * Throws `grant.exceeds` for a key that expires, because the result of the request, such as a grant,
 * would outlast the key.
 */
export const requireNoExpiry = ({ until }: Pick<Principal, "until">): void => {
  if (until === undefined) return;
  throw new HearthError("grant.exceeds", "This key expires, and the result of the request would stay valid after it.", {
    hint: "Use a login, or a key without an expiry.",
  });
};
